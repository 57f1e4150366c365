"""Regular expressions are written out, short, and without a repeated group: those can keep an engine busy for ever."""

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
_MATCHERS = (exp.RegexpLike, exp.RegexpILike, exp.RegexpExtract, exp.RegexpReplace, exp.RegexpCount)


def check(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:  # noqa: ARG001 - every structure rule is called alike
    """Refuses the first pattern that is computed, long, or has many repeats, a repeated group or a back reference."""
    for node in tree.find_all(*_MATCHERS):
        if not _is_tame(node.args.get("expression")):
            yield refuse(RuleId.PATTERN, security=False)
            return


def _is_tame(pattern: object) -> bool:
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return False
    text = pattern.name
    return len(text) <= MAX_PATTERN and len(_REPEATS.findall(text)) <= MAX_REPEATS and not _REPEATED_GROUP.search(text)
