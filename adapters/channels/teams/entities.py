"""Entities that the SDK would send as nothing but their type: the AI label, citations, streams."""

from typing import Any, Final

from botbuilder.schema import Entity

from cards.elements import Citation

MOST_CITATIONS: Final = 20
_NAME, _ABSTRACT = 80, 160


class AiEntity(Entity):  # type: ignore[misc]  # the SDK has no types
    """Says that a model wrote the message, and what its words rest on. A message carries one at most."""

    _attribute_map: Final = {
        "type": {"key": "type", "type": "str"},
        "at_type": {"key": "@type", "type": "str"},
        "at_context": {"key": "@context", "type": "str"},
        "additional_type": {"key": "additionalType", "type": "[str]"},
        "citation": {"key": "citation", "type": "[object]"},
    }

    def __init__(self, citations: tuple[Citation, ...]) -> None:
        super().__init__(type="https://schema.org/Message")
        self.at_type = "Message"
        self.at_context = "https://schema.org"
        self.additional_type = ["AIGeneratedContent"]
        self.citation = [_claim(number, cited) for number, cited in enumerate(citations[:MOST_CITATIONS], 1)] or None


class StreamInfo(Entity):  # type: ignore[misc]
    """Where an activity stands in its stream. The first has no id yet, the final one no sequence."""

    _attribute_map: Final = {
        "type": {"key": "type", "type": "str"},
        "stream_id": {"key": "streamId", "type": "str"},
        "stream_type": {"key": "streamType", "type": "str"},
        "stream_sequence": {"key": "streamSequence", "type": "int"},
    }

    def __init__(self, stream_type: str, sequence: int | None = None, stream_id: str | None = None) -> None:
        super().__init__(type="streaminfo")
        self.stream_type = stream_type
        self.stream_sequence = sequence
        self.stream_id = stream_id


def _claim(position: int, cited: Citation) -> dict[str, Any]:
    appearance = {
        "@type": "DigitalDocument",
        "name": cited.title[:_NAME],
        "abstract": (cited.text or cited.title)[:_ABSTRACT],
    }
    return {"@type": "Claim", "position": position, "appearance": appearance}
