"""`python -m tests.chaos [SEED …] [--conversations N]`: prints what happened under each seed; exit 1 on any breach.

Everything printed is also written to `out/chaos.json`.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from tests.chaos.storm import Report, Weather, weather
from tests.services import demo_data, shared_services

SEEDS = tuple(range(1, 11))
OUT = Path("out") / "chaos.json"


def main() -> int:
    """Every seed, one after the other."""
    told = _told()
    # Whoever ends it early leaves no process behind, in the background too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    bad = Weather(
        conversations=told.conversations,
        between_people=told.people_every,
        between_mishaps=told.mishap_every,
        patience=told.patience,
        judges_time=not told.busy,
        wants_all=told.conversations >= 50,
    )
    reports: list[Report] = []
    with shared_services():
        url = next(domain.reader_url for domain in demo_data().domains if domain.name == "payments")
        for seed in told.seeds or SEEDS:
            reports.append(_one(seed, bad, url))
            OUT.parent.mkdir(exist_ok=True)
            OUT.write_text(json.dumps([asdict(report) for report in reports], indent=1), encoding="utf-8")
    green = sum(not report.breaches for report in reports)
    _say(f"{green} of {len(reports)} seeds green, see {OUT}")
    return 0 if green == len(reports) else 1


def _told() -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.chaos")
    asked.add_argument("seeds", nargs="*", type=int)
    asked.add_argument("--conversations", type=int, default=200)
    asked.add_argument("--people-every", type=float, default=0.5, help="seconds between two people, on average")
    asked.add_argument("--mishap-every", type=float, default=3.5, help="seconds between two mishaps, on average")
    asked.add_argument("--patience", type=float, default=240, help="seconds that everything may take to come to rest")
    asked.add_argument("--busy", action="store_true", help="other work shares the machine: late answers are no breach")
    return asked.parse_args()


def _one(seed: int, bad: Weather, url: str) -> Report:
    folder = Path(tempfile.mkdtemp(prefix=f"countersign-chaos-{seed}-"))
    _say(f"seed {seed}: {bad.conversations} conversations, logs in {folder}")
    report = asyncio.run(weather(seed, bad, folder, url))
    _say(*(f"  {fact}" for fact in report.facts))
    _say(f"  ended: {_listed(report.outcomes)}", f"  happened: {_listed(report.happened)}")
    _say(*(f"  ! {breach}" for breach in report.breaches))
    _say(f"seed {seed}: {'green' if not report.breaches else f'{len(report.breaches)} breaches'}")
    return report


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
