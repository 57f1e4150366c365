"""Which models an endpoint says that it has."""

import httpx

from adapters.models.openai.profile import ModelProfile


async def offered_models(profile: ModelProfile) -> tuple[str, ...] | None:
    """The names that the profile's endpoint lists; None where it lists none or does not answer that question.

    Azure lists models, but is called by deployments: None there.
    """
    if profile.provider == "azure":
        return None
    headers = {"Authorization": f"Bearer {profile.api_key}"} if profile.api_key else {}
    try:
        async with httpx.AsyncClient(timeout=profile.timeout_seconds) as http:
            answer = await http.get(f"{profile.base_url.rstrip('/')}/models", headers=headers)
            answer.raise_for_status()
            names = tuple(str(model["id"]) for model in answer.json()["data"])
    except (httpx.HTTPError, ValueError, LookupError, TypeError):
        return None
    return names or None


def is_offered(model: str, names: tuple[str, ...]) -> bool:
    """Whether a model of that name is among them; one without a tag is the one of any tag."""
    return any(model in (name, name.partition(":")[0]) for name in names)
