"""An allow has no reason.

What: an allow comment gives no reason of at least three words, or a `noqa` names one of these rules.
Why it hurts: nobody can tell later whether the exception still holds.
Instead: write `# redis-guard: allow[RG101] the reason in a few words`.
Fix: none; only its author knows the reason.
"""

from redis_guard.rule import ERROR, Example, OfTool, Rule

RULE = Rule(
    code="RG003",
    name="allow-without-reason",
    since="0.1.0",
    severity=ERROR,
    scope=OfTool(),
    doc=__doc__,
    examples=(
        Example(
            bad="r.keys('*')  # redis-guard: allow[RG701]",
            good="r.keys('*')  # redis-guard: allow[RG701] a console tool of operations",
        ),
    ),
)
