"""Text -> ModuleFacts: parse once, walk once.

Law of this file: no input raises. What cannot be read becomes `ModuleFacts.error`.
"""

import warnings

import libcst as cst

from redis_guard.facts.depth import TooDeep, parsed
from redis_guard.facts.given_urls import given_urls
from redis_guard.facts.marks import speaks
from redis_guard.facts.model import ModuleFacts
from redis_guard.facts.positions import positions
from redis_guard.facts.refusal import refusal
from redis_guard.facts.statements import Statements
from redis_guard.finding import INTERNAL_ERROR
from redis_guard.room import room

_FRAMES = 12_000
"""Deep nesting is walked by recursion, some frames a level; see depth.py for how deep it may be."""


def module_facts(path: str, text: str) -> ModuleFacts:
    """The facts of one file. A file that cannot be parsed gives facts with only `error` set."""
    # an odd escape in somebody's string is a warning of the interpreter's, and none of ours
    with room(_FRAMES), warnings.catch_warnings(action="ignore"):
        try:
            return _facts(path, text)
        except (cst.ParserSyntaxError, cst.CSTValidationError) as error:
            return failed(path, *refusal(text, error))
        except TooDeep as error:
            return failed(path, error.line, 1, str(error))
        except RecursionError:
            return failed(path, 1, 1, str(TooDeep()))
        except Exception as error:  # whatever odd code trips the walk must not cost the other files
            said = f"{type(error).__name__}: {error}"
            return failed(path, 1, 1, f"could not be read ({INTERNAL_ERROR}{said}); please report it")


def failed(path: str, line: int, column: int, message: str) -> ModuleFacts:
    """The facts of a file that says nothing but why it cannot be read."""
    return ModuleFacts(path, (), False, (), (line, column, message))


def _facts(path: str, text: str) -> ModuleFacts:
    tree = parsed(text)
    module = cst.parse_module(text)
    places = positions(module, tree, text)
    statements = Statements(places, ":=" in text)
    scopes = statements.module(module)
    return ModuleFacts(
        path, scopes, speaks(text), tuple(statements.star_imports), None, given_urls(tree, text)
    )
