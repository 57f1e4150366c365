"""From the vendor's errors to ours, in one place."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time

import httpx
import openai

from agent.errors import ModelError, ModelMalformed, ModelRateLimited, ModelRefused, ModelTimeout, ModelUnavailable
from agent.values.usage import AgentName

RAISED = (openai.OpenAIError, httpx.HTTPError, TimeoutError, ValueError, TypeError, LookupError)
"""All that a call may raise: the vendor's errors, the transport's, our time limit, and what the vendor's library makes
of a body that is no completion.
"""

_PASSES = (408, 409, 425)


def model_error(error: Exception, agent: AgentName) -> ModelError:
    """Our error for anything in `RAISED`. Its detail has the agent and the kind only, never a text of either side."""
    match error:
        case openai.APITimeoutError() | TimeoutError() | httpx.TimeoutException():
            return ModelTimeout(f"{agent}: no answer in time")
        case openai.RateLimitError():
            return ModelRateLimited(f"{agent}: status 429", retry_after=retry_after(error.response.headers))
        case openai.LengthFinishReasonError():
            return ModelMalformed(f"{agent}: cut at the output limit")
        case openai.ContentFilterFinishReasonError():
            return ModelRefused(f"{agent}: content filter")
        case openai.APIStatusError():
            return _of_status(error, agent)
        case openai.APIConnectionError() | httpx.HTTPError():
            return ModelUnavailable(f"{agent}: {type(error).__name__}")
        case openai.APIError():
            return ModelUnavailable(f"{agent}: error in the stream")
        case _:
            return ModelMalformed(f"{agent}: {type(error).__name__}")


def _of_status(error: openai.APIStatusError, agent: AgentName) -> ModelError:
    status = error.status_code
    if error.code == "content_filter":
        return ModelRefused(f"{agent}: content filter")
    if status >= 500 or status in _PASSES:
        return ModelUnavailable(f"{agent}: status {status}")
    return ModelNotUsable(f"{agent}: status {status}")


class ModelNotUsable(ModelUnavailable):
    """The endpoint answers, but not to this key, model or request: trying again is no use."""

    code = "model_not_usable"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a `Retry-After` asks for, given as a number or as a date; None without a readable one."""
    asked = headers.get("retry-after", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        return _until(asked)


def _until(asked: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time())
    except ValueError:
        return None
