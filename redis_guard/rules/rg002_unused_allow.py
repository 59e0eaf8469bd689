"""An allow comment or a baseline entry silences nothing.

What: no finding of the rules it names is reported where it stands, or the entry's code is gone.
Why it hurts: it hides the next fault of that kind that somebody writes there.
Instead: delete the comment, or prune the baseline with `redis-guard check --prune-baseline`.
Fix: safe; the comment is deleted.
"""

from redis_guard.rule import WARNING, Example, OfTool, Rule

RULE = Rule(
    code="RG002",
    name="unused-allow",
    since="0.1.0",
    severity=WARNING,
    scope=OfTool(),
    doc=__doc__,
    examples=(
        Example(
            bad="total = 1 + 1  # redis-guard: allow[RG701] keys are few here",
            good="total = 1 + 1",
        ),
    ),
    fix="safe",
)
