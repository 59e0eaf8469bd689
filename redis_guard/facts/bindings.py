"""Which names a piece of code binds, without reading it in order: what a loop's head must know."""

from collections.abc import Sequence

import libcst as cst


def bound_names(body: Sequence[cst.CSTNode], has_walrus: bool) -> frozenset[str]:
    """Names bound by the statements of `body`, nested statements included, nested scopes not."""
    names: set[str] = set()
    stack: list[cst.CSTNode] = list(body)
    while stack:
        node = stack.pop()
        match node:
            case cst.IndentedBlock() | cst.SimpleStatementSuite() | cst.SimpleStatementLine():
                stack.extend(node.body)
            case cst.Assign():
                for target in node.targets:
                    _targets(target.target, names)
            case cst.AnnAssign() | cst.AugAssign():
                _targets(node.target, names)
            case cst.For():
                _targets(node.target, names)
                stack.extend(part for part in (node.body, node.orelse) if part)
            case cst.While() | cst.If():
                stack.extend(part for part in (node.test, node.body, node.orelse) if part)
            case cst.Else() | cst.Finally() | cst.MatchCase():
                stack.append(node.body)
            case cst.Try() | cst.TryStar():
                stack.extend([node.body, *node.handlers])
                stack.extend(part for part in (node.orelse, node.finalbody) if part)
            case cst.ExceptHandler() | cst.ExceptStarHandler():
                if node.name is not None:
                    _targets(node.name.name, names)
                stack.append(node.body)
            case cst.With():
                for item in node.items:
                    if item.asname is not None:
                        _targets(item.asname.name, names)
                stack.append(node.body)
            case cst.Match():
                stack.extend(node.cases)
            case cst.FunctionDef() | cst.ClassDef():
                names.add(node.name.value)
            case cst.Import() | cst.ImportFrom():
                _imports(node, names)
            case _ if has_walrus:
                _walruses(node, names)
    return frozenset(names)


def _targets(target: cst.BaseExpression, names: set[str]) -> None:
    if isinstance(target, cst.Name):
        names.add(target.value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            _targets(element.value, names)


def _imports(node: cst.Import | cst.ImportFrom, names: set[str]) -> None:
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        if alias.asname is not None:
            _targets(alias.asname.name, names)
        else:
            first: cst.BaseExpression = alias.name
            while isinstance(first, cst.Attribute):
                first = first.value
            _targets(first, names)


def _walruses(node: cst.CSTNode, names: set[str]) -> None:
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, cst.NamedExpr):
            _targets(part.target, names)
        stack.extend(part.children)
