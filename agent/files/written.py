"""How the values of a column are written: numbers with their separators, dates with their order, or text."""

from dataclasses import dataclass, field

import pandas as pd

from agent.values.file import MOST_MEMBERS, ColumnType

# Written where there is no value.
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na", "#n/a", "null", "none", "nan", "н/д", "нет данных", "s/d", "..."})
# Longer whole numbers are names of things, and no engine of ours counts with them.
LONGEST_INTEGER = 18

_CURRENCY = r"(?:S/\.?|R\$|US\$|[$€£₽¥]|руб\.?|р\.|USD|EUR|PEN|RUB)"
_SPACES = "[\\s\u00a0\u202f\u2009']"
_DATE = r"(?P<a>\d{1,2})[./-](?P<b>\d{1,2})[./-]\d{4}"
_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)"
_PATTERNS = {
    "integer": r"-?\d+",
    "comma_maybe": r"-?[1-9]\d{0,2},\d{3}",
    "dot_maybe": r"-?[1-9]\d{0,2}\.\d{3}",
    # Several groups of three can be read one way only.
    "dots_group": r"-?[1-9]\d{0,2}(?:\.\d{3}){2,}",
    "commas_group": r"-?[1-9]\d{0,2}(?:,\d{3}){2,}",
    # So can another number of digits after the separator.
    "comma": "|".join((
        r"-?[1-9]\d{0,2}(?:\.\d{3})+,\d+", r"-?\d*,(?:\d{1,2}|\d{4,})", r"-?0,\d+", r"-?\d{4,},\d{3}",
    )),
    "dot": "|".join((
        r"-?[1-9]\d{0,2}(?:,\d{3})+\.\d+", r"-?\d*\.(?:\d{1,2}|\d{4,})", r"-?0\.\d+", r"-?\d{4,}\.\d{3}",
        r"-?\d+(?:\.\d+)?[eE][-+]?\d+",
    )),
}  # fmt: skip
_DAY = {
    "iso": r"\d{4}-\d{2}-\d{2}" + _TIME + "?",
    "parts": _DATE.replace("?P<a>", "").replace("?P<b>", "") + _TIME + "?",
}
_TIMED = r".*\d{1,2}:\d{2}.*"


