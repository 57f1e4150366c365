"""Row: how long Slack waits for its 200, through the whole app, against a handler that only says 200."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import ClientSession

from bot.channels import connected_channels
from bot.serving import serving as serving_product
from tests.bench.bare_handler import bare_app
from tests.bench.measuring import Row, Timed, milliseconds, no_collection, side_by_side
from tests.bench.stage import Stage
from tests.fakes.slack.deliveries import Deliveries, sample
from tests.fakes.slack.server import serving, slack_server
from tests.fakes.slack.workspace import BOT_TOKEN, Workspace

SECRET = "0123456789abcdef0123456789abcdef"
OK = 200


async def acknowledgement_row(stage: Stage, *, warm_up: int, repetitions: int) -> Row:
    """A signed event of a known person, each time a new one; the turn is in the inbox when the 200 comes."""
    workspace = Workspace()
    workspace.add_user("U0ANA", name="Ana", email="ana@home.example", locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA")
    async with (
        slack_server(workspace) as slack,
        _product(stage, slack.api) as url,
        serving(bare_app()) as bare_url,
        ClientSession() as client,
    ):
        subject = _mentions(Deliveries(session=client, url=url, secret=SECRET))
        floor = _mentions(Deliveries(session=client, url=bare_url, secret=SECRET))
        with no_collection():
            times, floor_times = await side_by_side(subject, floor, warm_up=warm_up, repetitions=repetitions)
    assert not workspace.ephemerals, "an event was answered by a notice instead of being stored"
    return Row(
        name="acknowledgement of a Slack event",
        subject_is="signature checked, turn stored in the inbox on PostgreSQL, 200",
        times=tuple(times),
        floor_is="bare aiohttp handler that reads the body and says 200: tests/bench/bare_handler.py",
        floor_times=tuple(floor_times),
    )


@asynccontextmanager
async def _product(stage: Stage, slack_api: str) -> AsyncIterator[str]:
    """The app without a worker: what is measured is the way into the inbox."""
    settings = stage.settings(slack_bot_token=BOT_TOKEN, slack_signing_secret=SECRET, slack_api_url=slack_api)
    async with connected_channels(settings) as (built, channels), serving_product(built, channels) as url:
        yield url


def _mentions(slack: Deliveries) -> Timed:
    numbers = count()

    async def mention() -> float:
        number = next(numbers)
        moment = f"1793545100.{number:06d}"
        payload = sample(
            "app_mention", event_id=f"Ev{number}", event__ts=moment, event__event_ts=moment, event__channel="C0SALES"
        )
        return await milliseconds(_accepted(slack, payload))

    return mention


async def _accepted(slack: Deliveries, payload: dict[str, object]) -> None:
    answer = await slack.event(payload)
    assert answer.status == OK, answer
