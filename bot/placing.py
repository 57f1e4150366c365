"""Where a card goes: into the message that stands as it already, or that tells of its work, else into a new one."""

from collections.abc import Sequence

import structlog

from agent.values.turn import CardRef, Place
from bot.ports import CardStore, Channel, PostFinder
from bot.posting import Known, Post, found_again, key_of, post_once, with_doubt, with_progress_left
from cards.build.queued import stands_elsewhere_card
from cards.elements import Card
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

log = structlog.get_logger()


async def put_once(
    cards: CardStore, channel: Channel, place: Place, posts: tuple[Post, ...], card: Card, known: Known
) -> None:
    """Redraw what stands as one of the posts, else post the first; it is the first from then on.

    `known` is what was known of all of them when the first was claimed. A first one that was cut short is looked for
    before it is put into another. Where that cannot be done, the card says that it may stand there twice.
    Raises `DeliveryUnavailable`, `DeliveryRefused`.
    """
    ref, left = await _standing(cards, channel, place, posts, known)
    if ref is None:
        await _post(cards, channel, place, posts, card, known)
        return
    if _is_cut_short(posts[0], known) and not isinstance(channel, PostFinder):
        card = with_doubt(card)
    await _redraw(cards, channel, place, posts[0], card, known, ref)
    if left is not None:
        await _point_away(channel, place, left, card.locale)


async def _standing(
    cards: CardStore, channel: Channel, place: Place, posts: tuple[Post, ...], known: Known
) -> tuple[CardRef | None, CardRef | None]:
    """The message to redraw, and one of work that is left beside it: a worker died after the card was posted, and the
    next one began to tell of its work in another message.
    """
    first, *others = posts
    beside = await _work_shown(cards, channel, place, others, known)
    if posted := known.get((first.run, first.slot)):
        return posted[0], _other_than(posted[0], beside)
    if beside is None or not _is_cut_short(first, known):
        # Where nothing stands beside it, whoever posts the first looks for it.
        return beside, None
    found = await found_again(cards, channel, place, first.run, first.slot)
    return (beside, None) if found is None else (found, _other_than(found, beside))


def _other_than(ref: CardRef, beside: CardRef | None) -> CardRef | None:
    return beside if beside != ref else None


async def _work_shown(
    cards: CardStore, channel: Channel, place: Place, posts: Sequence[Post], known: Known
) -> CardRef | None:
    for post in posts:
        if posted := known.get((post.run, post.slot)):
            return posted[0]
        if _is_cut_short(post, known) and (found := await found_again(cards, channel, place, post.run, post.slot)):
            return found
    return None


async def _post(
    cards: CardStore, channel: Channel, place: Place, posts: tuple[Post, ...], card: Card, known: Known
) -> None:
    is_left = not isinstance(channel, PostFinder) and any(_is_cut_short(post, known) for post in posts[1:])
    card = with_progress_left(card) if is_left else card
    await post_once(cards, channel, place, posts[0].run, posts[0].slot, card, known=known)


async def _redraw(
    cards: CardStore, channel: Channel, place: Place, post: Post, card: Card, known: Known, ref: CardRef
) -> None:
    run, slot = post.run, post.slot
    try:
        await channel.update(place, ref, card)
    except DeliveryRefused as error:
        # Somebody deleted the message, or it is too old to be edited: the card is posted again.
        log.info("card_not_edited", detail=error.detail)
        # Where a card of the slot was known, nothing was noted for this post yet.
        noted = None if known.get((run, slot)) else known
        await post_once(cards, channel, place, run, slot, card, f"{key_of(run, slot)}:again", noted)
    except DeliveryUnavailable:
        if (run, slot) not in known:
            # It was noted for a message of its own, and none was posted.
            await cards.withdraw(run, slot)
        raise
    else:
        await cards.put(run, slot, ref, place)


async def _point_away(channel: Channel, place: Place, left: CardRef, locale: Locale) -> None:
    try:
        await channel.update(place, left, stands_elsewhere_card(locale))
    except DeliveryRefused as error:
        log.info("card_not_edited", detail=error.detail)


def _is_cut_short(post: Post, known: Known) -> bool:
    """Whether it was noted that it would be posted, and nobody knows whether it was."""
    key = (post.run, post.slot)
    return key in known and known[key] is None
