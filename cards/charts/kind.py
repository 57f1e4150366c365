"""The kind of chart that the data allows."""

from agent.values.spec import ChartKind
from cards.charts.data import ChartData

# Characters that fit across a picture, one after another.
CHARACTERS_ACROSS = 96
# More bars than this along time would be thinner than the gaps between them.
MAX_BARS = 100


def drawable_kind(kind: ChartKind, data: ChartData) -> ChartKind:
    """The wished kind, or bars where it cannot be drawn; bars lie down where their names would not fit below them."""
    if len(data.starts) > MAX_BARS and kind in ("bar", "stacked"):
        kind = "line" if kind == "bar" or not _is_positive(data) else "area"
    if kind == "area" and len(data.series) > 1 and _has_gaps(data):
        # On top of one another a missing value would be drawn as nought.
        kind = "line"
    if _can_be(kind, data):
        return kind
    upright = kind not in ("pie", "treemap", "horizontal_bar", "table") and (data.starts or stands(data))
    return "bar" if upright else "horizontal_bar"


def _can_be(kind: ChartKind, data: ChartData) -> bool:
    match kind:
        case "line":
            return bool(data.starts)
        case "area":
            return len(data.starts) > 1 and (len(data.series) == 1 or _is_positive(data))
        case "pie" | "treemap":
            return len(data.series) == 1 and not data.starts and _is_positive(data)
        case "stacked":
            return len(data.series) > 1
        case "combo":
            return len(data.series) == 2 and (bool(data.starts) or stands(data))
        case _:
            return False


def name_width(count: int) -> int:
    """The characters that each of `count` names has below standing bars."""
    return max(CHARACTERS_ACROSS // max(count, 1) - 2, 4)


def stands(data: ChartData) -> bool:
    """Whether the names of the categories fit below standing bars."""
    longest = max((len(word) for name in data.categories for word in name.split()), default=0)
    return longest <= name_width(len(data.categories))


def _has_gaps(data: ChartData) -> bool:
    return any(value is None for series in data.series for value in series.values)


def _is_positive(data: ChartData) -> bool:
    values = [value for series in data.series for value in series.values if value is not None]
    return sum(values) > 0 and all(value >= 0 for value in values)
