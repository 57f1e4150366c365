from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.channels.console.inbound import Typed, action_to_turn, line_to_turn
from agent.values.turn import CardAction
from bot.chat_commands.words import command_of, read_command
from bot.intake import passing_the_line

TYPED = Typed(user="ana", thread="t", event_id="e1", at=datetime(2026, 11, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "name", "locale"),
    [
        ("Help", "help", "en"),
        ("¡Ayuda!", "help", "es"),
        ("помощь", "help", "ru"),
        ("new", "new", "en"),
        ("Новая тема.", "new", "ru"),
        ("stop", "stop", "en"),
        ("parar", "stop", "es"),
        ("СТОП", "stop", "ru"),
        ("mi memoria", "memory", "es"),
        ("what do you remember about me?", "memory", "en"),
        ("recuerda esto", "remember_this", "es"),
        ("olvídame", "forget_me", "es"),
        ("забудь всё", "forget_all", "ru"),
        ("/help", "help", "en"),
        ("admin who asked what?", "admin_who", "en"),
        ("админ лимиты", "admin_budgets", "ru"),
    ],
)
def test_a_whole_message_is_a_command_in_its_language(text: str, name: str, locale: str) -> None:
    command = read_command(text)
    assert command is not None
    assert (command.name, command.locale, command.argument) == (name, locale, "")


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("remember that Sales means processed amount", "remember", "Sales means processed amount"),
        ("Recuerda que «ventas» significa monto", "remember", "«ventas» significa monto"),
        ("запомни, что продажи — это оборот", "remember", "продажи — это оборот"),
        ("forget 12", "forget", "12"),
        ("repite 3", "repeat", "3"),
        ("admin pause Card payments", "admin_pause", "Card payments"),
        ("admin expire 7F3K", "admin_expire", "7F3K"),
    ],
)
def test_what_follows_the_opening_words_stays_as_it_was_typed(text: str, name: str, argument: str) -> None:
    command = read_command(text)
    assert command is not None
    assert (command.name, command.argument) == (name, argument)


@pytest.mark.parametrize(
    "text",
    [
        "approval rate by channel",
        "new merchants last month",
        "nuevos comercios por región",
        "stop showing the fees",
        "forget the filter by brand",
        "repeat the last question by month",
        "история операций по месяцам",
        "forget",
        "help me with the approval rate",
        "",
    ],
)
def test_questions_and_changes_are_no_commands(text: str) -> None:
    assert read_command(text) is None


def test_a_button_carries_a_command_with_its_language() -> None:
    pressed = command_of(action_to_turn(CardAction(verb="command", value="ru:forget AB12"), TYPED))
    assert pressed is not None
    assert (pressed.name, pressed.argument, pressed.locale) == ("forget", "AB12", "ru")


@pytest.mark.parametrize("value", ["en:drop_tables now", "help", "", "en:"])
def test_a_button_of_another_version_is_no_command(value: str) -> None:
    assert command_of(action_to_turn(CardAction(verb="command", value=value), TYPED)) is None


def test_only_the_wish_to_stop_passes_the_line() -> None:
    assert passing_the_line(line_to_turn("stop", TYPED)).kind == "cancel"
    assert passing_the_line(replace(line_to_turn("стоп", TYPED), kind="command")).kind == "cancel"
    assert passing_the_line(line_to_turn("help", TYPED)).kind == "message"
    assert passing_the_line(line_to_turn("stop showing fees", TYPED)).kind == "message"
