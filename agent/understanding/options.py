"""The options of a clarification, in the asker's words. Every value can be read back as an answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from rapidfuzz import fuzz, process

from agent.understanding.calendar import Span, clipped
from agent.understanding.patterns import Found
from agent.understanding.periods import to_period
from agent.understanding.time_rules import Anchor, read_span
from agent.understanding.tokens import fold
from agent.values.spec import Option, Period
from agent.wording.dates import period_label
from agent.wording.texts import say
from semantic_catalog.model import DimensionName, Domain, Locale, MetricName, TimeGrain

MOST_OPTIONS = 4
_SHORT = 3
WITHOUT = "without"
PERIODS = ("last_month", "year_to_date", "last_7_days", "last_12_months", "last_quarter", "last_30_days")
OTHER_PERIOD = "other_period"
_BOOK_PERIODS = ("last_month", "year_to_date", "this_month")
_OTHER_PERIODS = ("last_quarter", "last_year", "last_12_months", "last_6_months")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPeriod:
    """A period that can be offered: its key, its days and how it is said."""

    key: str
    period: Period
    option: Option


def offered_periods(domain: Domain, locale: Locale, today: date, *, others: bool = False) -> tuple[OfferedPeriod, ...]:
    """The periods worth offering, the most usual first; `others` are those that come after them."""
    keys = _OTHER_PERIODS if others else _BOOK_PERIODS if domain.period_always_asked else PERIODS
    return tuple(_offered(key, domain, locale, today) for key in keys)


def other_period_option(locale: Locale) -> Option:
    """The option of none of the usual periods: more of them are offered then."""
    return Option(
        label=say(locale, "clarify.label_other_period"),
        value=OTHER_PERIOD,
        description=say(locale, "clarify.meaning_other_period"),
    )


def _offered(key: str, domain: Domain, locale: Locale, today: date) -> OfferedPeriod:
    period = to_period(named_span(key, today), domain.timezone)
    option = Option(
        label=say(locale, f"clarify.label_{key}"),
        value=say(locale, f"clarify.value_{key}"),
        description=_when(period, locale, today),
    )
    return OfferedPeriod(key=key, period=period, option=option)


def _when(period: Period, locale: Locale, today: date) -> str:
    """The period's dates; one that has just begun says that it has no data yet."""
    label = period_label(period, locale)
    begun = period.start is None or period.start < today
    return label if begun else say(locale, "clarify.no_data_yet", period=label)


def named_span(key: str, today: date) -> Span:
    """The days of `last_month`, `year_to_date`, `last_7_days` and their like."""
    words = key.split("_")
    if words[0] == "this":
        found = Found(name="this_unit", start=0, end=0, captures=(("unit", words[1]),))
    elif words[0] != "last":
        found = Found(name=key, start=0, end=0)
    elif len(words) == 2:
        found = Found(name="last_unit", start=0, end=0, captures=(("unit", words[1]),))
    else:
        found = Found(name="last_n", start=0, end=0, captures=(("n", int(words[1])), ("unit", words[2].rstrip("s"))))
    return clipped(read_span(found, Anchor(today=today)), today)


def metric_options(names: Iterable[str], domain: Domain, locale: Locale) -> tuple[Option, ...]:
    """Metrics by label, with what they mean; the value is the metric's name."""
    metrics = [domain.metric(MetricName(name)) for name in names]
    return tuple(
        Option(
            label=metric.names.in_locale(locale),
            value=metric.name,
            description=metric.names.description.get(locale, ""),
        )
        for metric in metrics
    )[:MOST_OPTIONS]


def dimension_options(names: Iterable[DimensionName], domain: Domain, locale: Locale) -> tuple[Option, ...]:
    """Dimensions by label; the value is the dimension's name."""
    dimensions = [domain.dimension(name) for name in names]
    return tuple(
        Option(label=d.names.in_locale(locale), value=d.name, description=d.names.description.get(locale, ""))
        for d in dimensions
    )[:MOST_OPTIONS]


def domain_options(domains: Iterable[Domain], locale: Locale) -> tuple[Option, ...]:
    """Domains by label; the value is the domain's name."""
    return tuple(
        Option(label=d.names.in_locale(locale), value=d.name, description=d.names.description.get(locale, ""))
        for d in domains
    )[:MOST_OPTIONS]


def grain_options(grains: Iterable[TimeGrain], locale: Locale) -> tuple[Option, ...]:
    """Buckets of time; the value is how one asks for them."""
    return tuple(
        Option(label=say(locale, f"clarify.label_by_{grain}"), value=say(locale, f"clarify.value_by_{grain}"))
        for grain in grains
    )[:MOST_OPTIONS]


def member_option(dimension: DimensionName, value: str, domain: Domain, locale: Locale) -> Option:
    """A member by its label and dimension; the value is `dimension=member`."""
    names = {member.value: member.names.in_locale(locale) for member in domain.dimension(dimension).members}
    label = domain.dimension(dimension).names.in_locale(locale)
    return Option(label=names.get(value, value), value=f"{dimension}={value}", description=label)


def near_members(words: Iterable[str], domain: Domain, locale: Locale) -> tuple[Option, ...]:
    """Members of the catalog whose names look like the words."""
    names = {
        (dimension.name, member.value): fold(member.names.in_locale(locale))
        for dimension in domain.dimensions
        for member in dimension.members
    }
    said = dict.fromkeys(part for word in words for part in (word, *_long_words(word)))
    hits = (process.extract(fold(word), names, scorer=fuzz.ratio, score_cutoff=70, limit=2) for word in said)
    near = dict.fromkeys(key for found in hits for _, _, key in found)
    return tuple(member_option(*key, domain, locale) for key in near)


def _long_words(words: str) -> tuple[str, ...]:
    """Each word of a longer name that is long enough to be meant for a name of its own."""
    return tuple(word for word in words.split() if len(word) > _SHORT)


def without_option(words: str, locale: Locale) -> Option:
    """Answering as if the words had not been said."""
    return Option(label=say(locale, "clarify.label_without", words=words), value=WITHOUT)


def nearest_metrics(words: str, domain: Domain, locale: Locale) -> tuple[str, ...]:
    """Metrics whose names look like the words, then the domain's first ones."""
    names = {m.name: fold(m.names.in_locale(locale)) for m in domain.metrics}
    near = process.extract(fold(words), names, scorer=fuzz.WRatio, score_cutoff=60, limit=MOST_OPTIONS)
    first = [metric.name for metric in domain.metrics]
    return tuple(dict.fromkeys([*(name for _, _, name in near), *first]))[:MOST_OPTIONS]
