"""Snapshots of cards as readable files: `tests/snapshots/cards/<card>.<locale>.<slack.json|teams.json|txt>`.

`pytest --snapshot-update` writes them anew; a reviewer reads the difference.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "snapshots" / "cards"


def stored(name: str, drawn: str, update: bool) -> str:
    """What the snapshot of that name holds; with `update` it holds `drawn` from now on."""
    path = FOLDER / name
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def pretty(payload: Any) -> str:
    """JSON that a reviewer can read, with a line end."""
    return json.dumps(payload, ensure_ascii=False, indent=1) + "\n"
