"""What the gallery shows: each kind of chart over data that charts fail on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import sin

from agent.analysis.buckets import next_start
from agent.values.result import ChartSpec, ResultColumn, ResultTable, Row
from agent.values.spec import ChartKind
from semantic_catalog.model import LOCALES, Locale, TimeGrain
from tests.unit.agent.analysis.results import dimension, metric, table, time

TITLES: dict[Locale, str] = {
    "en": "Processed amount by merchant and by every channel it sells through, last twelve months",
    "es": "Monto procesado por comercio y por cada canal por el que vende, últimos doce meses",
    "ru": "Оборот по торговым точкам и по каждому каналу продаж за последние двенадцать месяцев",
}
NAMES: dict[Locale, tuple[str, ...]] = {
    "en": ("Groceries", "The Very Long Name of a Consolidated Trading Company Ltd.", "Hotels", "Fuel", "Airlines"),
    "es": ("Abarrotes", "Comercializadora Internacional de Alimentos y Bebidas S.A.C.", "Hoteles", "Grifos", "Viajes"),
    "ru": ("Продукты", "Межрегиональная торгово-производственная компания Северсталь", "Отели", "Топливо", "Авиа"),
}
LABELS: dict[Locale, dict[str, str]] = {
    "en": {"forecast": "Forecast", "low_80": "Low 80", "high_80": "High 80", "low_95": "Low 95", "high_95": "High 95"},
    "es": {"forecast": "Pronóstico", "low_80": "Mín. 80", "high_80": "Máx. 80", "low_95": "Mín. 95",
           "high_95": "Máx. 95"},
    "ru": {"forecast": "Прогноз", "low_80": "Мин. 80", "high_80": "Макс. 80", "low_95": "Мин. 95",
           "high_95": "Макс. 95"},
}  # fmt: skip
MEMBER_KINDS: tuple[ChartKind, ...] = ("bar", "horizontal_bar", "pie", "treemap")
TIME_KINDS: tuple[ChartKind, ...] = ("line", "area", "bar")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One chart of the gallery; the name is its file's."""

    name: str
    spec: ChartSpec
    table: ResultTable
    locale: Locale


def pieces() -> tuple[Piece, ...]:
    """All charts of the gallery."""
    return (*_members(), *_courses(), *_several(), *_piles(), *_combos(), *_forecasts())


def _spec(kind: ChartKind, category: str, *values: str, series: str | None = None, locale: Locale = "en") -> ChartSpec:
    return ChartSpec(
        kind=kind, category=category, values=values, series=series, title=TITLES[locale], subtitle="2025–2026",
        source="Merchant performance", additive=True,
    )  # fmt: skip


def _members() -> Iterator[Piece]:
    for kind in MEMBER_KINDS:
        for name, rows in _member_rows():
            data = table((dimension("merchant"), metric("processed_amount")), *rows)
            spec = _spec(kind, "merchant", "processed_amount")
            yield Piece(name=f"{kind}-{name}", spec=spec, table=data, locale="en")
        for locale in LOCALES:
            rows = [(name, 9_876_543.21 / (place + 1)) for place, name in enumerate(NAMES[locale])]
            data = table((dimension("merchant", locale), metric("processed_amount", locale)), *rows)
            spec = _spec(kind, "merchant", "processed_amount", locale=locale)
            yield Piece(name=f"{kind}-long-labels-{locale}", spec=spec, table=data, locale=locale)


def _member_rows() -> tuple[tuple[str, Sequence[Row]], ...]:
    return (
        ("1-point", [("Groceries", 1_234_567.8)]),
        ("60-categories", [(f"Bodega {place:02}", 5_000_000 / (place + 1)) for place in range(60)]),
        ("negatives", [("Groceries", 45_000.0), ("Hotels", -12_000.5), ("Fuel", -80.25), ("Airlines", 20_000.0)]),
        ("gaps", [("Groceries", 45_000.0), ("Hotels", None), ("Fuel", 8_000.0)]),
    )


