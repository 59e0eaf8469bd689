"""What `check --fix --unsafe-fixes` makes of a fixture, by its own rule alone."""

from pathlib import Path

from redis_guard.check import check
from redis_guard.fixing import fix
from redis_guard.options import Options
from tests.proof.fixture import Fixture


def mended(fixture: Fixture, folder: Path) -> tuple[bytes, set[str]]:
    """The text afterwards, and how safe the first fixes are that were offered."""
    path = folder / "main.py"
    path.write_bytes(fixture.original)
    server = f'target-server = "{fixture.target_server}"\n' if fixture.target_server else ""
    (folder / "pyproject.toml").write_text(f'[tool.redis-guard]\nselect = ["{fixture.rule}"]\n{server}')
    options = Options(paths=(str(folder),), use_cache=False, jobs=1)
    offered = {found.fix.applicability for found in check(options).report.open if found.fix is not None}
    fix(options, unsafe=True, write=True)
    return path.read_bytes(), offered
