"""What a run has fetched already."""

from dataclasses import dataclass

from agent.values.result import ResultRef, ResultSample


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The stored rows of the query of that fingerprint, the first few of them, and how many seconds they took."""

    fingerprint: str
    result: ResultRef
    sample: ResultSample
    seconds: float
