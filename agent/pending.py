"""A proposal that waits, as the interpreter takes what was asked last."""

from datetime import datetime

from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.memory import RememberedRun, ThreadMemory
from agent.values.spec import QuerySpec
from semantic_catalog.model import Locale


def memory_of_pending(
    thread: str, run: str, asker: str, question: str, spec: QuerySpec, locale: Locale, at: datetime
) -> ThreadMemory:
    """A thread in which nothing but that question was asked, as if it had been answered at `at`."""
    pending = RememberedRun(
        run=RunId(run),
        asker=PrincipalId(asker),
        question=question,
        locale=locale,
        spec=spec,
        sql="",
        headline="",
        findings=(),
        sample=None,
        result=None,
        finished_at=at,
    )
    return ThreadMemory(thread=ThreadKey(thread), runs=(pending,))
