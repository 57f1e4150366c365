"""Whether a result covers the days that its spec asks for."""

from collections.abc import Iterator
from datetime import date, timedelta

from agent.analysis.buckets import bucket_end, bucket_start, buckets_between
from agent.analysis.metric_parts import measured_parts
from agent.analysis.reading import Reading
from agent.values.result import Doubt
from agent.values.spec import Period, QuerySpec
from agent.wording.dates import day, period_label
from agent.wording.texts import say
from semantic_catalog.model import Domain, Entity, TimeGrain

NAMED_BUCKETS = 3


def check_coverage(reading: Reading, today: date, latest: date | None) -> tuple[Doubt, ...]:
    """Doubts about time: buckets without data, cut buckets, a period past the newest data, nothing to compare with.

    `latest` is the newest day of data (the first of the month for month sources); None is not known.
    """
    spec = reading.spec
    if spec is None or spec.period is None:
        return ()
    newest = _newest(spec, reading.domain, latest)
    end = min(known for known in (spec.period.end, newest, today - timedelta(days=1)) if known is not None)
    return (
        *_past_the_data(reading, spec.period, newest),
        *_missing_buckets(reading, spec.period, end),
        *_cut_buckets(reading, spec.period),
        *_nothing_before(reading, spec),
    )


def expected_buckets(reading: Reading, first: date | None, last: date) -> tuple[date, ...]:
    """The buckets the result should have from the period's start (None: its own first bucket) to `last`."""
    present = _present(reading)
    start = first or min(present, default=None)
    if reading.grain is None or start is None:
        return ()
    return buckets_between(start, last, reading.grain)


def _present(reading: Reading) -> set[date]:
    grain = reading.grain
    return set() if grain is None else {bucket_start(found, grain) for found in reading.days()}


def _missing_buckets(reading: Reading, period: Period, end: date) -> Iterator[Doubt]:
    # A limited or filtered ranking of buckets leaves buckets out on purpose.
    if not reading.whole:
        return
    expected = expected_buckets(reading, period.start, end)
    present = _present(reading)
    missing = [start for start in expected if start not in present]
    if missing:
        yield Doubt(
            key="missing_buckets",
            params=(
                ("buckets", _listed(missing, reading)),
                ("present", str(len(expected) - len(missing))),
                ("expected", str(len(expected))),
            ),
        )


def _listed(starts: list[date], reading: Reading) -> str:
    named = ", ".join(reading.bucket(start) for start in starts[:NAMED_BUCKETS])
    rest = len(starts) - NAMED_BUCKETS
    return say(reading.locale, "doubt.and_more", names=named, more=rest) if rest > 0 else named


def _cut_buckets(reading: Reading, period: Period) -> Iterator[Doubt]:
    grain = reading.grain
    if grain is None or grain == "day":
        return
    edges = {bucket_start(edge, grain) for edge in (period.start, period.end) if edge is not None}
    for start in sorted(edges & _present(reading)):
        if reading.is_cut(start):
            yield Doubt(
                key="partial_bucket",
                params=(("bucket", reading.bucket(start)), ("days", _covered(start, period, grain, reading))),
            )


def _covered(start: date, period: Period, grain: TimeGrain, reading: Reading) -> str:
    first = max(start, period.start or start)
    last = min(bucket_end(start, grain), period.end)
    return period_label(Period(start=first, end=last, timezone=period.timezone), reading.locale)


def _past_the_data(reading: Reading, period: Period, newest: date | None) -> Iterator[Doubt]:
    if newest is not None and period.end > newest:
        params = (("latest", day(newest, reading.locale)), ("end", day(period.end, reading.locale)))
        yield Doubt(key="data_until", params=params)


def _newest(spec: QuerySpec, domain: Domain, latest: date | None) -> date | None:
    if latest is not None and latest.day == 1 and _reads_months(spec, domain):
        return bucket_end(latest, "month")
    return latest


def _reads_months(spec: QuerySpec, domain: Domain) -> bool:
    return any(e.time is not None and e.time.kind in ("month", "month_text") for e in _entities(spec, domain))


def _entities(spec: QuerySpec, domain: Domain) -> tuple[Entity, ...]:
    if spec.entity is not None:
        return (domain.entity(spec.entity),)
    parts = [part for m in domain.metrics if m.name in spec.metrics for part in measured_parts(m, domain)]
    return tuple(e for e in domain.entities if any(p.measure and e.measure(p.measure) for p in parts))


def _nothing_before(reading: Reading, spec: QuerySpec) -> Iterator[Doubt]:
    if spec.comparison is None:
        return
    places = [metric.previous for metric in reading.layout.metrics if metric.previous is not None]
    if places and not any(reading.numbers(place).count for place in places):
        yield Doubt(key="no_previous", params=(("period", period_label(spec.comparison.period, reading.locale)),))