def _courses() -> Iterator[Piece]:
    for kind in TIME_KINDS:
        for name, grain, values in _course_values():
            data = table((time(grain), metric("processed_amount")), *_dated(grain, values))
            spec = _spec(kind, grain, "processed_amount")
            yield Piece(name=f"{kind}-{name}", spec=spec, table=data, locale="en")
        for locale in LOCALES:
            data = table((time("month"), metric("approval_rate", locale)), *_dated("month", _wave(18, 0.85, 0.05)))
            spec = _spec(kind, "month", "approval_rate", locale=locale)
            yield Piece(name=f"{kind}-rate-{locale}", spec=spec, table=data, locale=locale)


def _course_values() -> tuple[tuple[str, TimeGrain, list[float | None]], ...]:
    gaps: list[float | None] = list(_wave(24, 900_000.0, 200_000.0))
    gaps[5:8] = [None, None, None]
    gaps[15] = None
    return (
        ("1-point-over-time", "month", [1_234_567.8]),
        ("400-points", "day", list(_wave(400, 1_000_000.0, 300_000.0))),
        ("negatives-over-time", "month", list(_wave(12, 0.0, 500_000.0))),
        ("gaps-over-time", "month", gaps),
    )


def _several() -> Iterator[Piece]:
    for kind in ("line", "area"):
        for locale in LOCALES:
            rows = [
                (start, name, 1_000_000.0 / (place + 1) + 50_000 * sin(at / 2 + place))
                for at, start in enumerate(_starts("month", 14))
                for place, name in enumerate(NAMES[locale])
                if not (place == 2 and 4 <= at <= 6)
            ]
            columns = (time("month"), dimension("merchant", locale), metric("processed_amount", locale))
            spec = _spec(kind, "month", "processed_amount", series="merchant", locale=locale)
            yield Piece(name=f"{kind}-several-{locale}", spec=spec, table=table(columns, *rows), locale=locale)


def _piles() -> Iterator[Piece]:
    for locale in LOCALES:
        yield _pile(f"stacked-members-{locale}", _crossed(NAMES[locale], ("POS", "Web", "App"), 1.0), locale)
    yield _pile("stacked-1-point", _crossed(("Groceries",), ("POS", "Web"), 1.0), "en")
    yield _pile("stacked-60-categories", _crossed([f"Bodega {i:02}" for i in range(60)], ("POS", "Web"), 1.0), "en")
    yield _pile("stacked-12-parts", _crossed(("Lima", "Cusco"), [f"Part {i}" for i in range(12)], 1.0), "en")
    yield _pile("stacked-negatives", _crossed(("Lima", "Cusco", "Piura"), ("POS", "Web", "App"), -1.0), "en")
    rows = [(start, channel, 400_000.0 / (place + 1) + 20_000 * at)
            for at, start in enumerate(_starts("month", 16)) if at not in (5, 6)
            for place, channel in enumerate(("POS", "Web", "App"))]  # fmt: skip
    columns = (time("month"), dimension("channel"), metric("processed_amount"))
    spec = _spec("stacked", "month", "processed_amount", series="channel")
    yield Piece(name="stacked-gaps-over-time", spec=spec, table=table(columns, *rows), locale="en")


def _pile(name: str, rows: Sequence[Row], locale: Locale) -> Piece:
    columns = (dimension("merchant", locale), dimension("channel", locale), metric("processed_amount", locale))
    spec = _spec("stacked", "merchant", "processed_amount", series="channel", locale=locale)
    return Piece(name=name, spec=spec, table=table(columns, *rows), locale=locale)


def _crossed(names: Sequence[str], parts: Sequence[str], sign: float) -> list[Row]:
    return [
        (name, part, 900_000.0 / (at + 1) / (place + 1) * (sign if place == 1 else 1.0))
        for at, name in enumerate(names)
        for place, part in enumerate(parts)
    ]


