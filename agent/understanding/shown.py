"""Questions that the rows on screen answer: which of them is the largest, their total, how two of them differ."""

from agent.understanding.mentions import Reading, opens_as_addition
from agent.understanding.parts import Direction, Parts
from agent.understanding.stems import stem
from agent.understanding.tokens import tokenize
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import QuerySpec, Shown
from semantic_catalog.model import Domain, MetricName, TimeGrain

_OPENING = 5
_BUDGET = ("over_budget", "under_budget")
_CHANGING = ("add", "remove", "exclude", "only", "change_to", "limit_word", "filter_word", "order_by")


def asked_of_shown(reading: Reading, parts: Parts, last: QuerySpec, domain: Domain) -> Shown | None:
    """What the message asks of the rows of `last`; None where it needs other rows or changes the question."""
    if reading.has("summary"):
        return Shown(kind="summary")
    if reading.has("count_of_rows"):
        return Shown(kind="count")
    if reading.has("first_two"):
        return Shown(kind="difference")
    if reading.has(*_CHANGING) or not _is_about(parts, reading, last):
        return None
    found = _difference(reading, parts, last) or _condition(reading, parts, last, domain)
    return found or _of_all(reading, parts, last, domain)


def _is_about(parts: Parts, reading: Reading, last: QuerySpec) -> bool:
    """Whether everything named is in the rows: their metrics, their split, members of it."""
    named = set(parts.metrics)
    metrics = named & set(last.metrics) or not named or reading.has(*_BUDGET, "any_of")
    members = all(item.dimension in last.dimensions and item.include for item in parts.filters)
    wider = parts.wants_previous or parts.wants_year or parts.wants_week or parts.comparison or parts.share
    return bool(metrics) and members and _is_split(parts, last) and not wider and _is_settled(parts, last)


def _is_settled(parts: Parts, last: QuerySpec) -> bool:
    """'The worst' may be said of several metrics; of rows on screen it is said of theirs."""
    by_worth = parts.rank is not None and parts.rank.direction in ("best", "worst")
    return parts.metric_choice is None or by_worth or bool({*parts.metric_choice.names} & {*last.metrics})


def _is_split(parts: Parts, last: QuerySpec) -> bool:
    return {*parts.dimensions, *_grain(parts.grain)} <= {*last.dimensions, *_grain(last.grain)}


def _grain(grain: TimeGrain | None) -> tuple[str, ...]:
    return (grain,) if grain else ()


def _difference(reading: Reading, parts: Parts, last: QuerySpec) -> Shown | None:
    """'How much more in July than in August?', 'how much higher is Visa than Amex?'"""
    if not reading.has("how_much_more"):
        return None
    two = tuple(item for item in parts.filters if len(item.values) == 2)
    if len(two) == 1 and len(parts.filters) == 1 and parts.period is None:
        return Shown(kind="difference", filters=two)
    if parts.period and last.grain and not last.dimensions and not parts.filters and _within(parts, last):
        return Shown(kind="difference", period=parts.period)
    return None


def _within(parts: Parts, last: QuerySpec) -> bool:
    inner, outer = parts.period, last.period
    if inner is None or outer is None or inner.start is None:
        return False
    return (outer.start is None or outer.start <= inner.start) and inner.end <= outer.end


def _condition(reading: Reading, parts: Parts, last: QuerySpec, domain: Domain) -> Shown | None:
    """'Was any month under budget?', 'did we beat the budget?', 'is any channel below 80 %?'"""
    where_over = reading.has(*_BUDGET) and _asks_which(reading)
    if not (reading.has("any_of") or where_over) or parts.period or parts.rank:
        return None
    planned = any(domain.metric(name).view == "variance" for name in last.metrics)
    about_plan = reading.has(*_BUDGET) or any(domain.metric(name).view for name in parts.metrics)
    if planned and about_plan:
        return Shown(kind="plan", filters=parts.filters)
    if parts.having and all(
        item.metric in last.metrics and item.of == "value" and item.against == "amount" for item in parts.having
    ):
        return Shown(kind="condition", having=parts.having, filters=parts.filters)
    return None


