"""The shape of the answer: buckets of time, ranking, the chart."""

from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import AVERAGES, THRESHOLDS, is_dimension, is_member, is_metric, number_before
from agent.understanding.parts import Direction, Rank
from agent.understanding.slots import slot_readers
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import Calculation, ChartKind
from semantic_catalog.model import DimensionName, Locale, MetricName, TimeGrain

_GRAINS: dict[str, TimeGrain] = {
    "grain_day": "day",
    "grain_week": "week",
    "grain_month": "month",
    "grain_quarter": "quarter",
    "grain_year": "year",
    "growth_month": "month",
}
_DIRECTIONS: dict[str, Direction] = {
    "worst": "worst",
    "best": "best",
    "low": "low",
    "high": "high",
    "bottom_n": "bottom",
    "bottom": "bottom",
    "top_n": "top",
    "top": "top",
    "worst_first": "worst",
    "best_first": "best",
    "smallest_first": "low",
    "largest_first": "high",
}
_SORTS = ("worst_first", "best_first", "smallest_first", "largest_first")
_CHARTS: dict[str, ChartKind] = {
    "chart_pie": "pie",
    "chart_horizontal": "horizontal_bar",
    "chart_stacked": "stacked",
    "chart_area": "area",
    "chart_treemap": "treemap",
    "chart_combo": "combo",
    "chart_bar": "bar",
    "chart_line": "line",
    "chart_table": "table",
    "bare_line": "line",
    "bare_area": "area",
    "bare_table": "table",
}

_PLURAL_ENDINGS: dict[Locale, tuple[str, ...]] = {
    "en": ("s",),
    "es": ("s",),
    "ru": ("ы", "и", "ов", "ей", "ам", "ям", "ах", "ях"),
}


def grain_in(reading: Reading) -> TimeGrain | None:
    """The bucket asked for: 'by month', 'daily', 'which week', 'month over month'."""
    for mention in reading.mentions:
        if mention.rule in ("by_unit", "asked_unit", "growth_unit"):
            return _unit(mention)
        if mention.rule in _GRAINS:
            return _GRAINS[mention.rule]
    return _listed_unit(reading) or _asked_plural(reading) or _window_unit(reading) or _ranked_unit(reading)


def _listed_unit(reading: Reading) -> TimeGrain | None:
    """'by brand and quarter': a unit at the end of a list of what the answer is split by."""
    and_words = vocabulary(reading.locale).lists["and"]
    for at in free_units(reading):
        listed = at > 0 and (reading.tokens[at - 1].word in and_words or "," in reading.tokens[at].gap)
        if listed and any(mark.end < at for mark in reading.with_rule("by")):
            return vocabulary(reading.locale).units[reading.tokens[at].word]
    return None


def _asked_plural(reading: Reading) -> TimeGrain | None:
    """'the months of 2026 where it was over a million': units that a condition tells apart."""
    if not reading.has(*THRESHOLDS, *AVERAGES):
        return None
    plural = (at for at in free_units(reading) if reading.tokens[at].word in _plural_units(reading))
    return next((vocabulary(reading.locale).units[reading.tokens[at].word] for at in plural), None)


def free_units(reading: Reading) -> tuple[int, ...]:
    """Positions of words for days, weeks and months that no mention has used."""
    used = {at for mention in reading.mentions for at in range(mention.start, mention.end)}
    units = vocabulary(reading.locale).units
    return tuple(at for at, token in enumerate(reading.tokens) if token.word in units and at not in used)


def _ranked_unit(reading: Reading) -> TimeGrain | None:
    """'the highest revenue month': a unit right after the metric that it is ranked by."""
    if not reading.has("high", "low", "best", "worst"):
        return None
    ends = {mention.end for mention in reading.mentions if is_metric(mention)}
    singular = (
        at for at in free_units(reading) if at in ends and reading.tokens[at].word not in _plural_units(reading)
    )
    return next((vocabulary(reading.locale).units[reading.tokens[at].word] for at in singular), None)


def _window_unit(reading: Reading) -> TimeGrain | None:
    """'a 7 day moving average' is by day."""
    marks = reading.with_rule("moving_average")
    return _unit(marks[0]) if marks else None


def _unit(mention: Mention) -> TimeGrain | None:
    unit = mention.found.get("unit") if mention.found else None
    return unit if unit in ("day", "week", "month", "quarter", "year") else None


def chart_in(reading: Reading) -> ChartKind | None:
    """The chart asked for by kind."""
    return next((_CHARTS[mention.rule] for mention in reading.mentions if mention.rule in _CHARTS), None)


def window_in(reading: Reading) -> Calculation | None:
    """A running total ('cumulative by month') or a moving average over some buckets."""
    moving = reading.with_rule("moving_average")
    if moving and moving[0].found:
        window = moving[0].found.get("n")
        return Calculation(kind="moving_average", window=window if isinstance(window, int) else None)
    cumulative = vocabulary(reading.locale).lists["cumulative"]
    times = reading.with_rule("year_to_date")
    said = any(t.word in cumulative for mention in times for t in reading.tokens[mention.start : mention.end])
    by_time = grain_in(reading) is not None or reading.has("trend")
    return Calculation(kind="running_total") if by_time and (said or reading.has("running_total")) else None


