"""Metrics, dimensions and members of a message, each with the part it plays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.sql.compile.sources import can_answer
from agent.understanding.lexicon import Lexicon, Term
from agent.understanding.mentions import Mention, Reading
from agent.understanding.parts import Choice, MemberChoice
from agent.understanding.vocabulary import vocabulary
from agent.values.spec import MemberFilter
from semantic_catalog.model import DimensionName, Domain, MetricName

THRESHOLDS = ("more_than", "at_least", "less_than", "at_most")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsRead:
    """The metrics named, in order, or the choice that an ambiguous word leaves."""

    names: tuple[MetricName, ...] = ()
    choice: Choice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionsRead:
    """What the answer is split by, what is counted, and the choice that an ambiguous word leaves."""

    names: tuple[DimensionName, ...] = ()
    counted: DimensionName | None = None
    choice: Choice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersRead:
    """Members to keep and to leave out; `split` are dimensions with several members set side by side."""

    filters: tuple[MemberFilter, ...] = ()
    split: tuple[DimensionName, ...] = ()
    choice: MemberChoice | None = None


def is_metric(mention: Mention) -> bool:
    """Whether the mention names a metric."""
    return bool(mention.of_kind("metric"))


def is_dimension(mention: Mention) -> bool:
    """Whether the mention names a dimension and no metric."""
    return bool(mention.of_kind("dimension")) and not is_metric(mention)


def is_member(mention: Mention) -> bool:
    """Whether the mention names a member and nothing else."""
    return bool(mention.of_kind("member")) and not mention.of_kind("metric") and not mention.of_kind("dimension")


def sharpened(reading: Reading, lexicon: Lexicon, domain: Domain) -> Reading:
    """The reading with names that only make sense together put together, and numbers that name nothing let go.

    'declined Amex transactions' holds the metric 'declined transactions'; `51` is a response code only next to one.
    """
    mentions = tuple(m for m in reading.mentions if not _is_bare_number(reading, m))
    return _combined(replace(reading, mentions=_without_units(reading, mentions, domain)), lexicon)


def _is_bare_number(reading: Reading, mention: Mention) -> bool:
    token = reading.tokens[mention.start]
    if mention.kind != "name" or mention.end - mention.start > 1 or token.number is None:
        return False
    neighbour = reading.before(mention)
    own = {term.name for term in mention.terms}
    return neighbour is None or own.isdisjoint(term.name for term in neighbour.terms)


def _without_units(reading: Reading, mentions: tuple[Mention, ...], domain: Domain) -> tuple[Mention, ...]:
    """'more than 500 soles': the currency is the unit of the amount there, and no filter."""
    units = {metric.unit for metric in domain.metrics if metric.unit}

    def is_unit(mention: Mention) -> bool:
        earlier = reading.before(mention)
        after_amount = earlier is not None and earlier.rule in THRESHOLDS and earlier.end == mention.start
        return after_amount and any(term.value in units for term in mention.terms)

    return tuple(replace(m, kind="unit", terms=()) if is_unit(m) else m for m in mentions)


def _combined(reading: Reading, lexicon: Lexicon) -> Reading:
    for member in (m for m in reading.mentions if is_member(m)):
        for other in (m for m in reading.mentions if is_metric(m) or m.kind == "vague"):
            words = reading.tokens[member.start : member.end] + reading.tokens[other.start : other.end]
            terms = tuple(t for t in lexicon.terms_of(words, reading.locale) if t.kind == "metric")
            if terms and not _is_left_out(reading, member):
                kept = tuple(_renamed(m, other, terms) for m in reading.mentions if m is not member)
                absorbed = replace(member, kind="unit", terms=())
                return replace(reading, mentions=tuple(sorted((*kept, absorbed), key=lambda m: m.start)))
    return reading


def _renamed(mention: Mention, target: Mention, terms: tuple[Term, ...]) -> Mention:
    return replace(mention, kind="name", terms=terms) if mention is target else mention


def metrics_in(reading: Reading, lexicon: Lexicon, domain: Domain) -> MetricsRead:
    """The metrics named; inside a dimension's name when nowhere else ('reasons of chargeback'); else the vague word."""
    named = [m for m in reading.mentions if is_metric(m) and not _is_part_of_ratio(reading, m, domain)]
    if named:
        return _settled(reading, named)
    nested = tuple(dict.fromkeys(_nested(reading, lexicon)))
    if nested:
        return MetricsRead(names=nested)
    vague = _vague(reading, lexicon)
    return MetricsRead(choice=_choice(reading, vague[0], "vague") if vague else None)


