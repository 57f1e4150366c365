"""Patterns are written out: regular ones cannot keep an engine busy for ever, and plain ones have an end.

A LIKE pattern that ends in its escape character is an error as soon as some row has come so far, which may be a hidden
one: planners try patterns on samples of all rows.
"""

import re
from collections.abc import Iterator

from sqlglot import exp

from agent.sql.rules.ask import refuse
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_PATTERN = 200
# Each open-ended repeat multiplies the ways in which a text can fail to match.
MAX_REPEATS = 6
_REPEATS = re.compile(r"(?<!\\)[*+]|,\}")
_REPEATED_GROUP = re.compile(r"\)[*+{]|\\[1-9]|\{\d{3,}")
_MATCHERS = (exp.RegexpLike, exp.RegexpILike, exp.RegexpExtract, exp.RegexpReplace, exp.RegexpCount, exp.SimilarTo)

_LIKES = (exp.Like, exp.ILike)
_WRITTEN = (exp.Literal, exp.Concat, exp.DPipe, exp.Paren, exp.Lower, exp.Upper)


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses the first pattern that is computed, long, or has many repeats, a repeated group or a back reference.

    Of LIKE, those that end in the escape character, or may.
    """
    for node in tree.find_all(*_MATCHERS, *_LIKES):
        pattern = node.args.get("expression")
        if not (_ends(pattern, _escape_of(node)) if isinstance(node, _LIKES) else _is_tame(pattern)):
            yield refuse(RuleId.PATTERN, security=False)
            return


def _escape_of(node: exp.Expr) -> str:
    around = node.parent
    return around.expression.name if isinstance(around, exp.Escape) else "\\"


def _ends(pattern: object, escape: str) -> bool:
    """Whether the pattern cannot end in an escape character, or is made of a row's own values."""
    if isinstance(pattern, exp.Literal):
        return not escape or (len(pattern.name) - len(pattern.name.rstrip(escape))) % 2 == 0
    if not isinstance(pattern, exp.Expr) or pattern.find(exp.Column, exp.Query):
        return True
    return all(isinstance(part, _WRITTEN) and not part.name.endswith(escape or "\\") for part in pattern.walk())


def _is_tame(pattern: object) -> bool:
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return False
    text = pattern.name
    return len(text) <= MAX_PATTERN and len(_REPEATS.findall(text)) <= MAX_REPEATS and not _REPEATED_GROUP.search(text)
