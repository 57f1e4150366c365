"""The members of a message: what is kept and what is left out."""

from dataclasses import dataclass

from agent.sql.compile.sources import can_answer
from agent.understanding.lexicon import Term
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import is_left_out, is_member
from agent.understanding.parts import MemberChoice
from agent.values.spec import MemberFilter
from semantic_catalog.model import DimensionName, Domain, MetricName


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersRead:
    """Members to keep and to leave out; `split` are dimensions with several members set side by side."""

    filters: tuple[MemberFilter, ...] = ()
    split: tuple[DimensionName, ...] = ()
    choice: MemberChoice | None = None


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
        target = left_out if is_left_out(reading, mention) else kept
        target.setdefault(DimensionName(terms[0].name), []).append(terms[0].value)
    filters = (*_filters(kept, include=True), *_filters(left_out, include=False))
    only = _only(reading)
    split = tuple(f.dimension for f in filters if f.include and len(f.values) > 1 and f.dimension not in only)
    return MembersRead(filters=filters, split=split, choice=choice)


def _only(reading: Reading) -> set[str]:
    """Dimensions of members said with 'only', which tells what is counted and not what is compared."""
    beside = (m for mark in reading.with_rule("only") for m in (reading.before(mark), reading.after(mark)))
    return {term.name for m in beside if m is not None and is_member(m) for term in m.terms}


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
