"""How an Adaptive Card asks for the view of one person, which decides nothing."""

from typing import Final

from microsoft_teams.cards import core

from agent.values.turn import CardAction
from cards.actions import MalformedAction, decode_action, encode_action
from cards.limits import TEAMS

REFRESH: Final = "refresh"


def refresh_of(shown: CardAction | None, viewers: tuple[str, ...]) -> core.RefreshDefinition | None:
    """Asks for the view of each of `viewers`; None where there is nobody, or more than Teams asks for.

    What it carries is no button's action: read as one it is refused.
    """
    if shown is None or not viewers or len(viewers) > TEAMS.viewers:
        return None
    action = core.ExecuteAction(verb=REFRESH, associated_inputs="none", data={REFRESH: encode_action(shown)})
    return core.RefreshDefinition(action=action, user_ids=list(viewers))


def refreshed_action(data: object) -> CardAction:
    """What the card shows that asks to be refreshed. Raises `MalformedAction` for anything that is none."""
    if not isinstance(data, dict) or not isinstance(data.get(REFRESH), str):
        raise MalformedAction
    return decode_action(data[REFRESH])
