"""What is looked at before parsing, so that no text can keep the parser busy or hide from it."""

import re
from collections.abc import Iterator

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from agent.sql.dialects import dialect_of
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

MAX_CHARACTERS = 20_000
MAX_TOKENS = 4_000
MAX_DEPTH = 32
# The parser's time doubles with each level of nested arrays.
MAX_BRACKET_DEPTH = 3
MAX_BRACKETS = 60
MAX_QUERIES = 60
MAX_PREFIXES = 100

_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_EXECUTED_COMMENT = re.compile(r"/\*M?!")
_OPEN = {TokenType.L_PAREN: 1, TokenType.L_BRACE: 1, TokenType.L_BRACKET: 1, TokenType.CASE: 1}
_CLOSE = {TokenType.R_PAREN: 1, TokenType.R_BRACE: 1, TokenType.R_BRACKET: 1, TokenType.END: 1}
_PREFIXES = {TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE, TokenType.INTERVAL}
_LINKS = {TokenType.DCOLON, TokenType.DOT, TokenType.CARET, TokenType.OVER, TokenType.ARROW}
_STARTS = {TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.FROM, TokenType.TABLE}


def too_costly(sql: str) -> Finding | None:
    """A finding when the text is longer than any honest question."""
    return Finding(rule=RuleId.TOO_LARGE, severity="refuse") if len(sql) > MAX_CHARACTERS else None


def disguised(sql: str, dialect: Dialect) -> Finding | None:
    """A finding when the text holds what people cannot see, or comments that some engines run."""
    executed = dialect == "mysql" and _EXECUTED_COMMENT.search(sql)
    if executed or _HIDDEN.search(sql):
        return Finding(rule=RuleId.HIDDEN_TEXT, severity="refuse")
    return None


def tokens_of(sql: str, dialect: Dialect) -> list[Token] | Finding:
    """The text's tokens without a closing semicolon, or why it cannot be one small SELECT."""
    try:
        tokens = dialect_of(dialect).tokenize(sql)
    except TokenError:
        return Finding(rule=RuleId.UNPARSABLE, severity="refuse", security=False)
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    return next(_findings(tokens), None) or tokens


def _findings(tokens: list[Token]) -> Iterator[Finding]:
    if not tokens:
        yield Finding(rule=RuleId.UNPARSABLE, severity="refuse", security=False)
    elif any(token.token_type == TokenType.SEMICOLON for token in tokens):
        yield Finding(rule=RuleId.ONE_STATEMENT, severity="refuse")
    elif len(tokens) > MAX_TOKENS or _is_deep(tokens):
        yield Finding(rule=RuleId.TOO_LARGE, severity="refuse")
    elif tokens[0].token_type not in _STARTS:
        yield Finding(rule=RuleId.READ_ONLY, severity="refuse")


def _is_deep(tokens: list[Token]) -> bool:
    kinds = [token.token_type for token in tokens]
    return (
        kinds.count(TokenType.SELECT) > MAX_QUERIES
        or kinds.count(TokenType.L_BRACKET) > MAX_BRACKETS
        or _deepest(kinds, _OPEN, _CLOSE) > MAX_DEPTH
        or _deepest(kinds, {TokenType.L_BRACKET: 1}, {TokenType.R_BRACKET: 1}) > MAX_BRACKET_DEPTH
        or _longest_run(kinds) > MAX_PREFIXES
    )


def _deepest(kinds: list[TokenType], opening: dict[TokenType, int], closing: dict[TokenType, int]) -> int:
    depth = deepest = 0
    for kind in kinds:
        depth += opening.get(kind, 0)
        deepest = max(deepest, depth)
        depth = max(0, depth - closing.get(kind, 0))
    return deepest


def _longest_run(kinds: list[TokenType]) -> int:
    """The longest chain of prefix operators, or of links (`a::b::c`), with at most one other token between two."""
    run = longest = gap = 0
    for kind in kinds:
        if kind in _PREFIXES or kind in _LINKS:
            run, gap = run + 1, 0
            longest = max(longest, run)
        elif gap := gap + 1:
            run = run if gap < 2 else 0
    return longest
