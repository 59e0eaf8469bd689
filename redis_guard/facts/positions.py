"""Where each node stands: positions for libcst nodes, borrowed from `ast`.

libcst's own position provider costs three times the parse. Both trees hold the same calls, subscripts,
comparisons and statements, so walking both in one fixed order makes the n-th of a kind the n-th of the
other. Law of this file: when `ast` refuses a file or the counts differ, ask libcst's provider instead;
a position is never guessed.
"""

import ast
from collections.abc import Iterable, Iterator

import libcst as cst

from redis_guard.facts.model import Place4

Positions = dict[int, Place4]
"""id of a libcst node -> its place."""

_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Module: ("body",),
    cst.SimpleStatementLine: ("body",),
    cst.SimpleStatementSuite: ("body",),
    cst.IndentedBlock: ("body",),
    cst.Expr: ("value",),
    cst.Assign: ("targets", "value"),
    cst.AssignTarget: ("target",),
    cst.AnnAssign: ("target", "annotation", "value"),
    cst.Annotation: ("annotation",),
    cst.AugAssign: ("target", "value"),
    cst.Return: ("value",),
    cst.Raise: ("exc", "cause"),
    cst.From: ("item",),
    cst.Assert: ("test", "msg"),
    cst.Del: ("target",),
    cst.If: ("test", "body", "orelse"),
    cst.Else: ("body",),
    cst.For: ("target", "iter", "body", "orelse"),
    cst.While: ("test", "body", "orelse"),
    cst.With: ("items", "body"),
    cst.WithItem: ("item", "asname"),
    cst.AsName: ("name",),
    cst.Try: ("body", "handlers", "orelse", "finalbody"),
    cst.TryStar: ("body", "handlers", "orelse", "finalbody"),
    cst.ExceptHandler: ("type", "body"),
    cst.ExceptStarHandler: ("type", "body"),
    cst.Finally: ("body",),
    cst.FunctionDef: ("decorators", "params", "returns", "body"),
    cst.Lambda: ("params", "body"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Param: ("annotation", "default"),
    cst.ClassDef: ("decorators", "bases", "keywords", "body"),
    cst.Decorator: ("decorator",),
    cst.Arg: ("value",),
    cst.Attribute: ("value",),
    cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",),
    cst.Index: ("value",),
    cst.Slice: ("lower", "upper", "step"),
    cst.Comparison: ("left", "comparisons"),
    cst.ComparisonTarget: ("comparator",),
    cst.BooleanOperation: ("left", "right"),
    cst.BinaryOperation: ("left", "right"),
    cst.UnaryOperation: ("expression",),
    cst.Await: ("expression",),
    cst.Yield: ("value",),
    cst.GeneratorExp: ("elt", "for_in"),
    cst.ListComp: ("elt", "for_in"),
    cst.SetComp: ("elt", "for_in"),
    cst.DictComp: ("key", "value", "for_in"),
    cst.CompFor: ("target", "iter", "ifs", "inner_for_in"),
    cst.CompIf: ("test",),
    cst.IfExp: ("test", "body", "orelse"),
    cst.List: ("elements",),
    cst.Tuple: ("elements",),
    cst.Set: ("elements",),
    cst.Element: ("value",),
    cst.StarredElement: ("value",),
    cst.Dict: ("elements",),
    cst.DictElement: ("key", "value"),
    cst.StarredDictElement: ("value",),
    cst.NamedExpr: ("target", "value"),
    cst.FormattedString: ("parts",),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.ConcatenatedString: ("left", "right"),
    cst.Match: ("subject", "cases"),
    cst.MatchCase: ("guard", "body"),
    cst.TypeAlias: ("value",),
}
"""The meaningful children of a node, in the order of this file."""

_CALL, _SUBSCRIPT, _COMPARISON, _STATEMENT = range(4)


def _kind_of_cst(node: cst.CSTNode) -> int | None:
    if isinstance(node, cst.Call):
        return _CALL
    if isinstance(node, cst.Subscript):
        return _SUBSCRIPT
    if isinstance(node, cst.Comparison):
        return _COMPARISON
    if isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
        return _STATEMENT
    return None


