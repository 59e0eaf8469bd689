"""Which definitions reach a name: control flow, not names, decides."""

from redis_guard.facts.build import module_facts
from redis_guard.facts.model import Name, Scope
from redis_guard.project.walk import every


def scope_of(text: str) -> Scope:
    facts = module_facts("m.py", text)
    assert facts.error is None
    return facts.scopes[-1]


def reaching(text: str, name: str = "x") -> list[set[int]]:
    """Lines of the definitions that reach each read of `name` as an argument of `use`."""
    scope = scope_of(text)
    reads = [
        node
        for root in scope.roots
        for node in every(root.expr)
        if isinstance(node, Name) and node.id == name
    ]
    return [{scope.defs[number].line for number in _sources(scope, read.defs)} for read in reads]


def _sources(scope: Scope, numbers: tuple[int, ...], seen: frozenset[int] = frozenset()) -> set[int]:
    found: set[int] = set()
    for number in numbers:
        if number in seen:
            continue
        made = scope.defs[number]
        if made.kind == "merged":
            found |= _sources(scope, made.sources, seen | {number})
        else:
            found.add(number)
    return found


def test_a_second_assignment_replaces_the_first() -> None:
    assert reaching("def f():\n    x = 1\n    x = 2\n    use(x)\n") == [{3}]


def test_branches_are_joined() -> None:
    assert reaching("def f(a):\n    if a:\n        x = 1\n    else:\n        x = 2\n    use(x)\n") == [{3, 5}]


def test_a_branch_that_returns_does_not_reach_what_follows() -> None:
    text = "def f(a):\n    x = 1\n    if a:\n        x = 2\n        return x\n    use(x)\n"
    assert reaching(text) == [{4}, {2}]


def test_a_loop_may_bring_a_binding_round_again() -> None:
    text = "def f(a):\n    x = 1\n    for i in a:\n        use(x)\n        x = 2\n    use(x)\n"
    assert reaching(text) == [{2, 5}, {2, 5}]


def test_an_endless_loop_is_left_by_break_alone() -> None:
    text = (
        "def f():\n    x = 1\n    while True:\n        x = 2\n        if x:\n            break\n    use(x)\n"
    )
    assert reaching(text)[-1] == {4}


def test_a_handler_may_begin_after_any_binding_of_its_try() -> None:
    text = "def f():\n    x = 1\n    try:\n        x = 2\n        x = 3\n    except E:\n        use(x)\n"
    assert reaching(text) == [{2, 4, 5}]


def test_finally_sees_a_try_that_returned() -> None:
    text = "def f():\n    x = 1\n    try:\n        x = 2\n        return 1\n    finally:\n        use(x)\n"
    assert reaching(text) == [{2, 4}]


def test_the_walrus_binds_where_it_stands() -> None:
    assert reaching("def f():\n    if (x := g()) and use(x):\n        use(x)\n") == [{2}, {2}]


def test_a_comprehension_keeps_its_names_to_itself() -> None:
    text = "def f(a):\n    x = 1\n    y = [x for x in a]\n    use(x)\n"
    assert reaching(text) == [{3}, {2}]


def test_a_global_belongs_to_the_module() -> None:
    facts = module_facts("m.py", "x = None\ndef f():\n    global x\n    x = make()\n")
    assert [made.scope for made in facts.scopes[0].defs if made.name == "x"] == [0, 1]


def test_every_match_case_may_be_the_one() -> None:
    text = (
        "def f(a):\n    match a:\n        case 1:\n            x = 1\n        case {'k': x}:\n"
        "            pass\n        case _:\n            x = 3\n    use(x)\n"
    )
    scope = scope_of(text)
    (read,) = [
        node for root in scope.roots for node in every(root.expr) if isinstance(node, Name) and node.id == "x"
    ]
    assert [scope.defs[number].kind for number in read.defs] == ["assign", "captured", "assign"]