def _vague(reading: Reading, lexicon: Lexicon) -> list[Mention]:
    """Words that name several metrics on purpose; of words that also rank ('best'), those come last."""
    ranking = [
        replace(m, terms=lexicon.terms_of(reading.tokens[m.start : m.end], reading.locale))
        for m in reading.with_rule("best", "worst", "high", "low", "top", "share")
    ]
    return [m for m in (*reading.mentions, *ranking) if m.of_kind("vague")]


def _settled(reading: Reading, named: Sequence[Mention]) -> MetricsRead:
    sure = [m.of_kind("metric")[0].name for m in named if len(m.of_kind("metric")) == 1]
    open_ones = [m for m in named if len(m.of_kind("metric")) > 1]
    choice = _choice(reading, open_ones[0], "metric") if open_ones else None
    return MetricsRead(names=tuple(MetricName(name) for name in dict.fromkeys(sure)), choice=choice)


def _choice(reading: Reading, mention: Mention, kind: str) -> Choice:
    names = tuple(dict.fromkeys(term.name for term in mention.of_kind(kind)))
    return Choice(words=reading.text_of(mention.start, mention.end), names=names)


def _is_part_of_ratio(reading: Reading, mention: Mention, domain: Domain) -> bool:
    """'share of declined' + 'transactions': the second only completes the first."""
    ratio = next((m for m in reading.mentions if m.end == mention.start and is_metric(m)), None)
    if ratio is None or reading.tokens[mention.start].gap:
        return False
    metric = domain.metric(MetricName(ratio.of_kind("metric")[0].name))
    return mention.of_kind("metric")[0].name in (metric.numerator, metric.denominator)


def _nested(reading: Reading, lexicon: Lexicon) -> Iterator[MetricName]:
    for mention in (m for m in reading.mentions if is_dimension(m) and m.end - m.start > 1):
        for found in lexicon.find(reading.tokens[mention.start : mention.end], reading.locale):
            metrics = [term for term in found.terms if term.kind == "metric"]
            if len(metrics) == 1:
                yield MetricName(metrics[0].name)


