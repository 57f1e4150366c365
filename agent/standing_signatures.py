"""A signature for a question whose kind somebody approved before."""

from agent.deps import Deps
from agent.policy.standing import kind_of, offered_days, still_counts
from agent.state import RunState, spec_of
from agent.values.governance import Countersignature, NeedsApproval
from agent.values.identity import PrincipalId
from agent.values.schedule import schedule_kind

BY_STANDING = "standing:"


async def standing_signature(state: RunState, deps: Deps, wanted: NeedsApproval) -> Countersignature | None:
    """The signature of the asker's approval of this kind, if it holds now and under the policy of now."""
    spec, policy, now = spec_of(state), deps.policy_now(), deps.clock.now()
    if spec is None or not offered_days(policy, wanted.query, wanted.risk):
        return None
    for kind in (*_of_schedule(state), kind_of(spec, wanted.query)):
        approval = await deps.approvals.find(kind, PrincipalId(state["asker"]), now)
        # Who gave it may have lost their groups meanwhile: only the policy after the look-up knows.
        if approval is not None and still_counts(approval, deps.policy_now(), wanted.query, wanted.risk):
            return Countersignature(by=f"{BY_STANDING}{approval.granted_by_name}", at=now, tier=wanted.risk.tier)
    return None


def _of_schedule(state: RunState) -> tuple[str, ...]:
    """The kind of the run's schedule; a question that was changed meanwhile is no longer the schedule's."""
    schedule = state.get("schedule")
    return (schedule_kind(schedule),) if schedule and state.get("revision", 1) == 1 else ()
