"""A message once: noted before it is posted, found again where a crash came between its post and its id."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agent.values.identity import RunId
from agent.values.turn import CardRef, Place
from agent.wording.texts import say
from bot.ports import CardStore, Channel, Posted, PostFinder, Slot
from cards.build.phrases import small
from cards.elements import Attachment, Card
from cards.errors import DeliveryBusy, DeliveryRefused

Known = Mapping[Slot, Posted | None]
"""What `CardStore.claim` told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Under what a message is remembered."""

    run: RunId
    slot: str


async def post_once(
    cards: CardStore,
    channel: Channel,
    place: Place,
    run: RunId,
    slot: str,
    card: Card,
    key: str = "",
    known: Known | None = None,
) -> CardRef:
    """Post the card under the slot; what was posted there before a crash is found and redrawn instead.

    `known` is what was known of the slot when it was claimed; without it the post is noted now. Where a channel cannot
    look, the card is posted all the same, and says that it may stand there twice: an answer seen twice does less harm
    than one that is lost. The message's id is kept before anything else happens.
    Raises `DeliveryUnavailable`, `DeliveryRefused`.
    """
    key = key or key_of(run, slot)
    before = await cards.note(run, slot) if known is None else (run, slot) in known
    found = await channel.find(place, key) if before and isinstance(channel, PostFinder) else None
    if found is not None:
        await cards.put(run, slot, found, place)
        await channel.update(place, found, card)
        return found
    if before and not isinstance(channel, PostFinder):
        card = with_doubt(card)
    try:
        ref = await channel.post(place, card, key)
    except (DeliveryBusy, DeliveryRefused):
        if not before:
            await cards.withdraw(run, slot)
        raise
    await cards.put(run, slot, ref, place)
    return ref


async def found_again(cards: CardStore, channel: Channel, place: Place, run: RunId, slot: str) -> CardRef | None:
    """The message of a post under the slot that was cut short, if it stands in the thread."""
    if not isinstance(channel, PostFinder):
        return None
    found = await channel.find(place, key_of(run, slot))
    if found is not None:
        await cards.put(run, slot, found, place)
    return found


async def attach_once(
    cards: CardStore, channel: Channel, place: Place, run: RunId, attachment: Attachment, known: Known | None = None
) -> None:
    """Deliver a file of the run unless it was. Where a channel cannot look, a crash may make it two.

    `known` is what was known of its slot when it was claimed; without it that is done now.
    Raises `DeliveryUnavailable`, `DeliveryRefused`.
    """
    own = slot_of_file(run, attachment)
    known = await cards.claim((own,)) if known is None else known
    if known.get(own):
        return
    found = (
        await channel.find_file(place, run, attachment) if own in known and isinstance(channel, PostFinder) else None
    )
    await cards.put(*own, found or await channel.attach(place, run, attachment), place)


def slot_of_file(run: RunId, attachment: Attachment) -> Slot:
    """Under what a file of the run is remembered."""
    return run, f"file:{attachment.key}"


def with_doubt(card: Card) -> Card:
    """The card, first saying that it may stand there twice."""
    return replace(card, elements=(small(say(card.locale, "dialog.maybe_twice")), *card.elements))


def with_progress_left(card: Card) -> Card:
    """The card, first saying that a message may stand above it that still tells of work."""
    return replace(card, elements=(small(say(card.locale, "dialog.progress_left")), *card.elements))


def key_of(run: RunId, slot: str) -> str:
    """What a message is posted under: the platform keeps it with the message where it can."""
    return f"{run}:{slot}"
