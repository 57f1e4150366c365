"""Who reads what is posted in a conversation."""

from dataclasses import dataclass

from agent.values.identity import ExternalUser


@dataclass(frozen=True, slots=True, kw_only=True)
class Readership:
    """The people of a conversation, bots left out.

    `is_alone`: one person and the bot. `is_whole` is False where there are more people than were looked at, or where
    the platform does not say. `is_external`: guests, anonymous people or people of another organisation read along.
    """

    people: tuple[ExternalUser, ...] = ()
    is_alone: bool = False
    is_whole: bool = True
    is_external: bool = False


ALONE = Readership(is_alone=True)
UNKNOWN = Readership(is_whole=False)
