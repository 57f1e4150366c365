"""The `Model` and `Embedder` ports by script, without a network."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ModelError, ModelUnavailable
from agent.values.completion import Completion, Prompt
from agent.values.usage import used_by


@dataclass(kw_only=True)
class ScriptedModel:
    """Answers with its replies in order: objects, or errors to raise. `prompts` lists what was asked."""

    replies: list[dict[str, Any] | ModelError] = field(default_factory=list)
    prompt_tokens: int = 30_000
    prompts: list[Prompt] = field(default_factory=list)

    async def complete(self, prompt: Prompt) -> Completion:
        """The next reply; each costs ten tokens in and five out."""
        self.prompts.append(prompt)
        if not self.replies:
            raise AssertionError("asked more often than the script knows")
        reply = self.replies.pop(0)
        if isinstance(reply, ModelError):
            raise reply
        return Completion(content=reply, usage=used_by(prompt.agent, 10, 5))


@dataclass(kw_only=True)
class ConceptEmbedder:
    """Texts point along the axes of the concepts that their words belong to; `away` makes it fail."""

    concepts: dict[str, int]
    away: bool = False
    embedded: list[str] = field(default_factory=list)

    async def documents(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """A vector for each text."""
        if self.away:
            raise ModelUnavailable("understanding: away")
        self.embedded += texts
        return tuple(self._vector(text.lower().replace("_", " ").split()) for text in texts)

    async def query(self, text: str) -> tuple[float, ...]:
        """The vector of a question."""
        return (await self.documents((text,)))[0]

    def _vector(self, words: Sequence[str]) -> tuple[float, ...]:
        axes = [0.0] * (max(self.concepts.values(), default=0) + 1)
        for word in words:
            if word in self.concepts:
                axes[self.concepts[word]] += 1
        return (*axes, 0.001)
