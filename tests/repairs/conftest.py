"""Programs before and after their fixes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from redis_guard.analysis import analyse
from redis_guard.config import load_config
from redis_guard.finding import Finding, Fix
from redis_guard.fixes.choose import apply_fixes

Project = Callable[..., Path]
CLIENT = "import redis\n\nr = redis.Redis()\n\n\n"


@dataclass(frozen=True, slots=True)
class Mended:
    """What one rule offers for one program."""

    findings: tuple[Finding, ...]
    before: str
    head: str
    """What the test's code was put behind; left out of `text`."""

    @property
    def fixes(self) -> list[Fix]:
        return [finding.fix for finding in self.findings if finding.fix is not None]

    @property
    def safety(self) -> list[str]:
        """One word for each finding: safe, unsafe, none."""
        return [finding.fix.applicability if finding.fix else "none" for finding in self.findings]

    @property
    def text(self) -> str:
        """The program after all fixes that fit beside each other."""
        applied = apply_fixes(self.before, self.fixes)
        return applied.text.replace(self.head, "", 1) if self.head in applied.text else applied.text


@pytest.fixture
def mend(project: Project) -> Callable[..., Mended]:
    """What the rule of a code offers for `main.py`; `head` stands before the code."""

    def judge(
        code: str,
        rule: str,
        *,
        head: str = CLIENT,
        server: str = "6.2",
        files: Mapping[str, str] | None = None,
    ) -> Mended:
        text = head + code
        root = project(
            {"main.py": text, **(files or {})}, config=f'[tool.redis-guard]\ntarget-server = "{server}"\n'
        )
        analysis = analyse(load_config(root), use_cache=False, jobs=1)
        assert not analysis.tracebacks, analysis.tracebacks
        found = [
            finding
            for finding in analysis.judgement.findings
            if finding.code == rule and finding.path == "main.py"
        ]
        return Mended(tuple(found), text, head)

    return judge
