"""A file cannot be read or parsed.

What: the file is not valid Python, is in no encoding that it declares, or cannot be opened.
Why it hurts: nothing in it is checked, so whatever it does with Redis goes unseen.
Instead: repair the file, or exclude it in the configuration if it is not meant to be Python of this version.
Fix: none; the tool cannot know what was meant.
"""

from redis_guard.rule import ERROR, Example, OfTool, Rule

RULE = Rule(
    code="RG001",
    name="unparsable-file",
    since="0.1.0",
    severity=ERROR,
    scope=OfTool(),
    doc=__doc__,
    examples=(Example(bad="r.get('a'", good="r.get('a')"),),
)