def _of_all(reading: Reading, parts: Parts, last: QuerySpec, domain: Domain) -> Shown | None:
    moved = parts.moved is not None and last.comparison is not None and not last.having
    if parts.period or (parts.having and not reading.has(*_BUDGET) and not moved):
        return None
    if reading.has("total_of") and not (parts.dimensions or parts.grain or parts.rank):
        return Shown(kind="total", filters=parts.filters)
    return _extreme(reading, parts, last, domain)


def _extreme(reading: Reading, parts: Parts, last: QuerySpec, domain: Domain) -> Shown | None:
    """'Which month was the worst?': one of the rows, by a metric of theirs; of a ranking cut short only its own end."""
    rank = parts.rank
    if rank is None or rank.limit not in (None, 1) or not (_asks_which(reading) or _also_asks(reading, parts)):
        return None
    asked_for = parts.dimensions or parts.grain or _names_split(reading, parts, last, domain) or _only_ranks(parts)
    if not asked_for or (not last.dimensions and not last.grain):
        return None
    metric = _metric(reading, parts, rank.metric, last, domain)
    if metric is None or (parts.moved and last.comparison is None):
        return None
    if parts.moved:
        whole = last.limit is None and not last.having
        rose = parts.moved == "rise"
        return (
            Shown(kind="extreme", metric=metric, of="change", descending=rose, filters=parts.filters) if whole else None
        )
    descending = _is_descending(rank.direction, domain.metric(metric).direction == "down")
    own_end = bool(last.order) and last.order[0].by == metric and last.order[0].descending == descending
    if last.limit is not None and not own_end:
        return None
    return Shown(kind="extreme", metric=metric, descending=descending, filters=parts.filters)


def _metric(
    reading: Reading, parts: Parts, ranked: MetricName | None, last: QuerySpec, domain: Domain
) -> MetricName | None:
    """What is compared: the metric named, the variance where the plan is spoken of, else the leading one."""
    if reading.has(*_BUDGET):
        return next((name for name in last.metrics if domain.metric(name).view == "variance"), None)
    shown = [name for name in (ranked, *parts.metrics) if name in last.metrics]
    return next(iter(shown), None) if parts.metrics or ranked else last.metrics[0]


def _is_descending(direction: Direction, less_is_better: bool) -> bool:
    if direction in ("best", "worst"):
        return less_is_better == (direction == "worst")
    return direction in ("high", "top")


def _asks_which(reading: Reading) -> bool:
    lists = vocabulary(reading.locale).lists
    asking = lists["which_one"] | lists["who"] | lists["which_many"] | lists["place"]
    opens = bool(reading.tokens) and reading.tokens[0].word in lists["what"]
    return opens or any(token.word in asking for token in reading.tokens[:_OPENING])


def _also_asks(reading: Reading, parts: Parts) -> bool:
    """'And the smallest?', after a question about the rows."""
    return opens_as_addition(reading) and _only_ranks(parts) and not parts.metrics


def _only_ranks(parts: Parts) -> bool:
    """Whether nothing is said but 'the most', 'the worst' or their like."""
    said = parts.metrics or parts.dimensions or parts.grain or parts.filters or parts.unused or parts.blocking
    worth = parts.rank is not None and parts.rank.direction in ("high", "low", "best", "worst")
    return worth and not said and parts.chart is None


def _names_split(reading: Reading, parts: Parts, last: QuerySpec, domain: Domain) -> bool:
    """'Which code': a word of the only split's name; 'which one': nothing else is named at all."""
    if len(last.dimensions) != 1:
        return False
    names = domain.dimension(last.dimensions[0]).names
    called = (names.in_locale(reading.locale), *names.synonyms.get(reading.locale, ()))
    own = {stem(token.word, reading.locale) for text in called for token in tokenize(text)}
    left = [stem(token.word, reading.locale) for words in parts.unused for token in tokenize(words)]
    return all(word in own for word in left)
