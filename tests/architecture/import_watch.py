"""Run as a script: imports every module of the product and prints, as JSON, what a module did by itself meanwhile."""

import json
import sys
from types import FrameType

from pydantic import create_model

from tests.architecture.sources import PACKAGES, ROOT, modules

WATCHED = ("open", "socket.", "subprocess.", "os.mkdir", "os.remove", "os.rename", "os.system", "_thread.", "sqlite3.")
CLIENTS = ("aiohttp", "asyncmy", "botbuilder", "duckdb", "procrastinate", "psycopg_pool", "redis", "slack_bolt",
           "slack_sdk")  # fmt: skip


def doer(frame: FrameType | None) -> str:
    """The file of the product whose own statement did this; empty when it came of importing something else."""
    while frame is not None:
        file = frame.f_code.co_filename
        if "importlib._bootstrap" in file:
            return ""
        if any(file.startswith(str(ROOT / package)) for package in PACKAGES):
            return f"{file.removeprefix(str(ROOT))}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def main() -> None:
    """Watch, import, print."""
    # The first model of a process makes pydantic look for its plugins: whichever module that is, it is not its doing.
    create_model("First")
    done: list[str] = []

    def watch(event: str, _: object) -> None:
        if event.startswith(WATCHED):
            where = doer(sys._getframe(1))
            if where:
                done.append(f"{event} at {where}")

    sys.addaudithook(watch)
    imported = list(modules())
    clients = [f"{module.__name__}.{name}" for module in imported for name, value in vars(module).items()
               if type(value).__module__.partition(".")[0] in CLIENTS and not callable(value)]  # fmt: skip
    print(json.dumps({"imported": len(imported), "done": done, "clients": clients}))  # noqa: T201


if __name__ == "__main__":
    main()
