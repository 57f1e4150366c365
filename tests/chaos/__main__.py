"""`python -m tests.chaos [SEED …] [--conversations N]`: prints what happened under each seed; exit 1 on any breach."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.chaos.storm import Report, Weather, weather
from tests.services import demo_data, shared_services

SEEDS = tuple(range(1, 11))


def main() -> int:
    """Every seed, one after the other."""
    asked = argparse.ArgumentParser(prog="python -m tests.chaos")
    asked.add_argument("seeds", nargs="*", type=int)
    asked.add_argument("--conversations", type=int, default=200)
    asked.add_argument("--people-every", type=float, default=0.5, help="seconds between two people, on average")
    asked.add_argument("--mishap-every", type=float, default=4.0, help="seconds between two mishaps, on average")
    told = asked.parse_args()
    bad = Weather(
        conversations=told.conversations,
        between_people=told.people_every,
        between_mishaps=told.mishap_every,
        patience=420,
    )
    with shared_services():
        url = next(domain.reader_url for domain in demo_data().domains if domain.name == "payments")
        reports = [_one(seed, bad, url) for seed in told.seeds or SEEDS]
    green = sum(not report.breaches for report in reports)
    sys.stdout.write(f"{green} of {len(reports)} seeds green\n")
    return 0 if green == len(reports) else 1


def _one(seed: int, bad: Weather, url: str) -> Report:
    folder = Path(tempfile.mkdtemp(prefix=f"countersign-chaos-{seed}-"))
    report = asyncio.run(weather(seed, bad, folder, url))
    lines = [f"seed {seed}: {'green' if not report.breaches else 'BREACHED'}, logs in {folder}"]
    lines += [f"  {fact}" for fact in report.facts] + [f"  ! {breach}" for breach in report.breaches]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return report


if __name__ == "__main__":
    sys.exit(main())
