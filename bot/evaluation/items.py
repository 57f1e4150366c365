"""Question sets as values: one JSON object a line, a single question or a conversation."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from semantic_catalog.errors import OperatorError

Kind = Literal["rows", "proposal", "viz", "forecast", "clarify", "refuse", "refuse_or_disclose", "no_sql", "rejected"]
Press = Literal["approve", "reject", "change"]
DATA_KINDS: frozenset[Kind] = frozenset({"rows", "proposal", "viz", "forecast"})
_ANY_LEADING_PART = "leading part"


class SetUnreadable(OperatorError):
    """A question set is not what it should be; `detail` says which line and why."""

    code = "question_set_unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What is right for one turn. `kinds` holds every right kind, the first one being the usual.

    `golds` are SQL texts, any of whose rows are right; `keys` are their key columns, None where the set names none;
    `leading` lets an answer stop early in a ranking. `slots` are
    the things that may be asked about.
    """

    kinds: tuple[Kind, ...]
    golds: tuple[str, ...] = ()
    keys: tuple[str, ...] | None = None
    ordered: bool = False
    may_be_empty: bool = False
    leading: bool = False
    charts: tuple[str, ...] = ()
    horizon: int = 0
    slots: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    options_sql: str = ""
    must_mention: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """The usual right kind."""
        return self.kinds[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One thing a person does: says `text`, or presses a button (`text` is what was typed with it).

    `decides` lets the evaluation approve a proposal that comes back; in a conversation that is an act of its own.
    """

    text: str
    domain: str
    role: str
    expected: Expected
    press: Press | None = None
    decides: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question or conversation of a set. `domain` is that of its first act."""

    id: str
    domain: str
    language: str
    acts: tuple[Act, ...]


def read_sets(files: tuple[Path, ...]) -> tuple[Item, ...]:
    """Every item of the files, in order. Raises `SetUnreadable`."""
    return tuple(item for file in files for item in _read(file))


def _read(file: Path) -> Iterator[Item]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SetUnreadable(f"{file}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield item_of(json.loads(line))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SetUnreadable(f"{file}:{number}: {type(error).__name__}: {error}") from error


def item_of(written: dict[str, Any]) -> Item:
    """One item as written. Raises `KeyError` when a field is missing."""
    acts = tuple(_conversation(written) if "domains" in written else _questions(written))
    return Item(id=written["id"], domain=acts[0].domain, language=written["lang"], acts=acts)


def _questions(written: dict[str, Any]) -> Iterator[Act]:
    expect, turns = written["expect"], written["turns"]
    kinds, golds = expect.get("kind_per_turn"), expect.get("gold_sql_per_turn")
    for at, text in enumerate(turns):
        last = at == len(turns) - 1
        own = expect if last else {"kind": kinds[at], "gold_sql": golds[at]}
        expected = _expected(own, keyed=last)
        yield Act(text=text, domain=written["domain"], role=written["as"], expected=expected)


def _conversation(written: dict[str, Any]) -> Iterator[Act]:
    domain = written["domains"][0]
    for turn in written["turns"]:
        domain = turn.get("domain", domain)
        yield Act(
            text=turn.get("say", turn.get("text", "")),
            domain=domain,
            role=turn.get("as", written["as"]),
            expected=_expected(turn["expect"], keyed=False),
            press=turn.get("press"),
            decides=False,
        )


def _expected(written: dict[str, Any], *, keyed: bool) -> Expected:
    golds = (written.get("gold_sql"), *written.get("gold_sql_alternatives", ()))
    slots = (written.get("slot"), *written.get("also_accept_slots", ()))
    charts = (written.get("chart"), *written.get("chart_alternatives", ()))
    keys = tuple(key.strip() for key in written.get("key", "").split(",") if key.strip()) if keyed else None
    return Expected(
        kinds=(written["kind"], *written.get("kind_alternatives", ())),
        golds=tuple(gold for gold in golds if gold),
        keys=keys,
        ordered=bool(written.get("ordered", False)),
        may_be_empty=bool(written.get("may_be_empty", False)),
        leading=_ANY_LEADING_PART in written.get("note", ""),
        charts=tuple(chart for chart in charts if chart),
        horizon=int(written.get("horizon", 0)),
        slots=tuple(slot for slot in slots if slot),
        options=tuple(written.get("options", ())),
        options_sql=written.get("options_sql", ""),
        must_mention=tuple(written.get("must_mention", ())),
    )
