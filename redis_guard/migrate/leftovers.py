"""Variables and imports that nothing reads any more.

Law of this file: only what the migration itself made useless goes, and only what has no effect of its own.
"""

import ast
from collections.abc import Collection

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.edits import apply_edits
from redis_guard.fixes.program import Program
from redis_guard.migrate.bindings import bindings, reads
from redis_guard.migrate.lookup import Lookup

_PURE = frozenset({"str", "int", "len", "repr", "hex", "bytes", "float"})
_PURE_MODULES = frozenset({"uuid", "secrets", "socket", "os", "random", "time"})
_PURE_METHODS = frozenset(
    {"format", "join", "encode", "decode", "hex", "lower", "upper", "strip", "hexdigest"}
)
_PASSES = 10


def tidied(before: str, after: str, path: str, exported: Collection[str], lookup: Lookup) -> str:
    """`after` without what became useless. `exported`: names that other files import from this one."""
    old = Program(before)
    helpers = _helpers(old.tree, path, lookup)
    for _ in range(_PASSES):
        shorter = _without_variables(old, Program(after), helpers)
        if shorter == after:
            break
        after = shorter
    return _without_imports(old, Program(after), exported)


def _without_variables(old: Program, new: Program, helpers: Collection[str]) -> str:
    draft = Draft(new)
    for was, now in zip(_functions(old.tree), _functions(new.tree), strict=True):
        for node in ast.walk(now):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            name = node.targets[0].id
            if len(node.targets) == 1 and bindings(now, name) == [node.targets[0]] and not reads(now, name):
                if not reads(was, name):
                    continue
                counted = _counted(node.value)
                if counted is not None:
                    draft.rewrite(node, new.source(counted))
                elif _is_pure(node.value, helpers):
                    draft.remove_statement(node)
    fix = draft.fix("", "unsafe")
    return new.text if fix is None else apply_edits(new.text, fix.edits)


def _counted(value: ast.expr) -> ast.expr | None:
    """`counter.increment()` of a value that is counted and not looked at."""
    inner = value.value if isinstance(value, ast.Attribute) and value.attr == "value" else None
    call = inner.value if isinstance(inner, ast.Await) else inner
    counts = (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "increment"
    )
    return inner if counts else None


def _helpers(tree: ast.Module, path: str, lookup: Lookup) -> frozenset[str]:
    """Functions and methods, imported ones too, that compute one value and do nothing else."""
    found = {
        node.name for node in ast.walk(tree) if _only_computes(node) and isinstance(node, ast.FunctionDef)
    }
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                name = one.asname or one.name
                made = lookup.definition(path, name)
                if made is not None and _only_computes(made[1]):
                    found.add(name)
    return frozenset(found)


def _only_computes(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef) or not isinstance(last := node.body[-1], ast.Return):
        return False
    before = node.body[:-1]
    documented = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in before)
    return documented and last.value is not None and _is_pure(last.value, ())


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _is_pure(value: ast.expr, helpers: Collection[str]) -> bool:
    for node in ast.walk(value):
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr | ast.Subscript):
            return False
        if isinstance(node, ast.Call) and not _is_pure_call(node.func, helpers):
            return False
    return True


def _is_pure_call(func: ast.expr, helpers: Collection[str]) -> bool:
    match func:
        case ast.Name(id=name):
            return name in _PURE or name in helpers or name.startswith(("uuid", "token_"))
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return module in _PURE_MODULES or name in _PURE_METHODS or name in helpers
        case ast.Attribute(attr=name):
            return name in _PURE_METHODS
    return False


def _without_imports(old: Program, new: Program, exported: Collection[str]) -> str:
    draft = Draft(new)
    spoken, before = _spoken(new.tree), _spoken(old.tree)
    for statement in new.tree.body:
        if (
            not isinstance(statement, ast.Import | ast.ImportFrom)
            or getattr(statement, "module", "") == "__future__"
        ):
            continue
        line = new.lines.line(statement.end_lineno or statement.lineno)
        gone = [
            one
            for one in statement.names
            if (name := one.asname or one.name.partition(".")[0]) not in spoken
            and name in before
            and name not in exported
            and one.asname != one.name
        ]
        if not gone or "#" in line:
            continue
        if len(gone) == len(statement.names):
            draft.remove_statement(statement)
        else:
            _shorten(draft, statement, gone)
    fix = draft.fix("", "unsafe")
    return new.text if fix is None else apply_edits(new.text, fix.edits)


def _shorten(draft: Draft, statement: ast.Import | ast.ImportFrom, gone: list[ast.alias]) -> None:
    """Take names out of an import, each with a comma."""
    program = draft.program
    names = statement.names
    kept = [one for one in names if one not in gone]
    for one in gone:
        number = names.index(one)
        if number > names.index(kept[-1]):
            draft.replace(program.end(names[number - 1]), program.end(one), "")
        else:
            draft.replace(program.start(one), program.start(names[number + 1]), "")


def _spoken(tree: ast.Module) -> set[str]:
    """Every name that is read, and every word of the texts, which may be annotations or `__all__`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            found.update("".join(c if c.isalnum() or c == "_" else " " for c in node.value).split())
    return found
