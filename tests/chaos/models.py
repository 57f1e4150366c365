"""A language model that hangs or fails; what it would say is never heard."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from tests.fakes.slack.server import serving

AGENTS = """\
defaults: {{provider: openai, base_url: "{url}/v1", model: fickle, structured: json_object, preset: short}}
presets:
  short: {{context_tokens: 32000, output_tokens: 2000, reasoning: none, temperature: 0, timeout_seconds: 2, retries: 0}}
"""


class FickleModel:
    """`is_well` ends the hanging; it fails all the same."""

    def __init__(self, chance: random.Random) -> None:
        self.calls = 0
        self.is_well = False
        self._chance = chance

    def app(self) -> web.Application:
        """What is served."""
        app = web.Application(client_max_size=10_000_000)
        app.router.add_post("/v1/chat/completions", self._complete)
        return app

    async def _complete(self, _: web.Request) -> web.Response:
        self.calls += 1
        if not self.is_well and self._chance.random() < 0.5:
            await asyncio.sleep(10)
        return web.json_response({"error": {"message": "no"}}, status=self._chance.choice((429, 500, 503)))


@asynccontextmanager
async def fickle_model(chance: random.Random) -> AsyncIterator[tuple[FickleModel, str]]:
    """The model and its address."""
    model = FickleModel(chance)
    async with serving(model.app()) as url:
        yield model, url
