"""The dimensions of a message: what the answer is split by, and what is counted."""

from dataclasses import dataclass

from agent.sql.compile.sources import can_answer
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import THRESHOLDS, choice_of, is_dimension, is_member, number_before
from agent.understanding.parts import Choice
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import DimensionName, Domain, MetricName

_TELLING = ("bottom", "which_n", "rise", "fall", "growth", "over_budget", "under_budget", "only", "share", "compare")
_ASKING = ("top_n", "bottom_n", "top", "which_n", "how_many", "best", "worst", "low", "high")


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionsRead:
    """What the answer is split by, what is counted, and the choice that an ambiguous word leaves.

    `absent` are dimensions that rows shall have no member of ('without a cost centre').
    """

    names: tuple[DimensionName, ...] = ()
    counted: DimensionName | None = None
    choice: Choice | None = None
    absent: tuple[DimensionName, ...] = ()


def dimensions_in(
    reading: Reading, metrics: tuple[MetricName, ...], domain: Domain, *, named: bool = True
) -> DimensionsRead:
    """What the answer is split by. A dimension beside its own member is only its noun, and no split.

    `named` says whether the metrics are the message's own and not those of an earlier answer.
    """
    counted: DimensionName | None = None
    split: list[DimensionName] = []
    absent: list[DimensionName] = []
    choice: Choice | None = None
    for mention in (m for m in reading.mentions if is_dimension(m)):
        if _is_noun_only(reading, mention, domain):
            continue
        fitting = _fitting(mention, metrics, domain)
        if len(fitting) != 1:
            choice = choice_of(reading, mention, "dimension")
        elif _is_counted(reading, mention):
            counted = fitting[0]
        elif named and _is_lacked(reading, mention):
            absent.append(fitting[0])
        else:
            split.append(fitting[0])
    names = tuple(dict.fromkeys(split))
    return DimensionsRead(names=names, counted=counted, choice=choice, absent=tuple(dict.fromkeys(absent)))


def _is_lacked(reading: Reading, mention: Mention) -> bool:
    """'without a cost centre': said of rows; beside no metric it is said of the split of an earlier answer."""
    earlier = reading.before(mention)
    lacking = vocabulary(reading.locale).lists["lacking"]
    return earlier is not None and any(t.word in lacking for t in reading.tokens[earlier.start : earlier.end])


def _fitting(mention: Mention, metrics: tuple[MetricName, ...], domain: Domain) -> tuple[DimensionName, ...]:
    names = tuple(dict.fromkeys(DimensionName(term.name) for term in mention.of_kind("dimension")))
    if len(names) == 1 or not metrics:
        return names
    return tuple(name for name in names if can_answer(metrics, (name,), None, domain))


def _is_counted(reading: Reading, mention: Mention) -> bool:
    earlier = reading.before(mention)
    return earlier is not None and earlier.rule == "how_many"


def _is_noun_only(reading: Reading, mention: Mention, domain: Domain) -> bool:
    earlier, later = reading.before(mention), reading.after(mention)
    if any(each is not None and each.rule == "filter_word" for each in (earlier, later)):
        return True
    if earlier is not None and earlier.rule == "by":
        return False
    if _is_listed(mention, domain) and _is_described(reading, mention, (earlier, later)):
        return True
    own = {term.name for term in mention.of_kind("dimension")}
    touching = [m for m in (earlier, later) if m is not None and is_member(m) and _touches(m, mention)]
    return any(own & {term.name for term in m.terms} for m in touching)


def _is_listed(mention: Mention, domain: Domain) -> bool:
    """Whether the dimension is one of many members, which are described by those of others: merchants, accounts."""
    named = [domain.dimension(DimensionName(term.name)) for term in mention.of_kind("dimension")]
    return all(dimension.members_from == "warehouse" for dimension in named)


def _is_described(reading: Reading, mention: Mention, beside: tuple[Mention | None, Mention | None]) -> bool:
    """'the average ticket of enterprise merchants': only a noun, where nothing tells its members apart."""
    touching = any(m is not None and is_member(m) and _touches(m, mention) for m in beside)
    apart = reading.has(*_ASKING, *THRESHOLDS, *_TELLING)
    start = min([mention.start, *(m.start for m in beside if m is not None and _touches(m, mention))])
    before = {token.word for token in reading.tokens[max(0, start - 2) : start]}
    lists = vocabulary(reading.locale).lists
    return touching and not apart and bool(before & lists["prepositions"]) and not before & lists["which_one"]


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
    # 'cuánto más es Visa que Amex' compares two members and asks for none.
    asked = word in lists["which_one"] | lists["which_many"] and not reading.has("how_much_more")
    return ranked or asked or number_before(reading, mention) is not None or _is_qualified(reading, mention)


def _is_qualified(reading: Reading, mention: Mention) -> bool:
    """'restaurants with the highest …'"""
    later = reading.after(mention)
    between = {token.word for token in reading.tokens[mention.end : later.start]} if later else set()
    return later is not None and later.rule in _ASKING and bool(between & vocabulary(reading.locale).lists["with"])


def _described(kind: DimensionName, domain: Domain) -> DimensionName | None:
    holding = [e for e in domain.entities if (home := e.dimension(kind)) and home.column not in e.grain]
    names = {each.dimension for entity in holding for each in entity.dimensions if each.column not in entity.grain}
    finest = max((domain.dimension(name) for name in names), key=lambda d: d.cardinality, default=None)
    return finest.name if finest and finest.cardinality > domain.dimension(kind).cardinality else None
