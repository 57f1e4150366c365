"""The numbers of a chart, read from a result of any length."""

from agent.values.result import ChartSpec, ResultTable
from cards.charts.data import ChartData, read_short
from cards.charts.long import read_long
from semantic_catalog.model import Locale


def read_chart_data(spec: ChartSpec, table: ResultTable, locale: Locale) -> ChartData:
    """The numbers of a chart. Missing buckets are gaps, members are sorted by value, surplus ones are summed or cut.

    Blocks for seconds the first time a long result is read.

    Raises `KeyError` when the spec names a column that the table does not have.
    """
    long = table.long
    if long is not None:
        return long.kept(("chart", spec, locale), lambda: read_long(spec, table.columns, long, locale))
    return read_short(spec, table, locale)
