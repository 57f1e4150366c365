"""What happened to the group: good and bad months that stand out of the books and that no budget foresaw."""

from dataclasses import dataclass

from bot.demo.erp_finance.lines import Line
from bot.demo.parameters import MONTHS


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Months counted back from the last one (0), and per mille of the usual for what it struck.

    `strikes` are account codes or groups; empty means all that moves with sales.
    """

    first: int
    last: int
    centre: str
    strikes: tuple[str, ...]
    per_mille: int


EVENTS = (
    # Mud slides close the roads.
    Event(first=19, last=19, centre="CB200", strikes=(), per_mille=740),
    # A dairy plant stands still.
    Event(first=14, last=14, centre="CB110", strikes=("INGRESOS",), per_mille=810),
    Event(first=14, last=13, centre="CB110", strikes=("691700",), per_mille=1_900),
    # A summer campaign for beverages.
    Event(first=9, last=8, centre="CB120", strikes=("637100", "637300"), per_mille=1_850),
    Event(first=8, last=7, centre="CB120", strikes=("INGRESOS",), per_mille=1_060),
    # A lawsuit.
    Event(first=8, last=6, centre="CB300", strikes=("632100",), per_mille=2_900),
    # Fuel becomes dear and stays so.
    Event(first=5, last=0, centre="CB200", strikes=("691400",), per_mille=1_160),
    Event(first=5, last=0, centre="CB210", strikes=("691400",), per_mille=1_160),
    # A new lease in Callao.
    Event(first=4, last=0, centre="CB210", strikes=("635100",), per_mille=1_650),
    # A large customer of warehousing pays for more space.
    Event(first=4, last=0, centre="CB210", strikes=("INGRESOS",), per_mille=1_070),
    # Software moves to the cloud.
    Event(first=7, last=0, centre="CB300", strikes=("658100",), per_mille=1_480),
    # Flour becomes dear.
    Event(first=3, last=0, centre="CB100", strikes=("691100",), per_mille=1_055),
)


def happened(line: Line, at: int) -> int:
    """Per mille of the usual amount of a line in the month `at`, counted from the first."""
    share = 1_000
    for event in EVENTS:
        if event.last <= MONTHS - 1 - at <= event.first and event.centre == line.centre.code and _strikes(event, line):
            share = share * event.per_mille // 1_000
    return share


def _strikes(event: Event, line: Line) -> bool:
    if not event.strikes:
        return line.moves_with_sales
    return line.account.code in event.strikes or line.account.group in event.strikes
