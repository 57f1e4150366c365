"""Checks that a result answers its spec before anybody reads it."""

from datetime import date

from agent.analysis.check_coverage import check_coverage
from agent.analysis.check_structure import check_structure
from agent.analysis.check_values import check_values
from agent.analysis.reading import read_result
from agent.values.result import Doubt, ResultTable, Verification
from agent.values.spec import QuerySpec
from semantic_catalog.model import Domain, Locale

# Said to the reader, but no reason to distrust the numbers that are shown.
_REMARKS = frozenset({"truncated", "partial_bucket", "data_until"})


def verify_result(
    table: ResultTable,
    spec: QuerySpec | None,
    domain: Domain,
    row_count: int,
    truncated: bool,
    today: date,
    latest: date | None,
    locale: Locale = "en",
) -> Verification:
    """`failed` when columns or grain are not the spec's; else what the reader must know first, most serious first.

    `latest` is the source's newest day of data (the first of the month for month sources). Each doubt's params are
    written in `locale` and fill the text `doubt.<key>`. An empty result is not a failure.
    """
    reading = read_result(table, spec, domain, locale, truncated)
    wrong = check_structure(reading, row_count)
    if wrong:
        return Verification(status="failed", doubts=wrong)
    doubts = (*check_values(reading), *(check_coverage(reading, today, latest) if table.rows else ()))
    if truncated:
        doubts = (*doubts, Doubt(key="truncated", params=(("rows", str(row_count)),)))
    sound = all(doubt.key in _REMARKS for doubt in doubts)
    return Verification(status="success" if sound else "low_confidence", doubts=doubts)
