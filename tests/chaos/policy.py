"""Who takes part: Ana, who may sign for all; Bob, who may not; and one person for each private conversation."""

from collections.abc import Iterable
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import yaml

from tests.chaos.plans import Plan
from tests.fakes.slack.workspace import TEAM, Workspace
from tests.fakes.teams.connector import TENANT
from tests.fakes.teams.people import Person

POLICY = Path(__file__).resolve().parents[1] / "scenario" / "policy.yaml"
_OBJECTS = {
    "ana": "a11ce000-0000-4000-8000-000000000001",
    "bob": "b0b00000-0000-4000-8000-000000000002",
}


def policy_for(plans: Iterable[Plan]) -> str:
    """The policy file: that of the scenarios, and those who ask in private; they sign for themselves only."""
    policy = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    policy["roles"]["soloist"] = {"domains": ["payments"], "may_approve": "own"}
    policy["people"] += [
        {
            "id": plan.asker,
            "name": name_of(plan.asker),
            "roles": ["soloist"],
            "slack": [{"team": TEAM, "user": slack_user(plan.asker)}],
            "teams": [{"tenant": TENANT, "object_id": teams_person(plan.asker).object_id}],
        }
        for plan in plans
        if plan.is_private
    ]
    return yaml.safe_dump(policy, sort_keys=False)


def settle(workspace: Workspace, plans: Iterable[Plan]) -> None:
    """Everybody is in the workspace; who asks in private has a direct conversation."""
    askers = {plan.asker for plan in plans if plan.is_private}
    for person in sorted({"ana", "bob", *askers}):
        workspace.add_user(slack_user(person), name=name_of(person), locale="en-US")
    workspace.add_conversation("C0SALES", "U0ANA", "U0BOB")
    for person in sorted(askers):
        workspace.add_conversation(slack_direct(person), slack_user(person))


def name_of(person: str) -> str:
    """As people see it."""
    return person.capitalize()


def slack_user(person: str) -> str:
    """In the workspace."""
    return f"U0{person.upper()}"


def slack_direct(person: str) -> str:
    """The direct conversation of the person and the bot, as `Workspace.direct` names it."""
    return f"D{slack_user(person)[1:]}"


def teams_person(person: str) -> Person:
    """In the tenant."""
    return Person(name=name_of(person), object_id=_OBJECTS.get(person) or str(uuid5(NAMESPACE_URL, person)))


def teams_direct(person: str) -> str:
    """The person's own chat with the bot."""
    return f"a:1-{teams_person(person).object_id}"
