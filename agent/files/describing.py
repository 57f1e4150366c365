"""What a file holds, in words."""

from agent.files.domain import COUNT
from agent.wording.texts import say
from semantic_catalog.model import Domain, Entity, Locale


def described(file: Domain, locale: Locale) -> str:
    """The file's tables with what they add up, what they split by and what dates them."""
    tables = " ".join(_table(file, entity, locale) for entity in file.entities)
    return say(locale, "file.described", name=file.names.in_locale(locale), tables=tables)


def _table(file: Domain, entity: Entity, locale: Locale) -> str:
    nothing = say(locale, "file.use_nothing")
    measures = {measure.name for measure in entity.measures if not measure.name.endswith(COUNT)}
    labels = [metric.names.in_locale(locale) for metric in file.metrics if metric.measure in measures]
    held = {each.dimension for each in entity.dimensions}
    dimensions = [each.names.in_locale(locale) for each in file.dimensions if each.name in held]
    return say(
        locale,
        "file.described_table",
        label=entity.names.in_locale(locale),
        measures=", ".join(labels) or nothing,
        dimensions=", ".join(dimensions) or nothing,
        time=entity.time.column if entity.time else nothing,
    )
