"""Cards as Teams' messages: with their pictures, their forms, and the people who see them otherwise."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.messages import card_message, is_rated, rated_message
from adapters.channels.teams.pictures import data_address, fits_as_it_is, is_picture
from adapters.channels.teams.roster import Roster
from adapters.channels.teams.surfaces import Surfaces
from agent.errors import StoreUnavailable
from agent.values.identity import RunId
from agent.values.turn import CardAction
from cards.actions import encode_action
from cards.elements import Actions, Attachment, Button, Card
from cards.errors import DeliveryUnavailable
from cards.forms import Form
from cards.render.adaptive import Setting, render_adaptive

LinkFor = Callable[[RunId, str], str]
_UNFOLDING: Final = frozenset({"change", "schedule"})

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Draws cards. `picture_link` makes a signed address of a run's picture, where one can be reached from outside."""

    roster: Roster
    surfaces: Surfaces
    picture_link: LinkFor | None = None
    native_charts: bool = False

    async def new(self, address: TeamsAddress, card: Card) -> Any:
        """A message to be posted. A card that asks for an opinion gets Teams' own thumbs."""
        build = rated_message if is_rated(card) else card_message
        return build(card, await self._pictures(card), await self._setting(address, card))

    async def again(self, address: TeamsAddress, card: Card) -> Any:
        """A message in place of one that stands there."""
        return card_message(card, await self._pictures(card), await self._setting(address, card))

    async def for_one(self, card: Card) -> Mapping[str, Any]:
        """The card's JSON for the person who pressed or looked."""
        setting = Setting(forms=await self._forms(card), native_charts=self.native_charts)
        return render_adaptive(card, await self._pictures(card), setting)

    async def address_of(self, picture: Attachment) -> str:
        """Where Teams finds the picture: a signed address, else the picture itself; empty when neither can be."""
        if self.picture_link is not None and picture.run is not None and fits_as_it_is(picture.content):
            return self.picture_link(picture.run, picture.key)
        return await asyncio.to_thread(data_address, picture.content)

    async def _pictures(self, card: Card) -> Mapping[str, str]:
        return {held.key: await self.address_of(held) for held in card.attachments if is_picture(held)}

    async def _setting(self, address: TeamsAddress, card: Card) -> Setting:
        shown = _approval(card)
        return Setting(
            forms=await self._forms(card),
            viewers=await self._viewers(address) if shown else (),
            refreshing=shown,
            native_charts=self.native_charts,
        )

    async def _forms(self, card: Card) -> Mapping[str, Form]:
        """The forms of buttons that ask for more than one thing; a prompt is the card's own."""
        forms: dict[str, Form] = {}
        for button in _buttons(card):
            if button.action.verb in _UNFOLDING:
                form = await self._form(button, card)
                if form is not None:
                    forms[encode_action(button.action)] = form
        return forms

    async def _form(self, button: Button, card: Card) -> Form | None:
        try:
            return await self.surfaces.form(button.action, card.locale)
        except StoreUnavailable:
            log.warning("teams_form_left_out")
            return None

    async def _viewers(self, address: TeamsAddress) -> tuple[str, ...]:
        """Everybody of a small conversation of several people."""
        if address.scope == "dm":
            return ()
        try:
            return tuple(member.id for member in await self.roster.members(address) if member.id)
        except DeliveryUnavailable as error:
            log.info("teams_viewers_not_known", detail=error.detail)
            return ()


def _approval(card: Card) -> CardAction | None:
    """What an open proposal asks to approve."""
    if card.kind != "proposal":
        return None
    return next((button.action for button in _buttons(card) if button.action.verb == "approve"), None)


def _buttons(card: Card) -> tuple[Button, ...]:
    rows = (part.buttons for part in card.elements if isinstance(part, Actions))
    return tuple(button for row in rows for button in row)
