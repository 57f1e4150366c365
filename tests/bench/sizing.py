"""`python -m tests.bench.sizing`: what a deployment needs, measured over real conversations of one worker."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from redis.asyncio import Redis

from bot.logs import configure_logs
from tests.bench.deployment import Deployment, deployment
from tests.bench.figures import put, short
from tests.bench.loaded import approved, asked
from tests.bench.measuring import percentile
from tests.bench.processes import cpu_seconds, megabytes, most_megabytes
from tests.bench.stage import Stage, stage

WARM_UP = 20
THOUSAND = 1_000
KILOBYTE = 1_024
_TABLES = """
SELECT n.nspname || '.' || c.relname, pg_total_relation_size(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname IN ('countersign', 'public')
"""
_BACKENDS = "SELECT pid, application_name FROM pg_stat_activity WHERE datname IN (current_database(), %s) AND pid <> %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What stood on the meters at one moment: CPU seconds by part, bytes by table, bytes in the cache."""

    cpu: dict[str, float]
    tables: dict[str, int]
    cache: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """What one run came to.

    `seconds` are those of all questions and of all approvals, `held` is the median of a turn that ended so.
    """

    conversations: int
    seconds: tuple[float, float]
    held: dict[str, float]
    cpu: dict[str, float]
    memory: dict[str, float]
    connections: dict[str, int]
    grown: dict[str, int]
    kept: dict[str, int]
    cache: int


Conversations = Annotated[int, typer.Option(min=1, help="How many are held.")]
Document = Annotated[bool, typer.Option("--document", help="Write the figures into docs/operations.md.")]


def main(conversations: Conversations = 200, is_documented: Document = False, out: Path = Path("out")) -> None:
    """Hold them, and print what they cost."""
    configure_logs("ERROR")
    with stage(out / "bench") as set_up:
        text = sizing_text(asyncio.run(sizing(set_up, conversations)))
    typer.echo(text)
    if is_documented:
        put("sizing", text)


async def sizing(on: Stage, conversations: int, warm_up: int = WARM_UP) -> Sizing:
    """With one `serve` and one `worker`, question to answer with its chart and workbook, by rules."""
    async with deployment(on, "sizing") as running:
        worker = await running.add_worker()
        idle = {"serve, idle": megabytes(running.serve.pid), "worker, idle": megabytes(worker.pid)}
        await _held(running, warm_up)
        await running.control.execute("VACUUM")
        before = await _meter(running)
        seconds = await _held(running, conversations)
        after = await _meter(running)
        busy = {"serve, most": most_megabytes(running.serve.pid), "worker, most": most_megabytes(worker.pid)}
        assert await running.statuses() == {"answered": warm_up + conversations}
        connections = await _connections(running)
        await running.control.execute("VACUUM")
        kept = await _tables(running)
    return Sizing(
        conversations=conversations,
        seconds=seconds,
        held=await asyncio.to_thread(_held_places, running.folder / "worker-1.log"),
        cpu={part: spent - before.cpu[part] for part, spent in after.cpu.items()},
        memory=idle | busy,
        connections=connections,
        grown=_grown(before.tables, after.tables),
        kept=_grown(before.tables, kept),
        cache=after.cache - before.cache,
    )


def sizing_text(found: Sizing) -> str:
    """The figures in Markdown."""
    held, (asking, answering) = found.conversations, found.seconds
    both = asking + answering
    lines = [
        f"{held} conversations, one `serve` and one `worker`: {held / asking:.1f} proposals a second,"
        f" {held / answering:.1f} answers a second, {held / both:.1f} whole conversations a second.",
        "",
        "| | |",
        "| --- | --: |",
        *(f"| a worker's place is held until the {end} | {spent:.2f} s |" for end, spent in found.held.items()),
        *(f"| CPU of a conversation, {part} | {1_000 * spent / held:,.0f} ms |" for part, spent in found.cpu.items()),
        *(f"| memory, {part} | {held_megabytes:,.0f} MB |" for part, held_megabytes in found.memory.items()),
        *(f"| connections, {name} | {number} |" for name, number in sorted(found.connections.items())),
        f"| Redis, 1,000 conversations | {_megabytes(found.cache, held)} MB |",
        "",
        "| table | 1,000 conversations, MB | after VACUUM |",
        "| --- | --: | --: |",
        *(_table(name, grown, found) for name, grown in sorted(found.grown.items(), key=lambda each: -each[1])),
        f"| together | {_megabytes(sum(found.grown.values()), held)} | {_megabytes(sum(found.kept.values()), held)} |",
    ]
    return "\n".join(lines)


def _table(name: str, grown: int, found: Sizing) -> str:
    kept = _megabytes(found.kept.get(name, 0), found.conversations)
    return f"| `{name}` | {_megabytes(grown, found.conversations)} | {kept} |"


def _megabytes(grown: int, conversations: int) -> str:
    return short(grown * THOUSAND / conversations / KILOBYTE**2)


def _grown(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {name: size - before[name] for name, size in after.items() if size != before[name]}


def _held_places(log: Path) -> dict[str, float]:
    """How long turns were handled for, by what they ended with; waiting for their turn not counted. In seconds."""
    spent: dict[str, list[float]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        if said["event"] == "turn_handled":
            stages = said["ms"]
            spent.setdefault(said["outcome"], []).append((sum(stages.values()) - stages["queue"]) / 1_000)
    return {outcome: percentile(each, 50) for outcome, each in spent.items()}


async def _held(running: Deployment, conversations: int) -> tuple[float, float]:
    """Every question at once, then every approval at once; the seconds of each."""
    began = perf_counter()
    await asked(running, conversations)
    proposed = perf_counter()
    await approved(running)
    return proposed - began, perf_counter() - proposed


async def _meter(running: Deployment) -> Meter:
    spent = {
        "serve": cpu_seconds(running.serve.pid),
        "worker": sum(cpu_seconds(worker.pid) for worker in running.workers),
        "PostgreSQL (control and warehouse)": sum(cpu_seconds(pid) for pid, _ in await _backends(running)),
    }
    return Meter(cpu=spent, tables=await _tables(running), cache=await _cache(running.stage.cache))


async def _tables(running: Deployment) -> dict[str, int]:
    rows = await (await running.control.execute(_TABLES)).fetchall()
    return {str(name).removeprefix("public."): int(size) for name, size in rows}


async def _backends(running: Deployment) -> list[tuple[int, str]]:
    warehouse = running.stage.payments.rpartition("@/")[2].partition("?")[0]
    own = running.control.info.backend_pid
    rows = await (await running.control.execute(_BACKENDS, (warehouse, own))).fetchall()
    return [(int(pid), str(name)) for pid, name in rows]


async def _connections(running: Deployment) -> dict[str, int]:
    """To PostgreSQL by what each connection calls itself, numbers of processes left out."""
    found: dict[str, int] = {}
    for _, name in await _backends(running):
        kind = " ".join(word for word in name.split() if not any(char.isdigit() for char in word))
        found[kind] = found.get(kind, 0) + 1
    return found


async def _cache(url: str) -> int:
    """Bytes of every key of the stage's own database of the cache."""
    async with Redis.from_url(url) as client:
        return sum([int(await client.memory_usage(key) or 0) async for key in client.scan_iter(count=1_000)])


if __name__ == "__main__":
    typer.run(main)
