import asyncio
import logging
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from tests.written_logs import lines, logs_written

SECRET = "xoxb-marker-zebrafish"


@pytest.fixture
def written() -> Iterator[StringIO]:
    with logs_written("DEBUG") as stream:
        yield stream


def failed() -> None:
    raise ValueError(SECRET) from KeyError(SECRET)


def test_a_line_of_ours_is_one_json_object_with_its_run(written: StringIO) -> None:
    with structlog.contextvars.bound_contextvars(run="7F3K"):
        structlog.stdlib.get_logger("bot.somewhere").info("turn_handled", outcome="answer")
    (line,) = lines(written)
    assert {key: line[key] for key in ("event", "run", "outcome", "level")} == {
        "event": "turn_handled", "run": "7F3K", "outcome": "answer", "level": "info",
    }  # fmt: skip


def test_lines_below_the_level_are_not_written() -> None:
    with logs_written("WARNING") as stream:
        structlog.stdlib.get_logger("bot.somewhere").info("turn_handled")
        structlog.stdlib.get_logger("bot.somewhere").warning("dependency_down")
    assert [line["event"] for line in lines(stream)] == ["dependency_down"]


def test_an_error_is_written_by_its_class_and_place_without_its_words(written: StringIO) -> None:
    try:
        failed()
    except ValueError:
        structlog.stdlib.get_logger("bot.somewhere").exception("run_failed")
    (line,) = lines(written)
    assert line["error"] == ["builtins.ValueError", "builtins.KeyError"]
    assert line["frames"][-1].endswith("failed")
    assert SECRET not in written.getvalue()


def test_a_librarys_line_is_written_without_its_words(written: StringIO) -> None:
    logging.getLogger("somelibrary").warning("body was %s", SECRET)
    logging.getLogger("somelibrary").error(f"body was {SECRET}", exc_info=ValueError(SECRET))  # noqa: G004
    assert [line["event"] for line in lines(written)] == ["library", "library"]
    assert {line["logger"] for line in lines(written)} == {"somelibrary"}
    assert lines(written)[1]["error"] == ["builtins.ValueError"]
    assert SECRET not in written.getvalue()


def test_libraries_debug_nothing_however_low_our_level_is(written: StringIO) -> None:
    logging.getLogger("openai").debug("request body")
    logging.getLogger("httpx").info("GET https://somewhere")
    logging.getLogger("slack_sdk").warning("retrying")
    assert written.getvalue() == ""


async def test_a_task_that_nobody_awaits_leaves_no_words_behind(written: StringIO) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": SECRET, "exception": ValueError(SECRET)})
    assert [line["logger"] for line in lines(written)] == ["asyncio"]
    assert SECRET not in written.getvalue()
