"""What a person may look at besides answers: what to ask, what they asked, what waits for them, what is remembered."""

from typing import Final

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.values.views import AskedBefore, Home, Known, Offered, Waiting
from agent.wording.dates import instant
from agent.wording.texts import say
from cards.actions import fits
from cards.build.phrases import bullets, paragraph, small
from cards.build.schedule import schedules_elements
from cards.elements import Actions, Button, Card, Element, Heading
from semantic_catalog.model import Locale

METRICS_SHOWN: Final = 8
SIGNED_SHOWN: Final = 5
_HELP: Final = ("ask", "new", "stop", "history", "memory", "remember", "waiting", "schedules", "home", "forget_me")


def home_card(home: Home, locale: Locale, memory_days: int) -> Card:
    """Everything of one person: what they can ask, what waits for them, what they asked, what is remembered of them."""
    elements = (
        *offered_elements(home.offered, locale),
        *waiting_elements(home.waiting, home.timezone, locale),
        *(schedules_elements(home.schedules, locale) if home.schedules else ()),
        *history_elements(home.recent, home.timezone, locale),
        *memory_elements(home.known, memory_days, locale),
    )
    return _card(elements, say(locale, "command.title_offered"), locale)


def help_card(home: Home, locale: Locale) -> Card:
    """What can be written, and what can be asked about."""
    lines = (*_HELP, "admin") if home.is_admin else _HELP
    elements = (
        Heading(text=say(locale, "command.title_help")),
        *bullets([say(locale, f"command.help_{name}") for name in lines]),
        *offered_elements(home.offered, locale),
    )
    return _card(elements, say(locale, "command.title_help"), locale)


def history_card(recent: tuple[AskedBefore, ...], timezone: str, locale: Locale) -> Card:
    """The person's own questions, newest first, each to be asked again."""
    return _card(history_elements(recent, timezone, locale), say(locale, "command.title_history"), locale)


def waiting_card(waiting: tuple[Waiting, ...], timezone: str, locale: Locale) -> Card:
    """What the person may approve now."""
    return _card(waiting_elements(waiting, timezone, locale), say(locale, "command.title_waiting"), locale)


def memory_card(known: tuple[Known, ...], days: int, locale: Locale) -> Card:
    """What is remembered of the person, each to be forgotten."""
    return _card(memory_elements(known, days, locale), say(locale, "command.title_memory"), locale)


def offered_elements(offered: tuple[Offered, ...], locale: Locale) -> tuple[Element, ...]:
    """Domains with their first metrics, and signed questions as buttons."""
    head = Heading(text=say(locale, "command.title_offered"))
    if not offered:
        return head, paragraph(say(locale, "command.offered_nothing"))
    signed = [question for domain in offered if not domain.is_paused for question in domain.signed_questions]
    buttons = tuple(_question_button(question, None) for question in signed[:SIGNED_SHOWN])
    kept = tuple(button for button in buttons if fits(button.action))
    below = (paragraph(say(locale, "command.signed")), Actions(buttons=kept)) if kept else ()
    return head, *bullets([_offered_line(domain, locale) for domain in offered]), *below


def history_elements(recent: tuple[AskedBefore, ...], timezone: str, locale: Locale) -> tuple[Element, ...]:
    """A numbered line for each question, and buttons with the numbers."""
    head = Heading(text=say(locale, "command.title_history"))
    if not recent:
        return head, paragraph(say(locale, "command.history_empty"))
    lines = [_history_line(item, timezone, locale) for item in recent]
    buttons = tuple(_again(number, item) for number, item in enumerate(recent, start=1))
    kept = tuple(button for button in buttons if fits(button.action))
    return head, *bullets(lines, numbered=True), Actions(buttons=kept), small(say(locale, "command.history_repeat"))


def waiting_elements(waiting: tuple[Waiting, ...], timezone: str, locale: Locale) -> tuple[Element, ...]:
    """A line for each proposal that waits for the person."""
    head = Heading(text=say(locale, "command.title_waiting"))
    if not waiting:
        return head, paragraph(say(locale, "command.waiting_empty"))
    return head, *bullets([_waiting_line(item, timezone, locale) for item in waiting])


def memory_elements(known: tuple[Known, ...], days: int, locale: Locale) -> tuple[Element, ...]:
    """A numbered line for each memory, buttons that forget it, and who sees it for how long."""
    head = Heading(text=say(locale, "command.title_memory"))
    if not known:
        return head, paragraph(say(locale, "command.memory_empty"))
    lines = [known_text(item, locale) for item in known]
    buttons = [
        command_button(say(locale, "command.forget", number=number), f"forget {item.id}", locale)
        for number, item in enumerate(known, start=1)
    ]
    every = command_button(say(locale, "command.forget_all"), "forget_all", locale)
    return (
        head,
        *bullets(lines, numbered=True),
        Actions(buttons=(*buttons, every)),
        small(say(locale, "command.memory_rule", days=days)),
    )


def known_text(item: Known, locale: Locale) -> str:
    """A memory in words: '“sales” means Processed amount', 'Usual data: Payments'."""
    if item.meaning.words:
        return say(locale, "command.memory_word", words=item.meaning.words, choice=item.choice)
    return say(locale, f"command.memory_{item.meaning.slot}", choice=item.choice)


def command_button(label: str, command: str, locale: Locale) -> Button:
    """A button that gives a command, answered in that language."""
    return Button(label=label, action=CardAction(verb="command", value=f"{locale}:{command}"))


def _offered_line(domain: Offered, locale: Locale) -> str:
    shown, more = domain.metrics[:METRICS_SHOWN], len(domain.metrics) - METRICS_SHOWN
    named = {"domain": domain.label, "metrics": ", ".join(shown)}
    if domain.is_paused:
        return say(locale, "command.offered_paused", **named)
    return say(locale, "command.offered_more" if more > 0 else "command.offered_metrics", more=more, **named)


def _history_line(item: AskedBefore, timezone: str, locale: Locale) -> str:
    return say(
        locale,
        "command.history_line",
        question=item.question,
        status=say(locale, f"command.status_{item.status}"),
        when=instant(item.asked_at, timezone, locale),
        run=item.run,
    )


def _waiting_line(item: Waiting, timezone: str, locale: Locale) -> str:
    return say(
        locale,
        "command.waiting_line",
        title=item.title,
        domain=item.domain,
        who=item.asked_by,
        until=instant(item.expires_at, timezone, locale),
        run=item.run,
    )


def _again(number: int, item: AskedBefore) -> Button:
    return Button(label=str(number), action=CardAction(verb="ask", run=item.run, value=item.question))


def _question_button(question: str, run: RunId | None) -> Button:
    return Button(label=question, action=CardAction(verb="ask", run=run, value=question))


def _card(elements: tuple[Element, ...], fallback: str, locale: Locale) -> Card:
    return Card(kind="reply", elements=elements, fallback=fallback, locale=locale)
