import asyncio
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from socket import socket

import pytest
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from bot.channels import connected_channels
from bot.operating.listening import operating
from bot.serving import working
from tests.fakes.collector import ReceivedSpan, collector
from tests.fakes.slack.server import slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace
from tests.scenario.conftest import MakeSettings, running_bot
from tests.scenario.slack import SECRET, people_of, text_of
from tests.written_logs import lines, logs_written

MARKER = "zebrafish"
QUESTION = f"What was the approval rate of the last seven days by channel, {MARKER}?"
PEOPLE = ("U0ANA", "Ana Marker-Quispe")
ROWS = ("E-commerce", "Mobile")

Figures = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What operators saw of one question, from its mention to its answer, with the app and the worker apart."""

    logs: StringIO
    spans: list[ReceivedSpan]
    sent_spans: bytes
    served: Figures
    worked: Figures
    answer: str


async def figures(url: str) -> Figures:
    """Every sample that is not zero, by name and labels."""
    async with ClientSession() as http, http.get(f"{url}/metrics") as response:
        text = await response.text()
    found = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {_named(sample.name, sample.labels): sample.value for sample in found if sample.value}


def free_port() -> int:
    with closing(socket()) as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def _named(name: str, labels: dict[str, str]) -> str:
    return f"{name}{{{','.join(f'{key}={value}' for key, value in sorted(labels.items()))}}}" if labels else name


@pytest.fixture(scope="module")
def seen_once() -> list[Seen]:
    return []


@pytest.fixture
async def seen(settings_of: MakeSettings, seen_once: list[Seen]) -> Seen:
    if not seen_once:
        seen_once.append(await one_question(settings_of))
    return seen_once[0]


async def one_question(settings_of: MakeSettings) -> Seen:
    workspace = Workspace()
    workspace.add_user(PEOPLE[0], name=PEOPLE[1], locale="en-US")
    workspace.add_conversation("C0SALES", PEOPLE[0])
    with logs_written("DEBUG") as logs:
        async with slack_server(workspace) as server, collector() as traces:
            shared = {
                "slack_bot_token": BOT_TOKEN,
                "slack_signing_secret": SECRET,
                "slack_api_url": server.api,
                "trace_endpoint": traces.url,
                "trace_headers": {"x-key": "marker-key"},
            }
            of_worker = settings_of(**shared, metrics_port=free_port())
            async with (
                connected_channels(of_worker) as (worker, _),
                running_bot(settings_of(**shared), worker=False) as bot,
                people_of(bot.url, workspace) as people,
                working(worker),
                operating(of_worker.operating, worker.operators),
            ):
                operators = f"http://127.0.0.1:{of_worker.operating.metrics_port}"
                root = await people.mention(QUESTION)
                assert (await people.press(await people.card_with(root, "approve"), "approve")).status == 200
                answer = text_of(await people.card_with(root, "show_sql"))
                await people.files(root, 2)
                await ended_turns(operators, 2)
                served, worked = await figures(bot.url), await figures(operators)
        assert set(traces.headers) == {"marker-key"}
    return Seen(
        logs=logs,
        spans=traces.spans,
        sent_spans=b"".join(traces.bodies),
        served=served,
        worked=worked,
        answer=answer,
    )


async def ended_turns(operators: str, count: int) -> None:
    """Wait until the worker has handled so many turns to their end."""
    for _ in range(200):
        found = await figures(operators)
        if sum(value for name, value in found.items() if name.startswith("countersign_turns_total")) >= count:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the turns did not end")


def test_no_log_line_holds_what_was_asked_who_asked_a_token_or_a_row(seen: Seen) -> None:
    written = seen.logs.getvalue()
    assert all(row in seen.answer for row in ROWS)
    for content in (MARKER, "approval rate", PEOPLE[1], BOT_TOKEN, SECRET, "SELECT", "marker-key", *ROWS):
        assert content.lower() not in written.lower(), content


def test_a_turns_log_line_names_its_run_its_outcome_and_where_the_time_went(seen: Seen) -> None:
    ended = [line for line in lines(seen.logs) if line["event"] == "turn_handled"]
    assert [(line["channel"], line["kind"], line["outcome"]) for line in ended] == [
        ("slack", "message", "proposal"),
        ("slack", "decision", "answer"),
    ]
    assert ended[0]["run"] == ended[1]["run"]
    assert {line["trace"] for line in ended} == {span.trace for span in seen.spans}
    assert {"queue", "understand", "sql", "deliver"} <= ended[0]["ms"].keys()
    assert {"queue", "run", "analyze", "draw", "deliver"} <= ended[1]["ms"].keys()


def test_each_turn_is_one_trace_from_the_request_to_the_delivery(seen: Seen) -> None:
    roots = [span for span in seen.spans if not span.parent]
    assert [(span.name, span.facts["countersign.kind"]) for span in roots] == [
        ("receive", "message"),
        ("receive", "decision"),
    ]
    asked, decided = ({span.name for span in seen.spans if span.trace == root.trace} for root in roots)
    assert asked == {"receive", "turn", "queue", "understand", "sql", "deliver"}
    assert decided == {"receive", "turn", "queue", "sql", "run", "analyze", "deliver", "draw"}


def test_stages_lie_within_their_turn_and_the_turn_below_the_request(seen: Seen) -> None:
    by_id = {span.id: span for span in seen.spans}
    turns = [span for span in seen.spans if span.name == "turn"]
    assert {by_id[turn.parent].name for turn in turns} == {"receive"}
    stages = [span for span in seen.spans if span.name not in ("receive", "turn", "queue")]
    for stage in stages:
        around = by_id[stage.parent]
        assert around.started <= stage.started <= stage.ended <= around.ended
    assert {span.error for span in seen.spans} == {""}


def test_no_span_holds_content(seen: Seen) -> None:
    for content in (MARKER, "approval rate", PEOPLE[1], PEOPLE[0], BOT_TOKEN, "SELECT", *ROWS):
        assert content.encode().lower() not in seen.sent_spans.lower(), content
    assert {key for span in seen.spans for key in span.facts} == {
        f"countersign.{name}" for name in ("channel", "kind", "run", "step")
    }


def test_the_app_counts_what_comes_in_and_how_soon_it_is_acknowledged(seen: Seen) -> None:
    served = seen.served
    assert served["countersign_turns_received_total{channel=slack,kind=message}"] == 1
    assert served["countersign_turns_received_total{channel=slack,kind=decision}"] == 1
    assert served["countersign_intake_seconds_count{channel=slack}"] == 2
    assert served["countersign_acknowledgement_seconds_count{route=/slack/events,status=2xx}"] == 2
    assert served["countersign_dependency_up{dependency=control}"] == 1
    assert "countersign_turns_total{channel=slack,kind=message,outcome=proposal}" not in served


def test_the_worker_counts_outcomes_stages_queries_decisions_and_requests_to_the_platform(seen: Seen) -> None:
    worked = seen.worked
    assert worked["countersign_turns_total{channel=slack,kind=message,outcome=proposal}"] == 1
    assert worked["countersign_turns_total{channel=slack,kind=decision,outcome=answer}"] == 1
    for stage in ("queue", "understand", "sql", "run", "draw", "deliver"):
        assert worked[f"countersign_stage_seconds_count{{stage={stage}}}"] >= 1, stage
    assert worked["countersign_warehouse_calls_total{domain=payments,operation=query,outcome=ok}"] == 1
    assert worked["countersign_result_rows_count{domain=payments}"] == 1
    assert worked["countersign_decisions_total{kind=approve}"] == 1
    assert worked["countersign_audit_events_total{event=answered}"] == 1
    assert worked["countersign_platform_calls_total{method=chat.postMessage,platform=slack,status=200}"] >= 1
    assert worked["countersign_workers"] == 1
    assert worked["countersign_control_table_bytes{table=runs}"] > 0
    assert worked["countersign_pool_connections{state=max}"] == 10


def test_no_label_holds_a_person_a_text_or_an_id(seen: Seen) -> None:
    named = " ".join([*seen.served, *seen.worked])
    ids = {line["run"] for line in lines(seen.logs) if "run" in line}
    for content in (MARKER, *PEOPLE, "C0SALES", *ROWS, *ids):
        assert content not in named, content
