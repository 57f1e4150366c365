"""What the endpoint can do with a request."""

import json
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """A whole answer. `cut_after` drops the connection after so many bytes of it, or so many parts of a stream."""

    content: str
    refusal: str | None = None
    finish: str = "stop"
    tokens_in: int = 100
    tokens_out: int = 20
    cut_after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fails:
    """An error status; `raw` is the body where it is not the usual error object."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    code: str | None = None
    raw: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hangs:
    """No answer until the server stops."""


Reply = Says | Fails | Hangs


def says(content: Json | str, **fields: Any) -> Says:
    """An answer with that object, or that text, in it."""
    return Says(content=content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), **fields)


def meaning(**changes: Any) -> Json:
    """What the understanding agent answers, in English and about nothing until changed."""
    return {
        "kind": "query",
        "language": "en",
        "domain": "payments",
        "title": "",
        "follow_up": False,
        "metrics": [],
        "dimensions": [],
        "grain": None,
        "filters": [],
        "period": None,
        "comparison": "none",
        "comparison_period": None,
        "thresholds": [],
        "order_by": None,
        "descending": True,
        "limit": None,
        "calculation": "none",
        "calculation_over": None,
        "calculation_window": None,
        "chart": None,
        "unused_words": [],
        "confidence": 0.9,
        **changes,
    }