def _walk_cst(module: cst.Module) -> tuple[list[cst.CSTNode], ...]:
    found: tuple[list[cst.CSTNode], ...] = ([], [], [], [])
    stack: list[object] = [module]
    fields, kinds = _FIELDS, {}
    while stack:
        node = stack.pop()
        if node.__class__ in (list, tuple):
            stack.extend(reversed(node))
            continue
        if not isinstance(node, cst.CSTNode):
            continue
        cls = node.__class__
        if cls not in kinds:
            kinds[cls] = _kind_of_cst(node)
        if (kind := kinds[cls]) is not None:
            found[kind].append(node)
        if cls is cst.Call:
            # ast keeps keywords behind all positional arguments
            stack.extend(reversed([arg.value for arg in _keywords_last(node)]))  # type: ignore[arg-type]
            stack.append(node.func)  # type: ignore[attr-defined]
        elif names := fields.get(cls):
            stack.extend([getattr(node, name) for name in reversed(names)])
    return found


def _keywords_last(call: cst.Call) -> Iterator[cst.Arg]:
    for late in (False, True):
        for arg in call.args:
            if (arg.keyword is not None or arg.star == "**") is late:
                yield arg


def _arguments(node: ast.arguments) -> Iterator[ast.AST | None]:
    plain = [*node.posonlyargs, *node.args]
    defaults = [*([None] * (len(plain) - len(node.defaults))), *node.defaults]
    for arg, default in zip(plain, defaults, strict=True):
        yield arg.annotation
        yield default
    yield node.vararg and node.vararg.annotation
    for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        yield arg.annotation
        yield default
    yield node.kwarg and node.kwarg.annotation


def _in_our_order(node: ast.AST) -> Iterable[ast.AST | None]:
    """The children of the nodes whose `_fields` are not in the order of `_FIELDS`."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, *_arguments(node.args), node.returns, *node.body]
        case ast.Lambda():
            return [*_arguments(node.args), node.body]
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords, *node.body]
        case ast.Dict():
            return [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
        case ast.match_case():
            return [node.guard, *node.body]
    raise AssertionError(type(node))


def _walk_ast(tree: ast.AST) -> tuple[list[ast.expr | ast.stmt], ...]:
    found: tuple[list[ast.expr | ast.stmt], ...] = ([], [], [], [])
    stack: list[object] = [tree]
    special = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Dict, ast.match_case)
    skipped = {"ctx", "op", "ops", "type_params", "type_comment"}
    while stack:
        node = stack.pop()
        if not isinstance(node, ast.AST):
            continue
        if isinstance(node, ast.stmt):
            found[_STATEMENT].append(node)
        elif isinstance(node, ast.Call):
            found[_CALL].append(node)
        elif isinstance(node, ast.Subscript):
            found[_SUBSCRIPT].append(node)
        elif isinstance(node, ast.Compare):
            found[_COMPARISON].append(node)
        elif isinstance(node, (ast.Name, ast.Constant)):
            continue
        if isinstance(node, special):
            stack.extend(reversed(list(_in_our_order(node))))
            continue
        for name in reversed(node._fields):
            if name in skipped:
                continue
            value = getattr(node, name, None)
            if value.__class__ is list:
                stack.extend(reversed(value))
            elif isinstance(value, ast.AST):
                stack.append(value)
    return found


class Columns:
    """`ast` counts bytes of UTF-8; readers count characters."""

    def __init__(self, text: str) -> None:
        self._ascii = text.isascii()
        self._lines = [] if self._ascii else text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def __call__(self, line: int, offset: int) -> int:
        if self._ascii or line > len(self._lines) or (text := self._lines[line - 1]).isascii():
            return offset + 1
        return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")) + 1


def positions(module: cst.Module, tree: ast.Module | None, text: str) -> Positions:
    """The place of every call, subscript, comparison and statement of `module`; both trees were parsed from `text`."""
    if tree is None:
        return _from_provider(module)
    ours, theirs = _walk_cst(module), _walk_ast(tree)
    if any(len(a) != len(b) for a, b in zip(ours, theirs, strict=True)):
        return _from_provider(module)
    column = Columns(text)
    places: Positions = {}
    for nodes, others in zip(ours, theirs, strict=True):
        for node, other in zip(nodes, others, strict=True):
            end_line, end = other.end_lineno or other.lineno, other.end_col_offset or 0
            places[id(node)] = (
                other.lineno, column(other.lineno, other.col_offset), end_line, column(end_line, end)
            )  # fmt: skip
    return places


def _from_provider(module: cst.Module) -> Positions:
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return {
        id(node): (place.start.line, place.start.column + 1, place.end.line, place.end.column + 1)
        for node, place in wrapper.resolve(PositionProvider).items()
    }
