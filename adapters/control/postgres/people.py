"""Deletes what is kept of one person."""

import json
from dataclasses import replace

from psycopg.types.json import Json

from adapters.control.postgres.connections import Connection, Pool, connected
from agent.codec import decode, encode
from agent.values.governance import Decision
from agent.values.identity import ExternalUser, PrincipalId
from agent.values.memory import ThreadMemory
from agent.values.personal import Forgotten

_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
_OWN_RUNS = "SELECT run FROM countersign.runs WHERE asker = %(person)s"
# Looked for as text: people's words in it may hold what the JSON operators refuse.
_THREADS = "SELECT memory FROM countersign.memories WHERE strpos(memory::text, %(named)s) > 0 FOR UPDATE"
_SAID = "SELECT run, revision, decision FROM countersign.decisions WHERE decided_by = %(person)s AND text <> ''"
_WAITS = """
    DELETE FROM procrastinate_jobs WHERE queue_name = 'turns' AND status = 'todo'
      AND args->'turn'->'author'->>'channel' = %(channel)s AND args->'turn'->'author'->>'tenant' = %(tenant)s
      AND args->'turn'->'author'->>'user_id' = %(user)s
"""
# Answers to commands belong to no run. What is to be told of somebody else's run stays.
_TOLD = """
    DELETE FROM countersign.letters AS l WHERE strpos(letter::text, %(named)s) > 0
      AND NOT EXISTS (SELECT FROM countersign.runs AS r WHERE r.run = l.run)
"""
_UNSAID = "UPDATE countersign.decisions SET text = '', decision = %s WHERE run = %s AND revision = %s"

# What was used today stays until tomorrow, in every zone: forgetting must not fill a budget again.
_FORGET_USE = (
    "DELETE FROM countersign.budget_entries WHERE person = %(person)s AND day < current_date - 1",
    "DELETE FROM countersign.budget_days WHERE account = 'person:' || %(person)s AND day < current_date - 1",
)


class PostgresPeople:
    """Raises StoreUnavailable when the database does not answer."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def forget(self, person: PrincipalId) -> Forgotten:
        """Delete the person's questions, answers, files, memories and words, all or nothing; what went.

        The audit log stays: it holds who did what and when, nobody's words and no data. So do today's amounts of what
        was used, until they are past their time.
        """
        async with connected(self._pool) as connection, connection.transaction():
            await _forget_unread(connection, person)
            await _forget_in_threads(connection, person)
            said = await _forget_reasons(connection, person)
            results = await _count(connection, f"DELETE FROM countersign.results WHERE run IN ({_OWN_RUNS})", person)
            files = await _count(connection, f"DELETE FROM countersign.artifacts WHERE run IN ({_OWN_RUNS})", person)
            files += await _count(connection, "DELETE FROM countersign.files WHERE giver = %(person)s", person)
            memories = await _count(
                connection, "DELETE FROM countersign.personal_memories WHERE person = %(person)s", person
            )
            opinions = await _count(connection, "DELETE FROM countersign.feedback WHERE person = %(person)s", person)
            await _count(connection, "DELETE FROM countersign.standing_approvals WHERE asker = %(person)s", person)
            for statement in _FORGET_USE:
                await _count(connection, statement, person)
            await _count(connection, "DELETE FROM countersign.schedules WHERE owner = %(person)s", person)
            questions = await _forget_runs(connection, person)
        return Forgotten(questions=questions, results=results, files=files, memories=memories, opinions=opinions + said)


async def _forget_unread(connection: Connection, person: PrincipalId) -> None:
    """What waits for a worker or a platform, by the ids that platforms know the person under."""
    known = await connection.execute("SELECT who FROM countersign.identities WHERE principal = %s", (person,))
    for row in await known.fetchall():
        who = decode(ExternalUser, row["who"])
        await connection.execute(_WAITS, {"channel": who.channel, "tenant": who.tenant, "user": who.user_id})
        await connection.execute(_TOLD, {"named": json.dumps({"user_id": who.user_id})[1:-1]})
    await _count(connection, "DELETE FROM countersign.identities WHERE principal = %(person)s", person)


async def _forget_in_threads(connection: Connection, person: PrincipalId) -> None:
    """Threads go on; what they remember of this person's questions does not."""
    named = json.dumps({"asker": person})[1:-1]
    rows = await (await connection.execute(_THREADS, {"named": named})).fetchall()
    for row in rows:
        memory = decode(ThreadMemory, row["memory"])
        kept = replace(
            memory, version=memory.version + 1, runs=tuple(run for run in memory.runs if run.asker != person)
        )
        await connection.execute(
            "UPDATE countersign.memories SET version = %s, memory = %s WHERE thread = %s",
            (kept.version, Json(encode(kept)), kept.thread),
        )


async def _forget_reasons(connection: Connection, person: PrincipalId) -> int:
    rows = await (await connection.execute(_SAID, {"person": person})).fetchall()
    for row in rows:
        unsaid = replace(decode(Decision, row["decision"]), text="")
        await connection.execute(_UNSAID, (Json(encode(unsaid)), row["run"], row["revision"]))
    return len(rows)


async def _forget_runs(connection: Connection, person: PrincipalId) -> int:
    keys = "SELECT thread || '/' || run FROM countersign.runs WHERE asker = %(person)s"
    for table in _CHECKPOINTS:
        await _count(connection, f"DELETE FROM {table} WHERE thread_id IN ({keys})", person)
    for table in ("letters", "cards", "posts"):
        await _count(connection, f"DELETE FROM countersign.{table} WHERE run IN ({_OWN_RUNS})", person)
    return await _count(connection, "DELETE FROM countersign.runs WHERE asker = %(person)s", person)


async def _count(connection: Connection, statement: str, person: PrincipalId) -> int:
    return (await connection.execute(statement.encode(), {"person": person})).rowcount
