"""Where names get their values, in one program.

Law of this file: a name is followed only where its scope binds it once.
"""

import ast
from collections.abc import Iterator

from redis_guard.fixes.program import Program

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Scope = Function | ast.ClassDef | ast.Module
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def scope_of(program: Program, node: ast.AST) -> Function | ast.Module:
    """The function around a node, else the module. A default or decorator belongs outside of its function."""
    below: ast.AST = node
    for above in program.parents(node):
        if isinstance(above, ast.Lambda) and below is above.body:
            return above
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            below is one for one in above.body
        ):
            return above
        below = above
    return program.tree


def class_of(program: Program, node: ast.AST) -> ast.ClassDef | None:
    """The class whose body or method holds a node."""
    return next((above for above in program.parents(node) if isinstance(above, ast.ClassDef)), None)


def own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, in the order of the text; of scopes within, their heads alone."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, _SCOPES):
            yield from own(child)
        elif not isinstance(child, ast.Lambda):
            for head in (*child.decorator_list, *(child.bases if isinstance(child, ast.ClassDef) else ())):
                yield head
                yield from own(head)


def parameters(function: Function) -> list[ast.arg]:
    given = function.args
    stars = [one for one in (given.vararg, given.kwarg) if one is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def bindings(scope: Scope, name: str) -> list[ast.AST]:
    """Everything that binds `name` in a scope: parameters, names that are stored or deleted, imports, definitions."""
    found: list[ast.AST] = []
    if isinstance(scope, Function):
        found += [one for one in parameters(scope) if one.arg == name]
    for node in own(scope):
        match node:
            case ast.Name(id=given, ctx=ast.Store() | ast.Del()) if given == name:
                found.append(node)
            case ast.FunctionDef(name=given) | ast.AsyncFunctionDef(name=given) | ast.ClassDef(name=given):
                found += [node] if given == name else []
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found += [node] * sum(name == (one.asname or one.name.partition(".")[0]) for one in names)
            case ast.Global(names=given_names) | ast.Nonlocal(names=given_names):
                found += [node] if name in given_names else []
            case ast.ExceptHandler(name=given) | ast.MatchAs(name=given) | ast.MatchStar(name=given):
                found += [node] if given == name else []
    return found


def assigned(program: Program, scope: Scope, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The one statement `name = value` that binds `name` in a scope."""
    found = bindings(scope, name)
    if len(found) != 1:
        return None
    above = program.parent(found[0])
    if isinstance(above, ast.Assign) and above.targets == [found[0]]:
        return above
    if isinstance(above, ast.AnnAssign) and above.target is found[0] and above.value is not None:
        return above
    return None


def reads(scope: ast.AST, name: str) -> list[ast.Name]:
    """Every place where `name` is read, in a scope and in those within."""
    return [
        node
        for node in ast.walk(scope)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]


def seen_within(scope: Scope, name: str) -> bool:
    """A function or class inside a scope speaks of `name` too, or a comprehension binds it."""
    for node in ast.walk(scope):
        if node is scope:
            continue
        if isinstance(node, _SCOPES) and any(
            isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node)
        ):
            return True
        if isinstance(node, _COMPREHENSIONS) and any(
            isinstance(target, ast.Name) and target.id == name
            for made in node.generators
            for target in ast.walk(made.target)
        ):
            return True
    return False
