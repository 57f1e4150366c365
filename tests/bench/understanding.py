"""Row: how long the rules take to understand a question, warm."""

from agent.deps import Deps
from agent.values.identity import PrincipalId, ThreadKey
from agent.values.memory import Question, ThreadMemory
from bot.bootstrap import product
from tests.bench.measuring import Row, milliseconds, no_collection
from tests.bench.stage import TODAY, Stage

QUESTIONS = (
    "What was the approval rate of the last seven days by channel?",
    "top 5 merchants by processed amount last month in Lima",
    "monthly chargebacks by brand this year",
    "¿Cuál fue la tasa de aprobación de los últimos siete días por canal?",
    "facturación por región del mes pasado sin Amex",
    "Какова доля одобренных операций за последние 7 дней по каналам?",
)
ASKER = PrincipalId("ana")


async def understanding_row(stage: Stage, *, warm_up: int, repetitions: int) -> Row:
    """Every question once a repetition; each time is one question's."""
    async with product(stage.settings(), lambda _: {}) as built:
        deps = built.runner.desk.deps
        for _ in range(warm_up):
            await _all(deps)
        with no_collection():
            times = [spent for _ in range(repetitions) for spent in await _all(deps)]
    return Row(
        name="understanding a question",
        subject_is=f"rules, warm: {len(QUESTIONS)} questions in English, Spanish and Russian",
        times=tuple(times),
    )


async def _all(deps: Deps) -> list[float]:
    principal = deps.principal(ASKER)
    return [await milliseconds(deps.interpreter.interpret(_asked(text), principal)) for text in QUESTIONS]


def _asked(text: str) -> Question:
    return Question(text=text, locale=None, today=TODAY, memory=ThreadMemory(thread=ThreadKey("console:bench")))
