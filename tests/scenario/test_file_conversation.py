import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.console import Console

from agent.values.file import FileRefused, ThreadFile
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.outcome import Answer, Clarification, Proposal, Refusal, Reply
from agent.values.turn import CardAction
from bot.terminal.conversation import Approval, ask_once, collected, decide
from bot.terminal.report import report_of
from bot.terminal.session import Session, session
from tests.scenario.conftest import MakeSettings

APPROVE, LEAVE = Approval(kind="approve"), Approval(kind="leave")
SALES = "Fecha;Región;Canal;Importe\n" + "".join(
    f"{day:02}/{month:02}/2026;{region};{channel};1.{month:03},5{at}\n"
    for month in range(1, 11)
    for day in (3, 28)
    for at, (region, channel) in enumerate((("Lima", "Web"), ("Cusco", "Tienda"), ("Áncash", "Web")))
)
THREAD = ThreadKey("console:t")
QUESTION = "importe por región en octubre de 2026"


@asynccontextmanager
async def given_sales(settings_of: MakeSettings, folder: Path) -> AsyncIterator[tuple[Session, ThreadFile]]:
    path = folder / "ventas.csv"
    path.write_bytes(SALES.encode("latin-1"))
    async with session(settings_of(data_dir=folder / "data"), Console(quiet=True)) as opened:
        given = await opened.give(path, "ana", "t")
        assert isinstance(given, ThreadFile)
        yield opened, given


