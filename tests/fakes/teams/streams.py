"""A stream as Teams takes it: step by step, each text longer than the one before."""

from dataclasses import dataclass, field
from typing import Any

LEAST_PAUSE = 1.0
MOST_SECONDS = 120.0


@dataclass(kw_only=True)
class Stream:
    """One stream. `shown` are the texts so far; `pause` is what lies between two steps at the least."""

    conversation: str
    shown: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    is_over: bool = False
    sequence: int = 0

    def take(self, activity: dict[str, Any], told: dict[str, Any], now: float) -> list[str]:
        """What is wrong with the next step."""
        faults = []
        if self.is_over:
            faults.append("stream: goes on after its end")
        if self.times and now - self.times[0] > MOST_SECONDS:
            faults.append("stream: longer than two minutes")
        if self.times and now - self.times[-1] < LEAST_PAUSE:
            faults.append("stream: faster than a step a second")
        faults += self._final(activity) if told["streamType"] == "final" else self._step(activity, told)
        self.times.append(now)
        return faults

    def _final(self, activity: dict[str, Any]) -> list[str]:
        self.is_over = True
        entity = next(each for each in activity["entities"] if each["type"] == "streaminfo")
        faults = ["stream: a final step has no sequence"] if "streamSequence" in entity else []
        return faults + (["stream: ends as another activity"] if activity["type"] != "message" else [])

    def _step(self, activity: dict[str, Any], told: dict[str, Any]) -> list[str]:
        self.sequence += 1
        faults = [] if told.get("streamSequence") == self.sequence else ["stream: a step is missing"]
        if told["streamType"] == "streaming":
            if self.shown and not activity["text"].startswith(self.shown[-1]):
                faults.append("stream: a text does not go on from the one before")
            self.shown.append(activity["text"])
        return faults
