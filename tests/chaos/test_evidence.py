import struct
from datetime import UTC, datetime, timedelta

import pytest

from tests.chaos.mishaps import Spell
from tests.chaos.records import Records, Run
from tests.chaos.statements import Sent, Statements
from tests.chaos.warehouse_side import reads_of

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SQL = "SELECT 1 AS one"


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def records(approved: float | None = 0, over: float | None = 10) -> Records:
    run = Run(
        id="AAAABBBBCCCC",
        thread="t",
        status="answered",
        asker="ana",
        sql=SQL,
        approved_at=None if approved is None else at(approved),
        over_at=None if over is None else at(over),
    )
    return Records(runs=(run,), audit=(), decisions=(), cards=(), letters=())


def sent(*seconds: float) -> list[Sent]:
    return [Sent(at=at(each), text=SQL) for each in seconds]


def typed(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def test_statements_are_read_off_the_wire_in_whatever_pieces_they_come() -> None:
    statements = Statements()
    start = struct.pack("!IHH", 8, 1234, 5679) + struct.pack("!IHH", 13, 3, 0) + b"user\0"
    told = typed(b"Q", b"BEGIN READ ONLY\0") + typed(b"P", b"\0SELECT 1 AS one\0\0\0") + typed(b"S", b"")
    for size in (1, 3, 1000):
        hear = statements.overhear()
        whole = start + told
        for place in range(0, len(whole), size):
            hear(whole[place : place + size])
    assert [each.text for each in statements.sent] == ["BEGIN READ ONLY", SQL] * 3
    assert [each.text for each in statements.reads] == [SQL] * 3


def test_a_query_that_is_sent_once_within_its_approval_is_no_breach() -> None:
    found = reads_of(sent(5), records(), ())
    assert (found.sent, found.again, found.breaches) == (1, 0, ())


@pytest.mark.parametrize(
    ("when", "approved", "over"), [(-5, 0, 10), (15, 0, 10), (5, None, 10)], ids=["before", "after", "never"]
)
def test_a_query_that_is_sent_outside_its_approval_is_a_breach(when: float, approved: float, over: float) -> None:
    assert len(reads_of(sent(when), records(approved, over), ()).breaches) == 1


def test_a_query_that_nobody_was_shown_is_a_breach() -> None:
    assert len(reads_of([Sent(at=at(5), text="SELECT 2")], records(), ()).breaches) == 1


def test_a_query_that_is_sent_again_needs_a_mishap_between() -> None:
    cut = Spell(kind="worker killed", began=at(3), ended=at(3))
    assert len(reads_of(sent(2, 5), records(), ()).breaches) == 1
    explained = reads_of(sent(2, 5), records(), (cut,))
    assert (explained.again, explained.breaches) == (1, ())
    assert len(reads_of(sent(4, 5), records(), (cut,)).breaches) == 1
