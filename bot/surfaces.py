"""The product behind dialogs, tabs and prompts: what a channel shows besides messages."""

from dataclasses import dataclass

from agent.policy.resolve import resolve
from agent.values.identity import ExternalUser, Principal
from agent.values.outcome import Suggestion
from agent.values.turn import CardAction
from bot.chat_commands.words import read_command
from bot.dialogs import Dialogs
from bot.home import HomeReader
from bot.memberships import GroupedPolicy
from cards.build.home import home_card
from cards.build.notices import notice_card, unknown_person_notice
from cards.elements import Card
from cards.forms import Form
from semantic_catalog.model import Domain, Locale

MOST_PROMPTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductSurfaces:
    """Asked by channels within their time limit. Raises `StoreUnavailable`."""

    dialogs: Dialogs
    reader: HomeReader
    policy: GroupedPolicy
    memory_days: int

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """What the button asks before it sends; None for a button that sends at once."""
        return await self.dialogs.form(action, locale)

    async def prompts(self, user: ExternalUser, locale: Locale) -> tuple[Suggestion, ...]:
        """Questions from the catalog that this person may ask: signed ones first, at most one a domain in turn."""
        person = await self._person(user)
        if person is None:
            return ()
        language = person.locale or locale
        offered = self.reader.offered(person, language)
        domains = {domain.name: domain for domain in self.reader.deps.catalog_now().domains}
        asked = [
            (*known.signed_questions, *_examples(domains[known.domain], language))
            for known in offered
            if not known.is_paused
        ]
        return tuple(Suggestion(label=question, question=question) for question in _in_turn(asked)[:MOST_PROMPTS])

    async def home(self, user: ExternalUser, locale: Locale) -> tuple[Card, ...]:
        """The person's own page; somebody the policy does not know reads what to do."""
        person = await self._person(user)
        if person is None:
            return (notice_card(locale, unknown_person_notice(locale, user.user_id)),)
        language = person.locale or locale
        return (home_card(await self.reader.home(person, language), language, self.memory_days),)

    def is_command(self, text: str) -> bool:
        """Whether the words tell the product to do something and are no question."""
        return read_command(text) is not None

    async def _person(self, user: ExternalUser) -> Principal | None:
        await self.policy.know(user)
        return resolve(self.policy.current(), user)


def _examples(domain: Domain, locale: Locale) -> tuple[str, ...]:
    return tuple(example.question for example in domain.examples if example.locale == locale)


def _in_turn(lists: list[tuple[str, ...]]) -> list[str]:
    """The first of each, then the second of each, without repetitions."""
    longest = max((len(questions) for questions in lists), default=0)
    mixed = (questions[n] for n in range(longest) for questions in lists if n < len(questions))
    return list(dict.fromkeys(mixed))
