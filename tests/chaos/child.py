"""One process of the deployment: `python -m tests.chaos.child serve|worker`, configured by the environment."""

import asyncio
import json
import os
import sys

from adapters.channels.teams.config import Endpoints
from bot.serving import run_service

ENDPOINTS = "CHAOS_TEAMS_ENDPOINTS"


def main() -> None:
    """Run until told to stop."""
    told = json.loads(os.environ[ENDPOINTS])  # noqa: TID251  # how a child process is told
    endpoints = Endpoints(**{**told, "file_hosts": tuple(told["file_hosts"])})
    serves = sys.argv[1] == "serve"
    asyncio.run(run_service(http=serves, worker=not serves, endpoints=endpoints))


if __name__ == "__main__":
    main()
