"""Names that only make sense together put together, and numbers that name nothing let go."""

from dataclasses import replace

from agent.understanding.coordination import coordinated
from agent.understanding.lexicon import Lexicon, Term
from agent.understanding.mentions import Mention, Reading
from agent.understanding.names import THRESHOLDS, is_left_out, is_member, is_metric
from agent.understanding.qualified import qualified, without_stray_place
from agent.understanding.vocabulary import vocabulary
from semantic_catalog.model import Domain

ABSORBED = "absorbed"


def sharpened(reading: Reading, lexicon: Lexicon, domain: Domain) -> Reading:
    """The reading with names that only make sense together put together, and numbers that name nothing let go.

    'declined Amex transactions' holds the metric 'declined transactions'; `51` is a response code only next to one.
    """
    mentions = tuple(m for m in reading.mentions if not _is_bare_number(reading, m))
    kept = replace(reading, mentions=_without_units(reading, mentions, domain))
    placed = without_stray_place(_less_members(kept), domain)
    return qualified(coordinated(_combined(placed, lexicon), lexicon), lexicon)


def _less_members(reading: Reading) -> Reading:
    """'julio menos Lima': a minus before a member leaves it out and ranks nothing."""
    minus = vocabulary(reading.locale).lists["minus"]

    def leaves_out(mark: Mention) -> bool:
        later = reading.after(mark)
        said = mark.rule == "low" and reading.text_of(mark.start, mark.end).casefold() in minus
        return said and later is not None and later.start == mark.end and is_member(later)

    mentions = (
        replace(m, found=replace(m.found, name="exclude")) if m.found and leaves_out(m) else m for m in reading.mentions
    )
    return replace(reading, mentions=tuple(mentions))


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
            if terms and not is_left_out(reading, member):
                kept = tuple(_renamed(m, other, terms) for m in reading.mentions if m is not member)
                absorbed = replace(member, kind=ABSORBED, terms=())
                return replace(reading, mentions=tuple(sorted((*kept, absorbed), key=lambda m: m.start)))
    return reading


def _renamed(mention: Mention, target: Mention, terms: tuple[Term, ...]) -> Mention:
    return replace(mention, kind="name", terms=terms) if mention is target else mention
