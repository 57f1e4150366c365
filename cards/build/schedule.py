"""Cards about schedules: one that was made or is to be approved, the list of a person's, the form that makes one."""

from typing import Final

from agent.values.identity import RunId
from agent.values.turn import CardAction
from agent.values.views import Scheduled
from agent.wording.texts import say
from cards.build.phrases import bullets, notice, paragraph, small
from cards.elements import Actions, Button, Card, Code, Element, Facts, Fold, Heading, Prompt
from cards.forms import CONDITION, OFTEN, TIME, Form, FormField
from semantic_catalog.model import Locale

_OFTEN: Final = ("day", "weekdays", *(f"week_{day}" for day in range(7)), "month", "month_last")
_HOURS: Final = range(6, 21)


def schedule_card(shown: Scheduled, locale: Locale) -> Card:
    """What its owner reads: when, what and who signs. Where they may sign it themselves, the button is theirs too."""
    said = say(locale, "schedule.made", when=shown.when)
    waits = (small(say(locale, "schedule.waits")),) if shown.status == "waiting" else ()
    elements = (paragraph(said), *_body(shown, locale), *waits, _own_buttons(shown, locale))
    return _card(elements, f"{said} {shown.title}", locale)


def approval_card(shown: Scheduled, locale: Locale) -> Card:
    """What somebody who may approve it reads: the same, and what their signature lets happen."""
    asked = say(locale, "schedule.asked_to_sign", owner=shown.owner, days=shown.days)
    elements = (*_body(shown, locale), paragraph(asked), Actions(buttons=_decisions(shown, locale)))
    return _card(elements, f"{asked} {shown.title}", locale)


def closed_card(shown: Scheduled, said: str, locale: Locale) -> Card:
    """The card once it was decided, without buttons."""
    return _card((notice("info", said), *_body(shown, locale)), f"{said} {shown.title}", locale)


def schedules_card(schedules: tuple[Scheduled, ...], locale: Locale) -> Card:
    """The person's schedules."""
    return _card(schedules_elements(schedules, locale), say(locale, "schedule.list_title"), locale)


def schedules_elements(schedules: tuple[Scheduled, ...], locale: Locale) -> tuple[Element, ...]:
    """A numbered line for each, and buttons that pause, resume and delete."""
    head = Heading(text=say(locale, "schedule.list_title"))
    if not schedules:
        return head, paragraph(say(locale, "schedule.list_empty"))
    lines = [_line(shown, locale) for shown in schedules]
    rows = tuple(_row(number, shown, locale) for number, shown in enumerate(schedules, start=1))
    return head, *bullets(lines, numbered=True), *rows, small(say(locale, "schedule.list_rule"))


def schedule_button(run: RunId, locale: Locale) -> Button:
    """The button of an answer that asks when to send it again."""
    return Button(
        label=say(locale, "schedule.button"),
        action=CardAction(verb="schedule", run=run),
        prompt=schedule_prompt(locale),
    )


def schedule_prompt(locale: Locale) -> Prompt:
    """Asks when, in words."""
    return Prompt(
        title=say(locale, "schedule.form_title"),
        label=say(locale, "schedule.prompt_label"),
        submit=say(locale, "schedule.form_submit"),
        placeholder=say(locale, "schedule.prompt_example"),
        required=True,
    )


def schedule_form(zone: str, locale: Locale) -> Form:
    """The same by choice. Each option says when in the words in which a person would write it."""
    often = tuple((words, words) for words in (say(locale, f"schedule.choice_{name}") for name in _OFTEN))
    times = tuple((f"{hour}:00", say(locale, "schedule.choice_at", time=f"{hour}:00")) for hour in _HOURS)
    condition = FormField(
        key=CONDITION,
        label=say(locale, "schedule.form_condition"),
        placeholder=say(locale, "schedule.form_condition_example"),
    )
    fields = (_choice(OFTEN, "form_often", often, locale), _choice(TIME, "form_time", times, locale), condition)
    return Form(
        title=say(locale, "schedule.form_title"),
        submit=say(locale, "schedule.form_submit"),
        fields=fields,
        note=say(locale, "schedule.form_note", zone=zone),
    )


def _choice(key: str, label: str, options: tuple[tuple[str, str], ...], locale: Locale) -> FormField:
    return FormField(key=key, label=say(locale, f"schedule.{label}"), kind="choice", options=options, required=True)


def _body(shown: Scheduled, locale: Locale) -> tuple[Element, ...]:
    facts = (
        ("fact_when", shown.when),
        ("fact_condition", shown.condition),
        ("fact_period", shown.period),
        ("fact_next", shown.next_at),
        ("fact_signed", shown.signed),
        ("fact_risk", say(locale, f"card.risk_{shown.risk}")),
    )
    told = tuple((say(locale, f"schedule.{key}"), text) for key, text in facts if text)
    fixed = (small(say(locale, "schedule.period_fixed")),) if shown.is_fixed else ()
    sql = Fold(title=say(locale, "card.sql"), elements=(Code(text=shown.sql),))
    return Heading(text=say(locale, "schedule.title", title=shown.title)), Facts(items=told), *fixed, sql


def _own_buttons(shown: Scheduled, locale: Locale) -> Actions:
    signing = _decisions(shown, locale)[:1] if shown.status == "waiting" and shown.days else ()
    switch = ("resume" if shown.status == "paused" else "pause",) if shown.status != "waiting" else ()
    orders = tuple(_order(name, shown, "", locale) for name in (*switch, "delete"))
    return Actions(buttons=(*signing, *orders))


def _decisions(shown: Scheduled, locale: Locale) -> tuple[Button, Button]:
    run = RunId(shown.id)
    approve = CardAction(verb="schedule_approve", run=run, value=shown.id)
    reject = CardAction(verb="schedule_reject", run=run, value=shown.id)
    return (
        Button(label=say(locale, "schedule.approve", days=shown.days), action=approve, style="primary"),
        Button(label=say(locale, "schedule.reject"), action=reject, style="danger"),
    )


def _row(number: int, shown: Scheduled, locale: Locale) -> Actions:
    switch = "resume" if shown.status == "paused" else "pause"
    return Actions(buttons=tuple(_order(name, shown, str(number), locale) for name in (switch, "delete")))


def _order(name: str, shown: Scheduled, number: str, locale: Locale) -> Button:
    label = say(locale, f"schedule.{name}", number=number).strip()
    return Button(label=label, action=CardAction(verb="command", value=f"{locale}:schedule_{name} {shown.id}"))


def _line(shown: Scheduled, locale: Locale) -> str:
    state = f"state_{shown.status}" + (f"_{shown.why}" if shown.status == "paused" else "")
    only = f", {say(locale, 'schedule.only_if', condition=shown.condition)}" if shown.condition else ""
    return say(
        locale,
        "schedule.list_line",
        title=shown.title,
        when=f"{shown.when}{only}",
        state=say(locale, f"schedule.{state}", next=shown.next_at),
    )


def _card(elements: tuple[Element, ...], fallback: str, locale: Locale) -> Card:
    return Card(kind="reply", elements=elements, fallback=fallback, locale=locale)
