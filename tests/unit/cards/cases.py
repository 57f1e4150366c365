"""Every card in one language, by the name of its snapshot."""

from cards.build.answer import answer_card
from cards.build.clarification import clarification_card, clarified_card
from cards.build.decided import decided_card, rejected_card
from cards.build.failure import failure_card
from cards.build.no_data import no_data_card
from cards.build.notices import notice_card, stranger_notice
from cards.build.progress import progress_card
from cards.build.proposal import proposal_card
from cards.build.queued import queued_card
from cards.build.refusal import refusal_card
from cards.build.reply import reply_card
from cards.elements import Card
from tests.unit.cards import samples
from tests.unit.cards.samples import Words

DECISIONS = ("approve", "change", "reject", "cancel", "expire")
NAMES = (
    "proposal",
    *(f"decided_{kind}" for kind in DECISIONS),
    "rejected",
    "answer",
    "clarification",
    "clarified",
    "refusal",
    "no_data",
    "failure",
    "reply",
    "progress",
    "queued",
    "notice",
)
DONE_STEPS = ("understanding", "checking_sql", "waiting")
PICTURES = {"chart": "https://bot.example/files/chart.png"}


def cards(words: Words) -> dict[str, Card]:
    """One card of each kind and of each decision."""
    proposal = samples.proposal(words)
    decided = {f"decided_{kind}": decided_card(proposal, samples.decision(words, kind)) for kind in DECISIONS}
    clarification = samples.clarification(words)
    return {
        "proposal": proposal_card(proposal),
        **decided,
        "rejected": rejected_card(samples.rejected(words), "America/Lima"),
        "answer": answer_card(samples.answer(words), samples.table(words, 20), samples.attachments(words)),
        "clarification": clarification_card(clarification),
        "clarified": clarified_card(clarification, "ebitda_margin", words.approver),
        "refusal": refusal_card(samples.refusal(words)),
        "no_data": no_data_card(samples.no_data(words)),
        "failure": failure_card(samples.failure(words)),
        "reply": reply_card(samples.reply(words)),
        "progress": progress_card(
            samples.RUN, words.locale, "running", ("understanding", "checking_sql", "waiting"), 12
        ),
        "queued": queued_card(samples.RUN, words.locale, 3, "slack:Ev1"),
        "notice": notice_card(words.locale, stranger_notice(words.locale, (words.asker, words.approver))),
    }
