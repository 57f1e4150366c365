from pathlib import Path

from bot.demo.state import DomainData
from tests.chaos.storm import Weather, weather

SEED = 1
BAD = Weather(conversations=12, between_people=0.4, between_mishaps=5.0, patience=150, judges_time=False)


async def test_nothing_is_lost_doubled_or_run_unapproved_in_bad_weather(payments: DomainData, tmp_path: Path) -> None:
    report = await weather(SEED, BAD, tmp_path, payments.reader_url)
    assert report.breaches == (), report.facts