async def test_a_file_is_asked_about_like_any_domain(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        proposed = await ask_once(opened, QUESTION, role="ana", thread="t", approval=LEAVE)
        assert isinstance(proposed.outcome, Proposal)
        asked = await ask_once(opened, QUESTION, role="ana", thread="t", approval=APPROVE)
    report = report_of(asked)
    assert (report["status"], report["domain"], report["dialect"]) == ("answered", given.domain, "duckdb")
    assert sorted((region, round(amount, 2)) for region, amount in report["rows"]) == [
        ("Cusco", 2021.02), ("Lima", 2021.0), ("Áncash", 2021.04),
    ]  # fmt: skip
    assert asked.chart is not None
    assert asked.workbook is not None


async def test_the_governed_domains_stay_beside_the_file(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        asked = await ask_once(
            opened, "approval rate by channel, last 7 days", role="ana", thread="t", approval=APPROVE
        )
    assert report_of(asked)["domain"] == "payments"


async def test_rows_of_a_file_are_redrawn_and_discussed(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        await ask_once(opened, "importe por mes y por región en 2026", role="ana", thread="t", approval=APPROVE)
        talked = await ask_once(opened, "¿por qué subió?", role="ana", thread="t", approval=LEAVE)
    assert isinstance(talked.outcome, Reply)
    assert "oct 2026" in talked.outcome.text


async def test_another_process_with_a_folder_of_its_own_answers_too(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path):
        pass
    async with session(settings_of(data_dir=tmp_path / "elsewhere"), Console(quiet=True)) as opened:
        asked = await ask_once(opened, QUESTION, role="ana", thread="t", approval=APPROVE)
    assert isinstance(asked.outcome, Answer)


async def test_only_the_people_of_its_thread_may_ask_about_a_file(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        shared = await ask_once(opened, QUESTION, role="bob", thread="t", approval=LEAVE)
        elsewhere = await ask_once(opened, QUESTION, role="ana", thread="other", approval=LEAVE)
    assert report_of(shared)["domain"] == given.domain
    assert report_of(elsewhere)["domain"] != given.domain


async def test_a_policy_may_keep_a_file_for_its_giver(settings_of: MakeSettings, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    text = (Path(__file__).parent / "policy.yaml").read_text(encoding="utf-8")
    policy.write_text(text.replace("name: scenario\n", "name: scenario\nfiles: giver\n"), encoding="utf-8")

    def settings(**changes: object) -> object:
        return settings_of(policy_file=policy, **changes)

    async with given_sales(settings, tmp_path) as (opened, given):  # type: ignore[arg-type]  # settings of that policy
        own = await ask_once(opened, QUESTION, role="ana", thread="t", approval=LEAVE)
        others = await ask_once(opened, QUESTION, role="bob", thread="t", approval=LEAVE)
    assert report_of(own)["domain"] == given.domain
    assert report_of(others)["domain"] != given.domain
    assert "ventas.csv" not in json.dumps(report_of(others), ensure_ascii=False)


async def test_a_deleted_file_is_gone_with_its_database(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        await ask_once(opened, QUESTION, role="ana", thread="t", approval=APPROVE)
        assert list((tmp_path / "data" / "files").glob("*.duckdb"))
        await opened.press(CardAction(verb="file_delete", value=given.id), "bob", "t")
        assert await opened.product.stores.files.get(given.id, opened.product.clock.now())
        await opened.say("Borra el archivo", "ana", "t")
        assert await opened.product.stores.files.get(given.id, opened.product.clock.now()) is None
        assert not list((tmp_path / "data" / "files").glob("*.duckdb"))
        asked = await ask_once(opened, QUESTION, role="ana", thread="t", approval=LEAVE)
    assert not isinstance(asked.outcome, Proposal) or asked.outcome.query.domain != given.domain


async def test_a_changed_reading_is_confirmed_again_and_asked_about_as_told(
    settings_of: MakeSettings, tmp_path: Path
) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        told = CardAction(verb="file_change", value=given.id, text="4 = Ventas; promediar\n3 = nada")
        await opened.press(told, "ana", "t")
        waits = await opened.say("ventas por región en octubre de 2026", "ana", "t")
        assert waits.stop is None
        await opened.press(CardAction(verb="file_confirm", value=given.id), "ana", "t")
        asked = await ask_once(opened, "ventas por región en octubre de 2026", role="ana", thread="t", approval=APPROVE)
    assert sorted((region, round(amount, 2)) for region, amount in report_of(asked)["rows"]) == [
        ("Cusco", 1010.51), ("Lima", 1010.5), ("Áncash", 1010.52),
    ]  # fmt: skip


async def test_a_persons_files_are_forgotten_in_every_thread(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        assert await opened.product.files.forget_person(PrincipalId("ana")) == 1
        assert await opened.product.stores.files.get(given.id, opened.product.clock.now()) is None


async def test_a_file_that_is_no_table_is_refused(settings_of: MakeSettings, tmp_path: Path) -> None:
    path = tmp_path / "bad.xlsx"
    path.write_bytes(b"PK\x03\x04broken")
    async with session(settings_of(data_dir=tmp_path / "data"), Console(quiet=True)) as opened:
        assert await opened.give(path, "ana", "t") == FileRefused(reason="damaged")


async def test_a_question_about_nothing_known_is_still_asked_back(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        asked = await ask_once(opened, "approval rate of Visa", role="ana", thread="t", approval=LEAVE)
    assert isinstance(asked.outcome, Clarification)


@pytest.mark.parametrize(
    "question",
    [
        "importe, compáralo con nuestro volumen procesado por mes en 2026",
        "compare with our processed amount by month in 2026",
    ],
)
async def test_a_file_is_compared_with_a_governed_metric_by_two_approved_queries(
    settings_of: MakeSettings, tmp_path: Path, question: str
) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        ours = await ask_once(opened, question, role="ana", thread="t", approval=LEAVE)
        assert isinstance(ours.outcome, Proposal)
        assert ours.outcome.query.domain == "payments"
        both = await decide(opened, ours.outcome, role="ana", thread="t", approval=APPROVE)
        assert both.stop is not None
        assert isinstance(both.stop.outcome, Proposal)
        assert "ventas.csv" in str(both.stop.outcome.receipt)
        step = await decide(opened, both.stop.outcome, role="ana", thread="t", approval=APPROVE)
        asked = await collected(opened, step, both.stop.outcome, {})
        own = await ask_once(
            opened, "processed amount by month in 2026", role="ana", thread="elsewhere", approval=APPROVE
        )
    assert isinstance(asked.outcome, Answer)
    assert "ventas.csv" in asked.outcome.source_label
    compared = {str(row[0])[:7]: row[1:] for row in report_of(asked)["rows"]}
    governed = {str(row[0])[:7]: row[1] for row in report_of(own)["rows"]}
    assert round(float(compared["2026-10"][0]), 2) == 6063.06
    assert {month: round(float(row[1]), 2) for month, row in compared.items() if row[1] is not None} == {
        month: round(float(amount), 2) for month, amount in governed.items()
    }


async def test_what_is_in_a_file_is_told_in_words(settings_of: MakeSettings, tmp_path: Path) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        told = await ask_once(opened, "¿Qué hay en el archivo?", role="ana", thread="t", approval=LEAVE)
        nothing = await ask_once(opened, "What is in the file?", role="ana", thread="other", approval=LEAVE)
    assert isinstance(told.outcome, Reply)
    assert "Importe" in told.outcome.text
    assert isinstance(nothing.outcome, Reply)
    assert "no file" in nothing.outcome.text


async def test_without_a_split_two_totals_are_compared_and_a_rate_is_not(
    settings_of: MakeSettings, tmp_path: Path
) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, _):
        question = "сравни с нашим оборотом за октябрь 2026"
        totals = await ask_once(opened, question, role="ana", thread="t", approval=APPROVE)
        own = await ask_once(opened, "оборот за октябрь 2026", role="ana", thread="elsewhere", approval=APPROVE)
        rate = "compare with our approval rate in October 2026"
        refused = await ask_once(opened, rate, role="ana", thread="t", approval=LEAVE)
        beside = await opened.product.stores.files.of_thread(THREAD, opened.product.clock.now())
    [[theirs, ours]] = report_of(totals)["rows"]
    assert round(float(theirs), 2) == 6063.06
    assert round(float(ours), 2) == round(float(report_of(own)["rows"][0][0]), 2)
    assert isinstance(refused.outcome, Refusal)
    assert [file.giver for file in beside if file.beside] == ["ana"]


async def test_what_stands_beside_a_file_goes_with_it_and_nobody_else_sees_it(
    settings_of: MakeSettings, tmp_path: Path
) -> None:
    async with given_sales(settings_of, tmp_path) as (opened, given):
        question = "compare with our processed amount by month in 2026"
        await ask_once(opened, question, role="ana", thread="t", approval=APPROVE)
        now, files = opened.product.clock.now(), opened.product.files
        drawn = await ask_once(opened, "as a line chart", role="ana", thread="t", approval=LEAVE)
        alone = await ask_once(opened, QUESTION, role="ana", thread="t", approval=LEAVE)
        assert len(report_of(drawn)["columns"]) == 3
        assert report_of(alone)["domain"] == given.domain
        own = await files.scope(THREAD, PrincipalId("ana"))
        others = await files.scope(THREAD, PrincipalId("bob"))
        assert (len(own.files), len(others.files)) == (2, 1)
        await opened.press(CardAction(verb="file_delete", value=given.id), "ana", "t")
        assert await opened.product.stores.files.of_thread(THREAD, now) == ()
