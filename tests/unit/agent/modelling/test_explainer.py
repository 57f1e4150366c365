from decimal import Decimal

import pytest

from agent.errors import ModelUnavailable
from agent.modelling.explainer import Explainer, Told
from agent.values.result import Narrative, ResultColumn, ResultTable
from tests.fakes.model import ScriptedModel
from tests.unit.agent.understanding.asking import payments

COLUMNS = (
    ResultColumn(name="channel", label="Channel", role="dimension", type="text", reference="channel"),
    ResultColumn(
        name="fees", label="Fees", role="metric", type="decimal", format="amount", unit="PEN", reference="fees"
    ),
)
DRAFT = Narrative(lead="Fees were highest in pos.")
TOLD = Told(
    question="fees by channel", spec=None, kpis=(), row_count=2, domain=payments(), language="en", draft=DRAFT,
    table=ResultTable(columns=COLUMNS, rows=(("pos", Decimal(300)), ("ecommerce", Decimal(120)))),
)  # fmt: skip


async def explained(lead: str, *highlights: str) -> Narrative:
    model = ScriptedModel(replies=[{"lead": lead, "highlights": list(highlights)}])
    return (await Explainer(model).explain(TOLD)).narrative


async def test_words_whose_numbers_are_the_results_are_posted_as_the_models() -> None:
    narrative = await explained("POS brought 300 in fees.", "E-commerce brought 120.")
    assert narrative == Narrative(
        lead="POS brought 300 in fees.", highlights=("E-commerce brought 120.",), written_by="model"
    )


@pytest.mark.parametrize("lead", ["POS brought 310 in fees.", "POS brought 60 % of all.", "", "x" * 400])
async def test_a_lead_with_a_planted_number_leaves_the_rules_words(lead: str) -> None:
    assert await explained(lead) == DRAFT


async def test_only_the_highlight_with_a_planted_number_goes() -> None:
    narrative = await explained("POS leads.", "POS brought 300.", "Together they made 555.")
    assert narrative.highlights == ("POS brought 300.",)


async def test_a_model_that_is_away_leaves_the_rules_words() -> None:
    found = await Explainer(ScriptedModel(replies=[ModelUnavailable("x")])).explain(TOLD)
    assert found.narrative == DRAFT
