"""The kind of chart that the data allows."""

from agent.values.spec import ChartKind
from cards.charts.data import ChartData

# Characters that fit across a picture, one after another.
CHARACTERS_ACROSS = 96


def drawable_kind(kind: ChartKind, data: ChartData) -> ChartKind:
    """The wished kind, or bars where it cannot be drawn; bars lie down where their names would not fit below them."""
    match kind:
        case "line" if data.starts:
            return "line"
        case "pie" if _is_whole_of_parts(data):
            return "pie"
        case "bar" | "line" if _stands(data):
            return "bar"
        case _:
            return "horizontal_bar"


def name_width(count: int) -> int:
    """The characters that each of `count` names has below standing bars."""
    return max(CHARACTERS_ACROSS // max(count, 1) - 2, 4)


def _stands(data: ChartData) -> bool:
    longest = max((len(word) for name in data.categories for word in name.split()), default=0)
    return longest <= name_width(len(data.categories))


def _is_whole_of_parts(data: ChartData) -> bool:
    values = [value for series in data.series for value in series.values if value is not None]
    return len(data.series) == 1 and not data.starts and sum(values) > 0 and all(value >= 0 for value in values)