def _combos() -> Iterator[Piece]:
    for locale in LOCALES:
        months, amounts, rates = _starts("month", 13), _wave(13, 900_000.0, 300_000.0), _wave(13, 0.86, 0.04)
        rows = list(zip(months, amounts, rates, strict=True))
        yield _combo(f"combo-{locale}", time("month"), rows, locale)
    gaps = [(start, None if at == 3 else 5e5, None if at in (4, 7) else 0.8 + at / 100)
            for at, start in enumerate(_starts("month", 12))]  # fmt: skip
    yield _combo("combo-gaps", time("month"), gaps, "en")
    yield _combo("combo-1-point", time("month"), [(date(2026, 10, 1), 5e5, 0.8)], "en")
    negatives = [(start, value, 0.5 + value / 2e6)
                 for start, value in zip(_starts("month", 12), _wave(12, 0.0, 5e5), strict=True)]  # fmt: skip
    yield _combo("combo-negatives", time("month"), negatives, "en")
    members = [(name, 900_000.0 / (at + 1), 0.8 + at / 50) for at, name in enumerate(("Lima", "Cusco", "Piura"))]
    yield _combo("combo-members", dimension("region"), members, "en")


def _combo(name: str, category: ResultColumn, rows: Sequence[Row], locale: Locale) -> Piece:
    columns = (category, metric("processed_amount", locale), metric("approval_rate", locale))
    spec = _spec("combo", category.name, "processed_amount", "approval_rate", locale=locale)
    return Piece(name=name, spec=spec, table=table(columns, *rows), locale=locale)


def _forecasts() -> Iterator[Piece]:
    for locale in LOCALES:
        yield _forecast(f"forecast-{locale}", list(_wave(24, 900_000.0, 200_000.0)), 6, locale)
    yield _forecast("forecast-1-ahead", list(_wave(12, 0.0, 100_000.0)), 1, "en")
    yield _forecast("forecast-400-points", list(_wave(400, 900_000.0, 200_000.0)), 30, "en", "day")


def _forecast(name: str, values: list[float], ahead: int, locale: Locale, grain: TimeGrain = "month") -> Piece:
    amount = metric("processed_amount", locale)
    rows = _dated(grain, [*values, *[None] * ahead])
    last = values[-1]
    cells: list[Row] = []
    for at, (start, value) in enumerate(rows):
        step = at - len(values) + 1
        spread = 30_000.0 * step**0.5 if step > 0 else 0.0
        near = (last + 8_000 * step, *(last + times * spread for times in (-1.28, 1.28, -1.96, 1.96)))
        cells.append((start, value, *(near if step > 0 else [None] * 5)))
    names = ("forecast", "low_80", "high_80", "low_95", "high_95")
    more = [
        replace(amount, name=f"processed_amount_{each}", label=LABELS[locale][each], role="other") for each in names
    ]
    spec = replace(
        _spec("line", grain, "processed_amount", "processed_amount_forecast", locale=locale),
        intervals=tuple((f"processed_amount_low_{n}", f"processed_amount_high_{n}", n) for n in ("95", "80")),
    )
    return Piece(name=name, spec=spec, table=table((time(grain), amount, *more), *cells), locale=locale)


def _wave(count: int, level: float, swing: float) -> tuple[float, ...]:
    return tuple(level + swing * sin(at / 2.2) + level * at / 400 for at in range(count))


def _starts(grain: TimeGrain, count: int) -> list[date]:
    start, found = date(2025, 1, 1), []
    for _ in range(count):
        found.append(start)
        start = start + timedelta(days=1) if grain == "day" else next_start(start, grain)
    return found


def _dated(grain: TimeGrain, values: Sequence[float | None]) -> list[Row]:
    return [(start, value) for start, value in zip(_starts(grain, len(values)), values, strict=True)]