@dataclass(slots=True)
class Evidence:
    """What all chunks of a column have shown so far. `counts` are values by the pattern that they match."""

    filled: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    leading_zero: int = 0
    too_long: int = 0
    percent: int = 0
    timed: int = 0
    first_over_12: int = 0
    second_over_12: int = 0
    looked_at: int = 0
    members: set[str] = field(default_factory=set)

    def add(self, values: "pd.Series[str]") -> None:
        """Take the next chunk of the column's text into account."""
        known = known_of(values)
        self.filled += len(known)
        if len(self.members) <= MOST_MEMBERS:
            self.members.update(known.unique()[: MOST_MEMBERS + 1])
        if not self._is_text():
            self._add_days(known)
            self._add_numbers(known)

    def _is_text(self) -> bool:
        """Whether a value was seen already that is neither a number nor a day, or both kinds were: that stays so."""
        days, numbers = (sum(self.counts.get(name, 0) for name in names) for names in (_DAY, _PATTERNS))
        return bool(self.looked_at) and max(days, numbers) < self.looked_at

    def _add_days(self, known: "pd.Series[str]") -> None:
        self.looked_at += len(known)
        for name, pattern in _DAY.items():
            self._count(name, known.str.fullmatch(pattern))
        self._order(known)

    def _add_numbers(self, known: "pd.Series[str]") -> None:
        days = sum(self.counts[name] for name in _DAY)
        if days and days == self.looked_at:
            return
        plain = plain_number(known)
        self.percent += int(known.str.endswith("%").sum())
        self.leading_zero += int(plain.str.fullmatch(r"-?0\d+").sum())
        self.too_long += int(plain.str.fullmatch(rf"-?\d{{{LONGEST_INTEGER + 1},}}").sum())
        left = plain
        for name, pattern in _PATTERNS.items():
            matches = left.str.fullmatch(pattern)
            self._count(name, matches)
            left = left[~matches]

    def _count(self, name: str, matches: "pd.Series[bool]") -> None:
        self.counts[name] = self.counts.get(name, 0) + int(matches.sum())

    def _order(self, known: "pd.Series[str]") -> None:
        if not self.counts["parts"] and not self.counts["iso"]:
            return
        self.timed += int(known.str.fullmatch(_TIMED).sum())
        parts = known.str.extract(_DATE).dropna()
        self.first_over_12 += int((parts["a"].astype("int64") > 12).sum())
        self.second_over_12 += int((parts["b"].astype("int64") > 12).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A column's type and how its text is read. `assumed`: the separator or the day's place was taken on trust."""

    type: ColumnType
    percent: bool = False
    decimal_comma: bool = False
    day_first: bool = True
    assumed: bool = False


def verdict(seen: Evidence, prefers_comma: bool) -> Verdict:
    """The one type that every value fits; text where there is none.

    `prefers_comma`: numbers that can be read both ways ('1.234') are read as where commas are decimal.
    """
    if not seen.filled or seen.leading_zero or seen.too_long:
        return Verdict(type="text")
    if seen.looked_at < seen.filled:
        return Verdict(type="text")
    return _day(seen) or _number(seen, prefers_comma) or Verdict(type="text")


def known_of(values: "pd.Series[str]") -> "pd.Series[str]":
    """The values that are there, without the space around them."""
    stripped = values.dropna().str.strip()
    return stripped[~stripped.str.lower().isin(NOTHING)]


def plain_number(known: "pd.Series[str]") -> "pd.Series[str]":
    """Text without currency, percent sign and spaces between digits; brackets and odd minus signs become '-'."""
    plain = known.str.replace("−", "-", regex=False)
    if plain.str.startswith("(").any():
        plain = plain.str.replace(r"^\((.*)\)$", r"-\1", regex=True)
    if plain.str.contains(r"[^-\d.,]").any():
        plain = plain.str.replace(rf"^(-?)\s*{_CURRENCY}\s*|\s*{_CURRENCY}$", r"\1", regex=True)
        plain = plain.str.replace(r"\s*%$", "", regex=True).str.replace(r"^\+", "", regex=True)
        plain = plain.str.replace(rf"(?<=\d){_SPACES}(?=\d{{3}})", "", regex=True).str.strip()
    return plain


def _day(seen: Evidence) -> Verdict | None:
    if seen.counts["iso"] + seen.counts["parts"] != seen.filled:
        return None
    if seen.counts["parts"] and seen.first_over_12 and seen.second_over_12:
        return None
    sure = not seen.counts["parts"] or bool(seen.first_over_12 or seen.second_over_12)
    return Verdict(type="timestamp" if seen.timed else "date", day_first=not seen.second_over_12, assumed=not sure)


def _number(seen: Evidence, prefers_comma: bool) -> Verdict | None:
    counts = {name: seen.counts.get(name, 0) for name in _PATTERNS}
    comma_decimal, dot_decimal = counts["comma"] + counts["dots_group"], counts["dot"] + counts["commas_group"]
    maybe = counts["comma_maybe"] + counts["dot_maybe"]
    if counts["integer"] + comma_decimal + dot_decimal + maybe != seen.filled or (comma_decimal and dot_decimal):
        return None
    percent = seen.percent == seen.filled
    if seen.percent and not percent:
        return None
    sure = bool(comma_decimal or dot_decimal)
    comma = bool(comma_decimal) if sure else prefers_comma
    point = "comma" if comma else "dot"
    is_whole = not counts[point] and not counts[f"{point}_maybe"] and not percent
    return Verdict(
        type="integer" if is_whole else "decimal",
        percent=percent,
        decimal_comma=comma,
        assumed=bool(maybe) and not sure,
    )
