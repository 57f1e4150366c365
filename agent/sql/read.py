"""SQL text to exactly one tree, or the reason why not. Never raises; answers any text in bounded time."""

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError

from agent.sql.bounds import disguised, tokens_of, too_costly
from agent.sql.dialects import dialect_of
from agent.values.governance import Finding, RuleId
from semantic_catalog.model import Dialect

# What the parser trips over, besides its own errors, in texts that are no SQL.
PARSER_FAULTS = (TypeError, ValueError, AttributeError, LookupError)


def read(sql: str, dialect: Dialect) -> exp.Expr | Finding:
    """The tree of the one statement in `sql`; a finding when it is too large, disguised, several or not SQL."""
    finding = too_costly(sql) or disguised(sql, dialect)
    if finding:
        return finding
    tokens = tokens_of(sql, dialect)
    if isinstance(tokens, Finding):
        return tokens
    try:
        trees = dialect_of(dialect).parser().parse(tokens, sql)
    except RecursionError:
        return Finding(rule=RuleId.TOO_LARGE, severity="refuse")
    except ParseError as error:
        return _unparsable(error)
    except (SqlglotError, *PARSER_FAULTS):
        return _unparsable(None)
    return _only(trees)


def _only(trees: list[exp.Expr | None]) -> exp.Expr | Finding:
    if len(trees) != 1:
        return Finding(rule=RuleId.ONE_STATEMENT, severity="refuse")
    return trees[0] or Finding(rule=RuleId.UNPARSABLE, severity="refuse", security=False)


def _unparsable(error: ParseError | None) -> Finding:
    fault = error.errors[0] if error and error.errors else {}
    near = str(fault.get("highlight") or "")[:40]
    return Finding(rule=RuleId.UNPARSABLE, severity="refuse", security=False, params=(("near", near),))