def rank_within(reading: Reading, rank: Rank | None, dimensions: tuple[DimensionName, ...]) -> Calculation | None:
    """'The top 3 merchants of each region', 'the best 2 channels each month': so many places in every one.

    None where nothing says 'each', and where both a member and a bucket could be meant.
    """
    grain = grain_in(reading)
    if rank is None or rank.limit is None or len(dimensions) + (grain is not None) != len(("ranked", "each")):
        return None
    each = vocabulary(reading.locale).lists["each"]
    for mark in reading.with_rule("by", "by_unit"):
        if not {token.word for token in reading.tokens[mark.start : mark.end]} & each:
            continue
        if mark.rule == "by_unit":
            return Calculation(kind="rank", window=rank.limit) if dimensions else None
        later = reading.after(mark)
        over = {t.name for t in later.of_kind("dimension")} & set(dimensions) if later is not None else set()
        if len(over) == 1:
            return Calculation(kind="rank", over=DimensionName(over.pop()), window=rank.limit)
    return None


def rank_in(reading: Reading) -> Rank | None:
    """How the answer is ranked, from the strongest word for it."""
    ranking = _ranking(reading)
    if ranking is None:
        single = _limit(reading, None)
        return None if single is None else Rank(direction="top", limit=single)
    limit = None if ranking.rule in _SORTS else _limit(reading, ranking)
    several = limit is None and ranking.rule not in _SORTS
    return Rank(direction=_DIRECTIONS[ranking.rule], metric=_ranked_by(reading, ranking), limit=limit, several=several)


def _ranking(reading: Reading) -> Mention | None:
    found = [mention for mention in reading.mentions if mention.rule in _DIRECTIONS]
    found += [best for mention in reading.with_rule("asked_unit") for best in _inside(reading, mention)]
    sorts = [mention for mention in found if mention.rule in _SORTS]
    if sorts and all(mention.rule in (*_SORTS, "top", "bottom") for mention in found):
        found = sorts
    return min(found, key=lambda mention: list(_DIRECTIONS).index(mention.rule), default=None)


def _inside(reading: Reading, mention: Mention) -> list[Mention]:
    """The ranking word inside 'the best month'."""
    words = vocabulary(reading.locale)
    inside = reading.tokens[mention.start : mention.end]
    hits = [hit for hit in words.patterns.find_all(inside, slot_readers(words)) if hit.name in _DIRECTIONS]
    return [Mention(kind="operator", start=mention.start, end=mention.end, found=hit) for hit in hits]


def _ranked_by(reading: Reading, ranking: Mention) -> MetricName | None:
    later = reading.after(ranking)
    ordered = [reading.after(mention) for mention in reading.with_rule("by", "order_by")]
    for mention in (later, *ordered):
        if mention is not None and is_metric(mention):
            return MetricName(mention.of_kind("metric")[0].name)
    return None


def _limit(reading: Reading, ranking: Mention | None) -> int | None:
    """The number named; 1 where a single one is asked for ('which channel', 'the day with')."""
    for mention in reading.with_rule("top_n", "bottom_n", "which_n", "asked_unit"):
        number = mention.found.get("n") if mention.found else None
        if isinstance(number, int):
            return number
    if ranking is None:
        return None
    counted = [m for m in reading.mentions if is_dimension(m) or is_member(m) or m is ranking]
    numbers = [number for m in counted if (number := number_before(reading, m)) is not None]
    return numbers[0] if numbers else _single(reading, ranking)


def _single(reading: Reading, ranking: Mention) -> int | None:
    for mention in reading.with_rule("asked_unit"):
        word = reading.tokens[mention.end - 1].word
        return None if _unit_token(reading, mention) or word in _plural_units(reading) else 1
    if reading.has("when") or _ranked_unit(reading):
        return 1
    asked = [m for m in reading.mentions if is_dimension(m) and _is_single(reading, m, ranking)]
    return 1 if asked else None


def _unit_token(reading: Reading, mention: Mention) -> bool:
    return any(t.word in _plural_units(reading) for t in reading.tokens[mention.start : mention.end])


def _plural_units(reading: Reading) -> frozenset[str]:
    return vocabulary(reading.locale).lists["plural_units"]


def _is_single(reading: Reading, mention: Mention, ranking: Mention) -> bool:
    """'which channel had the lowest', 'the channel with the lowest', but not 'which channels'."""
    lists = vocabulary(reading.locale).lists
    if reading.tokens[mention.end - 1].word in lists["who"] | lists["place"]:
        return True
    before = reading.tokens[mention.start - 1].word if mention.start else ""
    between = {token.word for token in reading.tokens[mention.end : ranking.start]}
    if reading.locale == "ru" and before in lists["which_one"]:
        return True
    asked = before in lists["which_one"] or bool(between & lists["with"])
    return asked and before not in lists["which_many"] and not is_plural(reading, mention)


def is_plural(reading: Reading, mention: Mention) -> bool:
    """Whether the noun ends as plurals do. The noun comes last in English and first in Spanish and Russian."""
    word = reading.tokens[mention.end - 1 if reading.locale == "en" else mention.start].word
    return word.endswith(_PLURAL_ENDINGS[reading.locale])
