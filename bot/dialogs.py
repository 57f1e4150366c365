"""What buttons ask before they send, with what their run has to offer."""

from dataclasses import dataclass

from agent.ports import CatalogSource
from agent.values.outcome import Proposal
from agent.values.turn import CardAction
from agent.wording.dates import zone_name
from bot.ports import RunStore
from cards.build.forms import change_form
from cards.build.prompts import prompt_of
from cards.build.schedule import schedule_form
from cards.forms import Form, form_of_prompt
from semantic_catalog.model import Locale
from semantic_catalog.reach import can_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogs:
    """Forms for channels that have dialogs."""

    runs: RunStore
    catalog: CatalogSource

    async def form(self, action: CardAction, locale: Locale) -> Form | None:
        """The button's form; None for a button that sends at once. Raises `StoreUnavailable`."""
        if action.verb == "change" and action.run is not None:
            record = await self.runs.get(action.run)
            if record is not None and isinstance(record.pending, Proposal):
                return change_form(record.pending, self._splits(record.pending))
        if action.verb == "schedule":
            return schedule_form(zone_name(self.catalog.current().domains[0].timezone, locale), locale)
        prompt = prompt_of(action, locale)
        return None if prompt is None else form_of_prompt(prompt)

    def _splits(self, proposal: Proposal) -> tuple[str, ...]:
        """The labels of what every metric of the question can be split by besides."""
        spec = proposal.spec
        if spec is None:
            return ()
        domain = self.catalog.current().domain(proposal.query.domain)
        used = frozenset(spec.dimensions) | {item.dimension for item in spec.filters}
        return tuple(
            known.names.in_locale(proposal.locale)
            for known in domain.dimensions
            if known.name not in spec.dimensions
            and all(can_answer(domain, metric, used | {known.name}, spec.grain) for metric in spec.metrics)
        )