def dimensions_in(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> DimensionsRead:
    """What the answer is split by. A dimension beside its own member is only its noun, and no split."""
    counted: DimensionName | None = None
    split: list[DimensionName] = []
    choice: Choice | None = None
    for mention in (m for m in reading.mentions if is_dimension(m)):
        if _is_noun_only(reading, mention):
            continue
        fitting = _fitting(mention, metrics, domain)
        if len(fitting) != 1:
            choice = _choice(reading, mention, "dimension")
        elif _is_counted(reading, mention):
            counted = fitting[0]
        else:
            split.append(fitting[0])
    return DimensionsRead(names=tuple(dict.fromkeys(split)), counted=counted, choice=choice)


def _fitting(mention: Mention, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[DimensionName, ...]:
    names = tuple(dict.fromkeys(DimensionName(term.name) for term in mention.of_kind("dimension")))
    if len(names) == 1 or not metrics:
        return names
    return tuple(name for name in names if can_answer(metrics, (name,), None, domain))


def _is_counted(reading: Reading, mention: Mention) -> bool:
    earlier = reading.before(mention)
    return earlier is not None and earlier.rule == "how_many"


def _is_noun_only(reading: Reading, mention: Mention) -> bool:
    earlier, later = reading.before(mention), reading.after(mention)
    if any(each is not None and each.rule == "filter_word" for each in (earlier, later)):
        return True
    if earlier is not None and earlier.rule == "by":
        return False
    own = {term.name for term in mention.of_kind("dimension")}
    touching = [m for m in (earlier, later) if m is not None and is_member(m) and _touches(m, mention)]
    return any(own & {term.name for term in m.terms} for m in touching)


def _touches(first: Mention, second: Mention) -> bool:
    return first.end == second.start or second.end == first.start


def things_of_kind(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> DimensionName | None:
    """'the 5 restaurants with the worst …': a member that is asked about in the plural stands for what it describes.

    That is the dimension with the most members on a source that keeps the member's dimension outside its grain.
    """
    for mention in (m for m in reading.mentions if is_member(m) and _is_asked_about(reading, m)):
        described = _described(DimensionName(mention.terms[0].name), domain)
        if described and can_answer(metrics, (described,), None, domain):
            return described
    return None


def _is_asked_about(reading: Reading, mention: Mention) -> bool:
    earlier = reading.before(mention)
    word = reading.tokens[mention.start - 1].word if mention.start else ""
    lists = vocabulary(reading.locale).lists
    ranked = earlier is not None and earlier.rule in _ASKING and earlier.end == mention.start
    return ranked or number_before(reading, mention) is not None or word in lists["which_one"] | lists["which_many"]


def _described(kind: DimensionName, domain: Domain) -> DimensionName | None:
    holding = [e for e in domain.entities if (home := e.dimension(kind)) and home.column not in e.grain]
    names = {each.dimension for entity in holding for each in entity.dimensions if each.column not in entity.grain}
    finest = max((domain.dimension(name) for name in names), key=lambda d: d.cardinality, default=None)
    return finest.name if finest and finest.cardinality > domain.dimension(kind).cardinality else None


_ASKING = ("top_n", "bottom_n", "top", "which_n", "how_many", "best", "worst", "low", "high")


def members_in(reading: Reading, metrics: tuple[MetricName, ...], domain: Domain) -> MembersRead:
    """The filters. Several members set side by side ('Visa vs Amex', 'e-commerce and POS') also split the answer."""
    kept: dict[DimensionName, list[str]] = {}
    left_out: dict[DimensionName, list[str]] = {}
    choice: MemberChoice | None = None
    for mention in (m for m in reading.mentions if is_member(m)):
        terms = _fitting_members(mention, metrics, domain)
        if len(terms) > 1:
            members = tuple((DimensionName(term.name), term.value) for term in terms)
            choice = MemberChoice(words=reading.text_of(mention.start, mention.end), members=members)
            continue
        target = left_out if _is_left_out(reading, mention) else kept
        target.setdefault(DimensionName(terms[0].name), []).append(terms[0].value)
    filters = (*_filters(kept, include=True), *_filters(left_out, include=False))
    split = tuple(f.dimension for f in filters if f.include and len(f.values) > 1)
    return MembersRead(filters=filters, split=split, choice=choice)


def _filters(members: dict[DimensionName, list[str]], *, include: bool) -> tuple[MemberFilter, ...]:
    return tuple(
        MemberFilter(dimension=name, values=tuple(dict.fromkeys(values)), include=include)
        for name, values in members.items()
    )


def _fitting_members(mention: Mention, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[Term, ...]:
    terms = mention.of_kind("member")
    if len({term.name for term in terms}) == 1 or not metrics:
        return terms
    fitting = tuple(t for t in terms if can_answer(metrics, (DimensionName(t.name),), None, domain))
    return fitting or terms


def _is_left_out(reading: Reading, mention: Mention) -> bool:
    """Whether 'without' stands before the member, or before a list of members that it belongs to."""
    earlier = reading.before(mention)
    while earlier is not None and not earlier.found and _is_listed(reading, earlier, mention):
        mention, earlier = earlier, reading.before(earlier)
    return earlier is not None and earlier.rule in ("exclude", "remove")


def _is_listed(reading: Reading, first: Mention, second: Mention) -> bool:
    """Whether nothing but 'and' or a comma stands between the two."""
    conjunctions = vocabulary(reading.locale).lists["conjunctions"]
    return all(token.word in conjunctions for token in reading.tokens[first.end : second.start])


def number_before(reading: Reading, mention: Mention) -> int | None:
    """A small whole number right before the mention: 'los 5 restaurantes'."""
    if mention.start == 0 or any(m.end == mention.start for m in reading.mentions):
        return None
    token = reading.tokens[mention.start - 1]
    number = token.number if token.number is not None else vocabulary(reading.locale).numbers.get(token.word)
    return int(number) if number is not None and number == int(number) and 1 < number < 1_000 else None
