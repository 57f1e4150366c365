from dataclasses import replace

import pytest

from agent.understanding.earlier import as_of, as_seen_by
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.memory import ThreadMemory
from agent.values.spec import QuerySpec, Understanding
from semantic_catalog.model import DomainName
from tests.unit.agent.understanding.asking import ANALYST, ask, ask_in_turn, everything, remembered

EVERYBODY = replace(ANALYST, domains=tuple(map(DomainName, ("payments", "erp_finance", "scrap_prices"))))


async def last_of(*texts: str) -> Understanding:
    return (await ask_in_turn(list(texts)))[-1]


async def spec_after(*texts: str) -> QuerySpec:
    meaning = await last_of(*texts)
    assert meaning.spec is not None, (texts, meaning.slots)
    return meaning.spec


def filters(spec: QuerySpec) -> list[str]:
    return [f"{'' if item.include else '!'}{item.dimension}={','.join(item.values)}" for item in spec.filters]


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("approval rate by channel in October, only Visa", "remove the brand filter", []),
        ("approval rate by channel in October, only Visa", "all brands", []),
        ("tasa de aprobación por canal en octubre, solo Visa", "todas las marcas", []),
        ("доля одобренных по каналам за октябрь, только Visa", "по всем брендам", []),
        ("approval rate by channel in October, only Visa", "and Mastercard too", ["brand=Visa,Mastercard"]),
        ("approval rate by channel in October, only Visa", "replace Visa with Amex", ["brand=Amex"]),
        ("declines by response reason in Q3", "exclude 51", ["!response_code=51"]),
        ("approval rate by region in October", "only Visa and Mastercard", ["brand=Visa,Mastercard"]),
    ],
)
async def test_members_come_and_go_and_nothing_is_split_by_them(first: str, then: str, left: list[str]) -> None:
    before, after = await spec_after(first), await spec_after(first, then)
    assert filters(after) == left
    assert set(before.dimensions) <= set(after.dimensions)


@pytest.mark.parametrize(
    ("then", "order", "limit"),
    [
        ("and the bottom 3?", ("processed_amount", False), 3),
        ("show me the top 3", ("processed_amount", True), 3),
        ("the worst 2", ("processed_amount", False), 2),
        ("sorted by merchant", ("merchant", False), 5),
        ("all of them", ("processed_amount", True), None),
    ],
)
async def test_a_ranking_is_turned_cut_and_sorted(then: str, order: tuple[str, bool], limit: int | None) -> None:
    spec = await spec_after("top 5 merchants by processed amount in October", then)
    assert ((spec.order[0].by, spec.order[0].descending), spec.limit) == (order, limit)


@pytest.mark.parametrize("text", ["without the months", "sin los meses", "без месяцев"])
async def test_buckets_of_time_are_taken_off(text: str) -> None:
    assert (await spec_after("processed amount by channel and month in 2026", text)).grain is None


async def test_what_is_left_undivided_is_not_ranked() -> None:
    spec = await spec_after("top 3 channels by approval rate in October", "forget the channel")
    assert (spec.dimensions, spec.order, spec.limit) == ((), (), None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("which code is the worst and what does it mean?", "extreme"),
        ("¿cuál es el más alto?", "extreme"),
        ("what's the total?", "total"),
        ("сколько всего?", "total"),
        ("how much bigger is the first than the second?", None),
        ("is there any below 1000?", "condition"),
        ("summarize that", "summary"),
    ],
)
async def test_what_the_rows_on_screen_answer_asks_for_no_sql(text: str, kind: str | None) -> None:
    meaning = await last_of("declines by response reason in Q3", text)
    assert (meaning.turn_type, meaning.spec) == ("discuss", None)
    assert meaning.shown is not None
    assert meaning.shown.kind == (kind or "difference")


async def test_the_largest_of_rows_that_were_cut_off_is_asked_for_anew() -> None:
    meaning = await last_of("top 3 merchants by processed amount in October", "which merchant had the lowest?")
    assert meaning.turn_type != "discuss"


async def test_what_fell_most_is_the_lowest_change() -> None:
    spec = await spec_after("which brands fell the most in processed amount, Q3 vs Q2?")
    assert (spec.order[0].by, spec.order[0].descending, spec.limit) == ("processed_amount_change", False, None)


async def test_a_thread_goes_back_to_its_first_topic_in_another_domain() -> None:
    memory = ThreadMemory(thread=ThreadKey("console:test"))
    for text in ("revenue by business unit this year", "other topic: approval rate by channel last month"):
        meaning = await ask(text, memory=memory, principal=EVERYBODY, reader=everything())
        assert meaning.spec is not None
        memory = replace(memory, runs=(*memory.runs, remembered(text, meaning.spec)))
    back = await ask("back to the first question, by month", memory=memory, principal=EVERYBODY, reader=everything())
    assert back.spec is not None
    assert (back.spec.domain, back.spec.metrics, back.spec.grain) == ("erp_finance", ("revenue",), "month")


async def test_people_of_one_thread_go_on_from_their_own_questions() -> None:
    mine = replace(remembered("q", await spec_after("fees by channel in October")), run=RunId("mine"))
    other = await spec_after("chargebacks by brand last month")
    theirs = replace(remembered("q", other), run=RunId("theirs"), asker=PrincipalId("bob"))
    memory = ThreadMemory(thread=ThreadKey("console:test"), runs=(mine, theirs))
    assert [run.run for run in as_seen_by(memory, mine.asker).runs] == ["mine"]
    assert [run.run for run in as_seen_by(memory, PrincipalId("eve")).runs] == ["mine", "theirs"]
    same_topic = replace(theirs, spec=await spec_after("fees by brand in October"))
    assert len(as_seen_by(replace(memory, runs=(mine, same_topic)), mine.asker).runs) == 2
    assert [run.run for run in as_of(memory, "mine").runs] == ["mine"]
