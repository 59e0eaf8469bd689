"""The script that deletes a key only while a token is in it, as fixed code has it.

Law of this file: it stands in a module once. Where the client is a variable of the module it is registered with it, so
that the server is sent a digest; else its text is a constant.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.indenting import first_line
from redis_guard.fixes.program import Program
from redis_guard.repairs.written import Written

_LINES = (
    "if redis.call('GET', KEYS[1]) == ARGV[1] then ",
    "return redis.call('DEL', KEYS[1]) else return 0 end",
)
_BUILDERS = frozenset({"Redis", "StrictRedis", "from_url"})
_IMPORTS = ast.Import | ast.ImportFrom


def release_call(draft: Draft, deletion: Written, key: str, token: str, *, register: bool) -> str:
    """The call that releases in place of a deletion; the script gets into the module. Without an `await`.

    `register`: no other client of this file gives locks back.
    """
    program = draft.program
    assert isinstance(deletion.node.func, ast.Attribute)
    client = deletion.node.func.value
    made = _made_here(program, client) if register and not deletion.call.cluster else None
    if made is not None:
        name = _define(draft, made, f"{program.source(client)}.register_script(", "_RELEASE")
        return f"{name}(keys=[{key}], args=[{token}])"
    name = _define(draft, _last_import(program, deletion.statement), "(", "_RELEASE_SCRIPT")
    return f"{program.source(client)}.eval({name}, 1, {key}, {token})"


def _made_here(program: Program, client: ast.expr) -> ast.stmt | None:
    """The statement of the module that makes the client, if it is the only one that gives the name a value."""
    if not isinstance(client, ast.Name):
        return None
    stored = [
        node
        for node in ast.walk(program.tree)
        if (isinstance(node, ast.Name) and node.id == client.id and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == client.id)
    ]
    if len(stored) != 1:
        return None
    statement = program.parent(stored[0])
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or program.parent(statement) is not program.tree:
        return None
    made = statement.value
    if not isinstance(made, ast.Call) or statement.lineno > client.lineno:
        return None
    match made.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in _BUILDERS:
            return statement
    return None


def _last_import(program: Program, user: ast.stmt) -> ast.stmt | None:
    """The last import of the module's top before `user`; its docstring where it has none."""
    found: ast.stmt | None = None
    for number, each in enumerate(program.tree.body):
        if each.lineno > user.lineno or isinstance(
            each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ):
            break
        docstring = number == 0 and isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        tried = isinstance(each, ast.Try | ast.If) and any(isinstance(one, _IMPORTS) for one in each.body)
        if docstring or tried or isinstance(each, _IMPORTS):
            found = each
    return found


def _define(draft: Draft, after: ast.stmt | None, opening: str, wished: str) -> str:
    """Have the script in the module behind a statement; the name it has there."""
    program = draft.program
    wanted = ast.dump(ast.parse(opening + " ".join(f'"{line}"' for line in _LINES) + ")", mode="eval").body)
    for each in program.tree.body:
        if isinstance(each, ast.Assign) and ast.dump(each.value) == wanted:
            target = each.targets[0]
            if isinstance(target, ast.Name):
                return target.id
    name = program.new_name(wished)
    if any(edit.text.lstrip().startswith(f"{name} = {opening}") for edit in draft.edits):
        return name  # for another deletion of this lock
    ending = program.lines.ending(1)
    unit = program.indent_unit
    text = ending.join([f"{name} = {opening}", *(f'{unit}"{line}"' for line in _LINES), ")"]) + ending
    number = first_line(program.tree.body[0]) if after is None else (after.end_lineno or after.lineno) + 1
    gap = "" if after is None else ending
    if number > len(program.lines):
        joint = "" if program.text.endswith(("\n", "\r")) else ending
        draft.insert(len(program.text), joint + gap + text)
    else:
        close = "" if not program.lines.line(number).strip() else ending
        draft.insert(program.lines.starts[number - 1], gap + text + close)
    return name


def random_token(draft: Draft) -> str | None:
    """An expression that no two holders get the same value of; None where the file means something else by `uuid`."""
    program = draft.program
    for each in ast.walk(program.tree):
        if isinstance(each, ast.arg) and each.arg in ("uuid", "uuid4"):
            return None
        if isinstance(each, ast.Name) and each.id in ("uuid", "uuid4") and not isinstance(each.ctx, ast.Load):
            return None
    for each in program.tree.body:
        if isinstance(each, ast.ImportFrom) and each.module == "uuid":
            if any(alias.name == "uuid4" and alias.asname is None for alias in each.names):
                return "uuid4().hex"
            if any(alias.name == "uuid" or alias.asname == "uuid" for alias in each.names):
                return None
    need_import(draft, "import uuid")
    return "uuid.uuid4().hex"
