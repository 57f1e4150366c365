"""Random SELECTs over the books, in every shape the guard's grammar knows, hunting for rows that are hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from hypothesis import strategies as st

from semantic_catalog.model import Dialect
from tests.security.row_rules.books import LABOUR, TABLES

Kind = Literal["text", "number"]
_Item = TypeVar("_Item")

_NUMBERS = frozenset({"amount", "sign", "version"})
_HUNTED = ("CB120", "CB200", "CB100", LABOUR, "Labour Costs", "Revenue", "2026-09", "621", "1000", "2000", "otro", "c")
_KEYS = {
    "cebes": "cebe",
    "companies": "company",
    "cost_centers": "cost_center",
    "trm_accounts": "account",
    "fin_actuals": "account",
    "fin_plan": "account",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Col:
    """A column that may be written at some place."""

    sql: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A FROM clause, the columns it offers, and the conditions that business rules want beside it.

    After a comma nothing may be joined: JOIN binds tighter and would not see what stands before the comma.
    """

    sql: str
    cols: tuple[Col, ...]
    musts: tuple[str, ...] = ()
    has_comma: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query whose outputs are named k0, k1 and so on."""

    sql: str
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a block can see from where it stands: columns around it, queries named before it, how deep it may go."""

    depth: int
    outer: tuple[Col, ...] = ()
    ctes: tuple[tuple[str, tuple[Kind, ...]], ...] = ()

    def inside(self, cols: tuple[Col, ...]) -> "Sight":
        """What a query inside a block with these columns can see."""
        return replace(self, depth=self.depth - 1, outer=(*self.outer, *cols))


@st.composite
def statements(draw: st.DrawFn, dialect: Dialect) -> str:
    """One statement."""
    return _Pen(draw, dialect).statement()


