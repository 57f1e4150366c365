"""The floor of an acknowledgement, also as a process of its own: `python -m tests.bench.bare_handler PORT`."""

import sys

from aiohttp import web


def bare_app() -> web.Application:
    """Reads the body and says 200."""

    async def accept(request: web.Request) -> web.Response:
        await request.read()
        return web.Response()

    app = web.Application()
    app.router.add_post("/slack/events", accept)
    return app


if __name__ == "__main__":
    web.run_app(bare_app(), host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)
