"""A person's approval of a kind of question: the policy signs the next ones by it."""

from dataclasses import dataclass
from datetime import datetime

from agent.values.governance import RiskLevel
from agent.values.identity import PrincipalId, RunId
from semantic_catalog.model import DomainName


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingApproval:
    """For one asker, one kind of question and a time (instants are aware, UTC). `title` is the question it came from.

    `level` is the risk that was signed for: a riskier question of the kind needs a signature of its own.
    """

    id: str
    kind: str
    domain: DomainName
    asker: PrincipalId
    granted_by: PrincipalId
    granted_by_name: str
    granted_at: datetime
    expires_at: datetime
    run: RunId
    level: RiskLevel
    title: str = ""
