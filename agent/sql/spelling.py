"""Names and days written so that every engine takes them and people can read them."""

from collections.abc import Mapping
from datetime import date
from functools import cache

from sqlglot import exp

from agent.sql.dialects import dialect_of
from semantic_catalog.model import Dialect

# Keywords that every engine takes for a column without quotes.
_PLAIN = frozenset({"name", "date", "version", "format", "year"})
# Reserved by the engines and unknown to sqlglot; for MySQL, MariaDB's too.
_RESERVED: Mapping[Dialect, str] = {
    "postgres": (
        "analyse asymmetric authorization both cast check collation concurrently current_role deferrable foreign "
        "freeze group initially leading order placing primary similar symmetric system_user to trailing user verbose"
    ),
    "mysql": (
        "current_role delete_domain_id do_domain_ids ignore_domain_ids master_demote_to_replica master_demote_to_slave "
        "page_checksum parse_vcol_expr portion ref_system_id sql_buffer_result sql_cache sql_no_cache "
        "stats_auto_recalc stats_persistent stats_sample_pages"
    ),
    "duckdb": "",
}


def identifier(name: str, dialect: Dialect) -> exp.Identifier:
    """The name of a column, table or schema, in quotes where the engine would read it as something else."""
    return exp.to_identifier(name, quoted=True if _needs_quotes(name, dialect) else None)


def quote_names(tree: exp.Expr, dialect: Dialect) -> None:
    """Puts every name of a tree made by us in quotes that needs them; changes the tree."""
    for node in tree.find_all(exp.Identifier):
        if not node.args.get("quoted") and _needs_quotes(node.name, dialect):
            node.set("quoted", True)


def write_days_plainly(tree: exp.Expr) -> None:
    """Makes `CAST('2026-10-01' AS DATE)` the literal `DATE '2026-10-01'`, which all engines read the same way.

    Only for text that is a day: of other text the two are not the same everywhere. Changes the tree.
    """
    for node in list(tree.find_all(exp.Cast)):
        if type(node) is exp.Cast and node.to.is_type("date") and node.parent and _is_day(node.this):
            node.replace(exp.Introducer(this=exp.var("DATE"), expression=node.this.copy()))


def write_patterns_plainly(tree: exp.Expr) -> None:
    """Makes MySQL's `REGEXP_LIKE(a, b)` the operator `a REGEXP b`, which MariaDB has too. Changes the tree."""
    for node in list(tree.find_all(exp.RegexpLike)):
        if node.parent and not node.args.get("flag"):
            text, pattern = (_operand(part) for part in (node.this, node.expression))
            operator = exp.Introducer(this=text, expression=exp.var("REGEXP"))
            matches = exp.Introducer(this=operator, expression=pattern)
            node.replace(exp.paren(matches, copy=False) if _binds_more(node.parent) else matches)


def _binds_more(around: exp.Expr) -> bool:
    return isinstance(around, (exp.Binary, exp.Unary, exp.Predicate)) and not isinstance(
        around, (exp.Connector, exp.Not, exp.Paren, exp.Func)
    )


def _operand(part: exp.Expr) -> exp.Expr:
    binds_less = isinstance(part, (exp.Binary, exp.Unary, exp.Predicate)) and not isinstance(
        part, (exp.Func, exp.Paren)
    )
    return exp.paren(part.copy(), copy=False) if binds_less else part.copy()


def _is_day(node: exp.Expr) -> bool:
    if not (isinstance(node, exp.Literal) and node.is_string and len(node.name) == len("2026-10-01")):
        return False
    try:
        date.fromisoformat(node.name)
    except ValueError:
        return False
    return "W" not in node.name


def _needs_quotes(name: str, dialect: Dialect) -> bool:
    if dialect == "postgres" and name != name.lower():
        return True
    return name.lower() in _keywords(dialect) and name.lower() not in _PLAIN


@cache
def _keywords(dialect: Dialect) -> frozenset[str]:
    known = dialect_of(dialect)
    words = {word.lower() for word in known.tokenizer_class.KEYWORDS}
    return frozenset({*words, *known.generator_class.RESERVED_KEYWORDS, *_RESERVED[dialect].split()})
