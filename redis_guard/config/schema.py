"""The table `[tool.redis-guard]` as JSON Schema (2020-12), for editors and other tools.

Law of this file: the schema refuses nothing that the loader takes; what no schema can know (whether a file is there,
whether a rule exists) the loader alone refuses.
"""

from pathlib import Path


def schema_text() -> str:
    """The JSON text of `schema.json`, which is generated from the loader's own tables."""
    return Path(__file__).with_name("schema.json").read_text(encoding="utf-8")
