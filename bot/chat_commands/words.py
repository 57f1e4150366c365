"""Whether a message is a command: the whole message, in any of the languages, or a button that carries one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

import yaml

from agent.values.turn import Turn
from semantic_catalog.model import LOCALES, Locale
from semantic_catalog.words import fold_phrase

CommandName = Literal[
    "help",
    "new",
    "stop",
    "history",
    "repeat",
    "memory",
    "remember",
    "remember_this",
    "forget",
    "forget_all",
    "forget_me",
    "forget_me_yes",
    "waiting",
    "home",
    "schedules",
    "schedule_pause",
    "schedule_resume",
    "schedule_delete",
    "admin_help",
    "admin_reload_catalog",
    "admin_reload_policy",
    "admin_reload_models",
    "admin_models_check",
    "admin_pause",
    "admin_resume",
    "admin_who",
    "admin_expire",
    "admin_budgets",
    "admin_undelivered",
]
_NAMES: Mapping[str, CommandName] = {name: name for name in get_args(CommandName)}
_NUMBERED = ("forget", "repeat", "schedule_pause", "schedule_resume", "schedule_delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is to be done, with its argument as typed; `locale` is the language it was said in, if that is certain."""

    name: CommandName
    argument: str = ""
    locale: Locale | None = None


def command_of(turn: Turn) -> Command | None:
    """The command that the turn is; None for everything else."""
    if turn.action is not None:
        return _pressed(turn.action.value) if turn.action.verb == "command" else None
    return read_command(turn.text) if turn.kind in ("message", "command", "cancel") and not turn.files else None


def read_command(text: str) -> Command | None:
    """The command that the whole message is. 'forget' and 'repeat' take a number, so that questions stay questions."""
    said = fold_phrase(text)
    found = _exact().get(said)
    if found:
        return found
    for opening, command in _openings():
        if said.startswith(f"{opening} "):
            argument = _after(text, opening)
            if command.name not in _NUMBERED or argument.isdecimal():
                return Command(name=command.name, argument=argument, locale=command.locale)
    return None


def _pressed(value: str) -> Command | None:
    """A button's command, `<locale>:<name> <argument>`; None for a name that this version does not know."""
    language, _, line = value.partition(":")
    said, _, argument = line.partition(" ")
    name = _NAMES.get(said)
    locale = next((each for each in LOCALES if each == language), None)
    return Command(name=name, argument=argument, locale=locale) if name else None


def _after(text: str, opening: str) -> str:
    """What follows the opening words, as typed."""
    pieces = text.split()
    for end in range(1, len(pieces) + 1):
        if fold_phrase(" ".join(pieces[:end])) == opening:
            return " ".join(pieces[end:])
    return ""


@cache
def _exact() -> Mapping[str, Command]:
    found: dict[str, Command] = {}
    for locale, name, phrase in _phrases("words"):
        before = found.get(phrase)
        certain = locale if before is None or before.locale == locale else None
        found[phrase] = Command(name=_NAMES[name], locale=certain)
    return found


@cache
def _openings() -> tuple[tuple[str, Command], ...]:
    """Every opening, the longest first."""
    known = ((phrase, Command(name=_NAMES[name], locale=locale)) for locale, name, phrase in _phrases("with"))
    return tuple(sorted(known, key=lambda each: -len(each[0])))


def _phrases(table: str) -> list[tuple[Locale, str, str]]:
    return [
        (locale, name, fold_phrase(phrase))
        for locale in LOCALES
        for name, phrases in _written(locale)[table].items()
        for phrase in phrases
    ]


@cache
def _written(locale: Locale) -> dict[str, Any]:
    path = files("semantic_catalog").joinpath("global", "commands", f"{locale}.yaml")
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content
