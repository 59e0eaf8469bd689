"""A write and the EXPIRE after it become one MULTI.

Law of this file: the EXPIRE moves up to its write; whatever else stood in between comes after both. A condition that
asks whether the key is new becomes `nx=True`, which asks the server (Redis 7), or a counter that is made with its
lifetime first.
"""

import ast
from dataclasses import dataclass

from redis_guard.behaviour.pairs import Pair
from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call, ModuleUses
from redis_guard.repairs.leaving import leave
from redis_guard.repairs.lifetimes import OPTIONS, figure
from redis_guard.repairs.rebinding import rebound
from redis_guard.repairs.transaction_text import (
    Queued,
    remove_lines,
    remove_with_comment,
    transaction,
    with_comment,
)
from redis_guard.repairs.written import Written, find, once, same_block, stands_alone_on_lines

_EXPIRE_NX = (7, 0)
_PLAIN_COUNTERS = frozenset({"INCR", "INCRBY", "DECR", "DECRBY"})
_SIZES = frozenset({"zcard", "scard", "llen", "hlen", "exists", "xlen"})
_TTLS = frozenset({"ttl", "pttl"})


@dataclass(frozen=True, slots=True)
class InOneTransaction:
    """`write` and `expiry` on one key; `others` are the calls on the same client between them."""

    write: Call
    expiry: Call
    others: tuple[Call, ...]
    result_doubted: bool = False
    """Whoever uses the write's result may rely on more than the number (new members, a length)."""
    window: bool = False
    """The lifetime is that of a window, and is to be set once."""

    def fix(self, program: Program) -> Fix | None:
        first, second = find(program, self.write), find(program, self.expiry)
        if first is None or second is None or not second.alone or not self._can_be_queued(first, second):
            return None
        start = first.statement
        condition = self._condition(first, second)
        if condition is None:
            return None
        end = second.statement if condition is second.statement else condition
        if end is start:  # `if (n := r.incr(k)) == 1: r.expire(k, 9)`
            between: tuple[ast.stmt, ...] = ()
        else:
            found = same_block(program, start, end)
            if found is None:
                return None
            between = found
        if not stands_alone_on_lines(program, start) or not stands_alone_on_lines(program, second.statement):
            return None
        arguments = [*second.node.args, *(keyword.value for keyword in second.node.keywords)]
        if any(rebound(argument, (start, *between)) for argument in arguments):
            return None
        taken = self._queued_between(program, between)
        rest = between[len(taken) :]
        if any(isinstance(node, ast.Call) for statement in rest for node in ast.walk(statement)):
            return None
        doubts = ["the EXPIRE comes before what stood in between"] if rest else []
        if any(figure(argument) is None for argument in self._times(second)):
            doubts.append("where the EXPIRE is refused, the write fails with it")
        conditional = condition is not second.statement
        if conditional:
            gets = program.target_server >= _EXPIRE_NX
            doubts.append(f"a key that is there without a lifetime {'gets one' if gets else 'is left so'}")
        elif self.window:
            doubts.append("the window ends now, however many hits there are")
        return self._written(first, second, condition, taken, doubts)

    def _times(self, second: Written) -> list[ast.expr]:
        found = [second.argument(lifetime.parameter) for lifetime in self.expiry.lifetimes]
        return [time for time in found if time is not None]

    def _can_be_queued(self, first: Written, second: Written) -> bool:
        program = first.program
        plain = all(
            each.method_named and each.call.kind == "client" and not each.call.cluster
            for each in (first, second)
        )
        awaited = all((each.whole is not each.node) is each.call.asynchronous for each in (first, second))
        return (
            plain
            and awaited
            and once(program, first.node)
            and not second.starred
            and self._same_client(first, second)
        )

    @staticmethod
    def _same_client(first: Written, second: Written) -> bool:
        return first.client_text == second.client_text and not any(
            isinstance(node, ast.Call) for node in ast.walk(first.client)
        )

    def _condition(self, first: Written, second: Written) -> ast.stmt | None:
        """The EXPIRE itself, or the `if` around it that asks whether the key is new; None for another `if`."""
        program = first.program
        owner = program.block(second.statement).owner
        if (
            first.statement is not owner
            and same_block(program, first.statement, second.statement) is not None
        ):
            return second.statement
        if (
            not isinstance(owner, ast.If)
            or owner.orelse
            or not any(each is second.statement for each in owner.body)
        ):
            return None
        before = owner.body[: owner.body.index(second.statement)]
        if leave(before) or "nx" in {name for name, _ in self.expiry.arguments}:
            return None
        return owner if self._asks_whether_new(owner.test, first) else None

    def _asks_whether_new(self, test: ast.expr, first: Written) -> bool:
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return False
        left, right = test.left, test.comparators[0]
        if isinstance(left, ast.NamedExpr):
            left = left.value
        if left is first.whole or _is_result(left, first):
            return isinstance(test.ops[0], ast.Eq) and _is_first(right, self.write, first)
        call = left.value if isinstance(left, ast.Await) else left
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        if first.program.source(call.func.value) != first.client_text or not self._same_key(call, first):
            return False
        if call.func.attr in _SIZES:
            return isinstance(test.ops[0], ast.Eq) and _is_number(right, 1)
        negative = isinstance(test.ops[0], ast.Lt) and _is_number(right, 0)
        missing = isinstance(test.ops[0], ast.Eq) and _is_number(right, -1)
        return call.func.attr in _TTLS and (negative or missing)

    @staticmethod
    def _same_key(call: ast.Call, first: Written) -> bool:
        key = first.argument("name")
        return (
            key is not None
            and len(call.args) == 1
            and first.program.source(call.args[0]) == first.program.source(key)
        )

    def _queued_between(self, program: Program, between: tuple[ast.stmt, ...]) -> list[Written]:
        """The calls right behind the write that can be queued with it."""
        known = [written for call in self.others if (written := find(program, call)) is not None]
        taken: list[Written] = []
        for statement in between:
            match = next((each for each in known if each.alone and each.statement is statement), None)
            if match is None or not match.method_named or not stands_alone_on_lines(program, statement):
                break
            taken.append(match)
        return taken

    def _written(
        self, first: Written, second: Written, condition: ast.stmt, taken: list[Written], doubts: list[str]
    ) -> Fix | None:
        program = first.program
        conditional = condition is not second.statement
        own = isinstance(first.statement, ast.Expr | ast.Assign | ast.AnnAssign)
        queued = [Queued(first, comment=with_comment(first)[1] if own else "")]
        queued += [Queued(each, comment=with_comment(each)[1]) for each in taken]
        place = 0
        if not conditional and not self.window:
            queued.append(Queued(second, comment=with_comment(second)[1]))
        elif program.target_server >= _EXPIRE_NX:
            beside = with_comment(second)[1] if self._only(condition, second) else ""
            queued.append(Queued(second, "nx=True", comment=beside))
        else:
            made = self._made_first(first, second)
            if made is None:
                return None
            queued.insert(0, made)
            place = 1
        draft = Draft(program)
        kept = transaction(
            draft,
            first,
            queued,
            place,
            drop_test=condition is first.statement and self._only(condition, second),
        )
        if kept is None:
            return None
        for each in taken:
            remove_with_comment(draft, each)
        if not conditional:
            remove_with_comment(draft, second)
        elif self._only(condition, second):
            if condition is not first.statement:
                self._remove_condition(draft, condition, second)
        else:
            draft.remove_statement(second.statement)
        if kept == "used" and self.result_doubted:
            doubts = [*doubts, "the result is the pipeline's"]
        if kept == "moved":
            doubts = [*doubts, "the write comes before the rest of its statement"]
        title = "Send both in one MULTI"
        return draft.fix("; ".join([title, *doubts]), "unsafe" if doubts else "safe")

    @staticmethod
    def _remove_condition(draft: Draft, condition: ast.stmt, second: Written) -> None:
        """With the comment beside the EXPIRE, which has gone to the pipeline; another comment keeps its line."""
        program = draft.program
        end, _ = with_comment(second)
        head = program.start(condition)
        between = [
            comment for comment in program.comments if head <= comment.start < program.start(second.statement)
        ]
        if between:
            draft.remove_statement(condition)
        else:
            remove_lines(draft, head, end)

    @staticmethod
    def _only(condition: ast.stmt, second: Written) -> bool:
        return isinstance(condition, ast.If) and condition.body == [second.statement]

    def _made_first(self, first: Written, second: Written) -> Queued | None:
        """`set(key, 0, ex=60, nx=True)` before the count, where EXPIRE knows no NX yet."""
        lifetime = self.expiry.lifetimes[0] if len(self.expiry.lifetimes) == 1 else None
        key, time = first.argument("name"), None if lifetime is None else second.argument(lifetime.parameter)
        if self.write.command not in _PLAIN_COUNTERS or lifetime is None or key is None or time is None:
            return None
        if lifetime.unit not in ("s", "ms"):
            return None
        source = first.program.source
        return Queued(first, text=f"set({source(key)}, 0, {OPTIONS[lifetime.unit]}={source(time)}, nx=True)")


def _is_result(node: ast.expr, first: Written) -> bool:
    statement = first.statement
    if not isinstance(statement, ast.Assign) or statement.value is not first.whole:
        return False
    target = statement.targets[0]
    return isinstance(node, ast.Name) and isinstance(target, ast.Name) and node.id == target.id


def _is_first(node: ast.expr, write: Call, first: Written) -> bool:
    """What a count gives that has just begun: 1, or what it was raised by."""
    if _is_number(node, 1):
        return True
    amount = first.argument("amount")
    return amount is not None and first.program.source(node) == first.program.source(amount)


def _is_number(node: ast.expr, number: int) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant) and node.operand.value == -number
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == number


def in_one_transaction(
    module: ModuleUses, pair: Pair, *, result_doubted: bool = False, window: bool = False
) -> InOneTransaction | None:
    """The repair of a pair with one EXPIRE."""
    if len(pair.seconds) != 1:
        return None
    [second] = pair.seconds
    between = tuple(
        call
        for call in module.of_function(pair.first.function)
        if call.client == pair.first.client and pair.first.place.order < call.place.order < second.place.order
    )
    return InOneTransaction(pair.first, second, between, result_doubted, window)