class _Pen:
    """Writes one statement with what hypothesis draws."""

    def __init__(self, draw: st.DrawFn, dialect: Dialect) -> None:
        self._draw = draw
        self._dialect = dialect
        self._names = 0

    def statement(self) -> str:
        sight, opening = self._ctes(Sight(depth=2)) if self._chance(3) else (Sight(depth=2), "")
        query = self._whole(sight)
        if not self._chance(3):
            return opening + query.sql
        every = ", ".join(str(place + 1) for place in range(len(query.kinds)))
        return f"{opening}{query.sql} ORDER BY {every} LIMIT {self._pick((1, 3, 20))}"

    def _whole(self, sight: Sight) -> Query:
        first = self._block(sight)
        if not self._chance(4):
            return first
        second = self._block(sight, kinds=first.kinds)
        return replace(first, sql=f"{first.sql} {self._set_operator()} {second.sql}")

    def _set_operator(self) -> str:
        return self._pick(("UNION ALL", "UNION", "INTERSECT", "EXCEPT"))

    def _ctes(self, sight: Sight) -> tuple[Sight, str]:
        texts: list[str] = []
        for _ in range(self._pick((1, 2))):
            query = self._whole(replace(sight, depth=1))
            # A name of a governed source, too: inside, the real one must still be meant.
            name = self._pick(("cebes", "trm_accounts", "fin_actuals", "t", "t")) if not texts else self._name()
            texts.append(f"{name} AS ({query.sql})")
            sight = replace(sight, ctes=(*sight.ctes, (name, query.kinds)))
        return sight, f"WITH {', '.join(texts)} "

    def _block(self, sight: Sight, kinds: tuple[Kind, ...] | None = None) -> Query:
        ground = self._ground(sight)
        where = [*ground.musts, *(self._condition(ground.cols, sight) for _ in range(self._pick((0, 1, 1, 2))))]
        conditions = f" WHERE {' AND '.join(f'({c})' for c in where)}" if where else ""
        wanted = kinds or tuple(self._pick(("text", "number", "number")) for _ in range(self._pick((1, 2, 2, 3))))
        if self._chance(2):
            return self._grouped(ground, conditions, wanted, sight)
        values = [self._plain(kind, ground.cols, sight) for kind in wanted]
        distinct = "DISTINCT " if self._chance(5) else ""
        return Query(sql=f"SELECT {distinct}{_named(values)} FROM {ground.sql}{conditions}", kinds=wanted)

    def _grouped(self, ground: Ground, conditions: str, wanted: tuple[Kind, ...], sight: Sight) -> Query:
        texts = [col for col in ground.cols if col.kind == "text"]
        key = self._pick(texts).sql if texts and self._chance(2) else self._text(ground.cols, sight, 0)
        values = [self._aggregate(kind, ground.cols, sight) for kind in wanted]
        if wanted[0] == "text" and self._chance(2):
            values[0] = key
        having = f" HAVING {self._aggregate('number', ground.cols, sight)} > {self._number_literal()}"
        tail = f" GROUP BY {self._rolled_up(key)}" if values[0] == key or self._chance(2) else ""
        tail += having if self._chance(4) else ""
        return Query(sql=f"SELECT {_named(values)} FROM {ground.sql}{conditions}{tail}", kinds=wanted)

    def _rolled_up(self, key: str) -> str:
        # MariaDB names the total of a group of expressions by its last group, sometimes; of columns it does not.
        if not self._chance(6) or (self._dialect == "mysql" and "(" in key):
            return key
        return f"ROLLUP ({key})" if self._dialect != "mysql" else f"{key} WITH ROLLUP"

    def _ground(self, sight: Sight) -> Ground:
        choices = [self._ledger, self._ledger, self._plan, self._dimension, self._dimension]
        if sight.depth:
            choices += [self._derived, self._lateral if self._dialect != "mysql" else self._derived]
        if sight.ctes:
            choices += [self._cte, self._cte]
        return self._pick(choices)(sight)

    def _ledger(self, sight: Sight) -> Ground:
        return self._with_more(self._with_accounts("fin_actuals"), sight)

    def _plan(self, sight: Sight) -> Ground:
        ground = self._with_accounts("fin_plan")
        alias = next(col.sql for col in ground.cols if col.sql.endswith(".version")).partition(".")[0]
        return self._with_more(replace(ground, musts=(*ground.musts, f"{alias}.version = 0")), sight)

    def _with_accounts(self, table: str) -> Ground:
        facts, accounts = self._name(), self._name()
        on = f"{facts}.account = {accounts}.account"
        left, right = f"{table} AS {facts}", f"{self._source('trm_accounts')} AS {accounts}"
        cols = (*_cols(table, facts), *_cols("trm_accounts", accounts))
        if self._chance(6):
            return Ground(sql=f"{left}, {right}", cols=cols, musts=(on,), has_comma=True)
        if self._chance(5):
            left, right = right, left
        return Ground(sql=f"{left} {self._join()} {right} ON {on}", cols=cols)

    def _join(self) -> str:
        full = ("FULL JOIN",) if self._dialect != "mysql" else ()
        kinds: tuple[str, ...] = ("JOIN", "JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", *full)
        return self._pick(kinds)

    def _source(self, table: str) -> str:
        return f"(SELECT * FROM {table})" if self._chance(5) else table

    def _dimension(self, sight: Sight) -> Ground:
        table, alias = self._pick(("cebes", "companies", "cost_centers", "trm_accounts")), self._name()
        return self._with_more(Ground(sql=f"{self._source(table)} AS {alias}", cols=_cols(table, alias)), sight)

    def _derived(self, sight: Sight) -> Ground:
        query, alias = self._block(replace(sight, depth=sight.depth - 1, outer=())), self._name()
        return Ground(sql=f"({query.sql}) AS {alias}", cols=_outputs(alias, query.kinds))

    def _cte(self, sight: Sight) -> Ground:
        name, kinds = self._pick(sight.ctes)
        alias = self._name()
        return Ground(sql=f"{name} AS {alias}", cols=_outputs(alias, kinds))

    def _lateral(self, sight: Sight) -> Ground:
        first = self._dimension(replace(sight, depth=0))
        inner = self._dimension(replace(sight, depth=0))
        link = f"{self._pick(_texts(inner.cols))} = {self._pick(_texts(first.cols))}"
        alias, value = self._name(), self._aggregate("number", inner.cols, replace(sight, depth=0))
        lateral = f"LATERAL (SELECT {value} AS k0 FROM {inner.sql} WHERE {link}) AS {alias}"
        return Ground(sql=f"{first.sql} CROSS JOIN {lateral}", cols=(*first.cols, *_outputs(alias, ("number",))))

    def _with_more(self, ground: Ground, sight: Sight) -> Ground:
        """One more source, joined on a key that both have."""
        shared = [(table, key) for table, key in _KEYS.items() if _holder(ground, key) and not table.startswith("fin_")]
        if ground.has_comma or not shared or not self._chance(3):
            return ground
        (table, key), alias = self._pick(shared), self._name()
        on = f"{_holder(ground, key)} = {alias}.{key}"
        if self._chance(4):
            on += f" AND {self._condition(_cols(table, alias), replace(sight, depth=0))}"
        sql = f"{ground.sql} {self._join()} {self._source(table)} AS {alias} ON {on}"
        return replace(ground, sql=sql, cols=(*ground.cols, *_cols(table, alias)))

    def _plain(self, kind: Kind, cols: tuple[Col, ...], sight: Sight) -> str:
        if kind == "text":
            return self._text(cols, sight, sight.depth)
        if self._chance(5):
            return self._window(cols, sight)
        return self._number(cols, sight, sight.depth)

    def _window(self, cols: tuple[Col, ...], sight: Sight) -> str:
        part, order = self._text(cols, sight, 0), self._text(cols, sight, 0)
        value = self._number(cols, sight, 0)
        return self._pick(
            (
                f"RANK() OVER (PARTITION BY {part} ORDER BY {value})",
                f"DENSE_RANK() OVER (ORDER BY {order})",
                f"COUNT(*) OVER (PARTITION BY {part})",
                f"SUM({value}) OVER (PARTITION BY {part} ORDER BY {order})",
                "COUNT(*) OVER ()",
            )
        )

    def _aggregate(self, kind: Kind, cols: tuple[Col, ...], sight: Sight) -> str:
        if kind == "text":
            return f"{self._pick(('MIN', 'MAX'))}({self._text(cols, sight, 0)})"
        value = self._number(cols, sight, sight.depth)
        aggregate = self._pick(
            (
                "COUNT(*)",
                f"COUNT({self._text(cols, sight, 0)})",
                f"COUNT(DISTINCT {value})",
                f"SUM({value})",
                f"MIN({value})",
                f"MAX({value})",
                f"AVG({value})",
            )
        )
        filtered = self._dialect != "mysql" and self._chance(6)
        return f"{aggregate} FILTER (WHERE {self._condition(cols, replace(sight, depth=0))})" if filtered else aggregate

    def _text(self, cols: tuple[Col, ...], sight: Sight, depth: int) -> str:
        texts = _texts(cols)
        if not texts:
            return self._text_literal()
        col = self._pick(texts)
        options = [col, col, col, f"UPPER({col})", f"COALESCE({col}, '-')", f"CONCAT({col}, 'x')"]
        if depth:
            then = f"CASE WHEN {self._condition(cols, sight.inside(()))} THEN {col} ELSE 'else' END"
            options += [then, self._scalar("text", cols, sight)]
        return self._pick(options)

    def _number(self, cols: tuple[Col, ...], sight: Sight, depth: int) -> str:
        numbers = [col.sql for col in cols if col.kind == "number"]
        if not numbers:
            return self._number_literal() if not depth else self._scalar("number", cols, sight)
        col = self._pick(numbers)
        options = [col, col, f"({col} * 2 + 1)", f"ABS({col})", f"COALESCE({col}, 0)", f"(100 / ({col} - 5))"]
        if depth:
            then = f"CASE WHEN {self._condition(cols, sight.inside(()))} THEN {col} ELSE 0 END"
            options += [then, self._scalar("number", cols, sight)]
        return self._pick(options)

    def _scalar(self, kind: Kind, cols: tuple[Col, ...], sight: Sight) -> str:
        """A subquery of one row; now and then of several, which is an error for everybody or for nobody."""
        inside = replace(sight.inside(cols), depth=0)
        ground = self._ground(inside)
        where = [*ground.musts, self._condition(ground.cols, inside)]
        value = (
            self._aggregate(kind, ground.cols, inside) if not self._chance(8) else self._text(ground.cols, inside, 0)
        )
        if kind == "number" and not value.startswith(("COUNT", "SUM", "MIN", "MAX", "AVG")):
            value = f"COUNT({value})"
        return f"(SELECT {value} FROM {ground.sql} WHERE {' AND '.join(f'({c})' for c in where)})"

    def _condition(self, cols: tuple[Col, ...], sight: Sight) -> str:
        options = [self._on_text, self._on_text, self._on_number]
        if sight.depth:
            options += [self._exists, self._membership, self._quantified, self._combined, self._combined]
        if sight.outer:
            options += [self._correlated, self._correlated]
        return self._pick(options)(cols, sight)

    def _on_text(self, cols: tuple[Col, ...], sight: Sight) -> str:
        text, value = self._text(cols, sight, 0), self._text_literal()
        return self._pick(
            (
                f"{text} = {value}",
                f"{text} <> {value}",
                f"{text} LIKE '%B1%'",
                f"{text} IN ({value}, {self._text_literal()})",
                f"{text} IS NULL",
                f"NOT ({text} > {value})",
                f"{text} BETWEEN {value} AND 'z'",
            )
        )

    def _on_number(self, cols: tuple[Col, ...], sight: Sight) -> str:
        number = self._number(cols, sight, 0)
        return self._pick(
            (
                f"{number} > {self._number_literal()}",
                f"{number} = {self._number_literal()}",
                f"100 / ({number} - 5) > 0",
                f"{number} IS NOT NULL",
            )
        )

    def _correlated(self, cols: tuple[Col, ...], sight: Sight) -> str:
        mine, around = self._pick(cols), self._pick(sight.outer)
        if mine.kind != around.kind:
            return self._on_text(sight.outer, sight)
        return f"{mine.sql} {self._pick(('=', '=', '<>', '>'))} {around.sql}"

    def _exists(self, cols: tuple[Col, ...], sight: Sight) -> str:
        inner = self._block(sight.inside(cols))
        return f"{self._pick(('EXISTS', 'NOT EXISTS'))} ({inner.sql})"

    def _membership(self, cols: tuple[Col, ...], sight: Sight) -> str:
        inner = self._block(sight.inside(cols), kinds=("text",))
        return f"{self._text(cols, sight, 0)} {self._pick(('IN', 'NOT IN'))} ({inner.sql})"

    def _quantified(self, cols: tuple[Col, ...], sight: Sight) -> str:
        inner = self._block(sight.inside(cols), kinds=("number",))
        sign = self._pick(("> ALL", "= ANY", "<= ANY", "<> ALL"))
        return f"{self._number(cols, sight, 0)} {sign} ({inner.sql})"

    def _combined(self, cols: tuple[Col, ...], sight: Sight) -> str:
        less = replace(sight, depth=sight.depth - 1)
        left, right = self._condition(cols, less), self._condition(cols, less)
        return self._pick((f"({left}) OR ({right})", f"NOT (({left}) AND ({right}))", f"({left}) OR 1 = 1"))

    def _text_literal(self) -> str:
        return f"'{self._pick(_HUNTED)}'"

    def _number_literal(self) -> str:
        return str(self._pick((0, 1, -1, 5, 50)))

    def _name(self) -> str:
        self._names += 1
        return f"r{self._names}"

    def _pick(self, items: Sequence[_Item]) -> _Item:
        return items[self._draw(st.integers(0, len(items) - 1))]

    def _chance(self, of: int) -> bool:
        return self._draw(st.integers(1, of)) == of


def _cols(table: str, alias: str) -> tuple[Col, ...]:
    names = [part.split()[0] for part in TABLES[table].replace("18,2", "").split(", ")]
    return tuple(Col(sql=f"{alias}.{name}", kind="number" if name in _NUMBERS else "text") for name in names)


def _outputs(alias: str, kinds: tuple[Kind, ...]) -> tuple[Col, ...]:
    return tuple(Col(sql=f"{alias}.k{place}", kind=kind) for place, kind in enumerate(kinds))


def _texts(cols: tuple[Col, ...]) -> list[str]:
    return [col.sql for col in cols if col.kind == "text"]


def _holder(ground: Ground, key: str) -> str | None:
    return next((col.sql for col in ground.cols if col.sql.endswith(f".{key}")), None)


def _named(values: list[str]) -> str:
    return ", ".join(f"{value} AS k{place}" for place, value in enumerate(values))
