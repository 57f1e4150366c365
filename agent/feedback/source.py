"""A written statement read from another governed source."""

from collections.abc import Iterator

from sqlglot import exp

from agent.feedback.lift import Lifted
from semantic_catalog.model import Entity


def columns_not_held(lifted: Lifted, entity: Entity) -> tuple[str, ...]:
    """The columns that the statement takes from its source and `entity` lacks, in the order they are written."""
    held = {column.name.lower() for column in entity.columns}
    return tuple(dict.fromkeys(name for name in _used(lifted) if name.lower() not in held))


def read_from(lifted: Lifted, entity: Entity) -> bool:
    """Puts `entity` in the place of the source; False, and nothing is done, where columns of it are missing."""
    if columns_not_held(lifted, entity):
        return False
    table = _table(lifted)
    was, now = table.name, exp.to_table(entity.source)
    table.set("this", now.this)
    table.set("db", now.args.get("db"))
    for column in lifted.base.find_all(exp.Column):
        if column.table.lower() == was.lower() and not table.alias:
            column.set("table", now.this.copy())
            column.set("db", None)
    return True


def _table(lifted: Lifted) -> exp.Table:
    source = lifted.entity.source.lower()
    tables = lifted.base.find_all(exp.Table)
    return next(each for each in tables if source == ".".join(p for p in (each.db, each.name) if p).lower())


def _used(lifted: Lifted) -> Iterator[str]:
    """Names that only the statement itself gives are none of the source's; a bare star takes every column."""
    own = {each.alias.lower() for each in lifted.base.expressions if each.alias}
    if any(isinstance(each, exp.Star) for each in lifted.base.expressions):
        yield from (column.name for column in lifted.entity.columns)
    columns = {column.name.lower() for column in lifted.entity.columns}
    for column in lifted.base.find_all(exp.Column):
        if column.name.lower() in columns or column.name.lower() not in own:
            yield column.name
