"""Imports as bindings.

Law of this file: names as written; where a module lies is nobody's business here.
"""

import libcst as cst

from redis_guard.facts.scopes import ScopeBuilder


def import_(node: cst.Import, scope: ScopeBuilder) -> None:
    for alias in node.names:
        full = _dotted(alias.name)
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            scope.bind(alias.asname.name.value, "import", module=full)
        else:
            # `import a.b` binds a; b is found as its attribute
            scope.bind(
                full.split(".")[0], "import", module=full.split(".")[0], target=-2 if "." in full else -1
            )


def import_from(node: cst.ImportFrom, scope: ScopeBuilder, star_imports: list[str]) -> None:
    module = "." * len(node.relative) + ("" if node.module is None else _dotted(node.module))
    if isinstance(node.names, cst.ImportStar):
        star_imports.append(module)
        return
    for alias in node.names:
        symbol = _dotted(alias.name)
        bound = (
            alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else symbol
        )
        scope.bind(bound, "import", module=module, symbol=symbol)


def _dotted(node: cst.BaseExpression) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))
