from datetime import UTC, datetime, timedelta

from adapters.control.postgres.processes import InForce, SeenProcess
from bot.checkups.processes import processes_found
from bot.processes import this_process

START = datetime(2026, 11, 1, 8, tzinfo=UTC)


def seen(host: str, minutes: int, catalog: str = "c1", faults: tuple[str, ...] = ()) -> SeenProcess:
    return SeenProcess(
        process=this_process("worker", 18, host, 1),
        in_force=InForce(catalog=catalog, policy="p1", faults=faults),
        started_at=START + timedelta(minutes=minutes),
        silent_seconds=3.2,
        is_live=True,
    )


def test_each_process_is_told_with_what_it_works_by_and_since_when() -> None:
    (found,) = processes_found([seen("host-a", 0)])
    assert found.name == "process worker host-a:1"
    assert found.health.ok
    for told in ("catalog c1", "policy p1", "models none", "since 2026-11-01 08:00 UTC", "seen 3 s ago", "up to 18"):
        assert told in found.health.detail


def test_one_that_works_by_another_catalog_than_the_newest_is_to_be_mended() -> None:
    old, new = processes_found([seen("host-a", 0, "c0"), seen("host-b", 5)])
    assert (old.health.ok, new.health.ok) == (False, True)
    assert "works by another catalog than the newest process" in old.health.detail
    assert "countersign catalog reload" in old.fix


def test_one_that_could_not_read_a_file_again_names_it() -> None:
    (found,) = processes_found([seen("host-a", 0, faults=("policy",))])
    assert not found.health.ok
    assert "could not read policy again" in found.health.detail


def test_no_process_is_no_fault() -> None:
    (found,) = processes_found([])
    assert (found.health.ok, found.health.detail) == (True, "none runs")
