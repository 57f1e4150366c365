"""Answers in words alone."""

from agent.state import RunState, encode_outcome, language_of
from agent.values.identity import RunId
from agent.values.outcome import Reply
from agent.wording.texts import say


def reply(state: RunState, key: str, **params: str) -> RunState:
    """The text of `key` as the run's outcome."""
    language = language_of(state)
    text = say(language, key, **params)
    return {"outcome": encode_outcome(Reply(run=RunId(state["run"]), locale=language, text=text))}
