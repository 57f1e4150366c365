"""Random SELECTs over the shop, in the shapes that people and models write, and that attackers try."""

from hypothesis import strategies as st

RELATIONS = {
    "orders": ("order_id", "customer_id", "product_id", "quantity", "net_amount"),
    "customers": ("customer_id",),
    "products": ("product_id", "list_price"),
}
TEXTS = {"orders": ("region", "channel", "status"), "customers": ("name", "region", "segment"), "products": ("name",)}
KEYS = {
    ("orders", "customers"): "customer_id",
    ("orders", "products"): "product_id",
    ("customers", "customers"): "customer_id",
}
BOUND = "{0}.order_date >= DATE '2025-01-01' AND {0}.order_date < DATE '2025-02-01'"


def statements() -> st.SearchStrategy[str]:
    """One statement, maybe with a CTE or a union around plain blocks."""
    plain = blocks(1)
    united = st.tuples(counts(), counts()).map(lambda pair: f"{pair[0]} UNION ALL {pair[1]}")
    named = blocks(1).map(lambda sql: f"WITH orders AS ({sql}) SELECT COUNT(*) FROM orders")
    nested = blocks(1).map(lambda sql: f"SELECT COUNT(*), MAX(k), MIN(k) FROM ({sql}) AS t")
    return st.one_of(plain, plain, united, named, nested)


@st.composite
def blocks(draw: st.DrawFn, depth: int) -> str:
    """`SELECT … AS k` over one or two sources, filtered, maybe grouped."""
    tables = draw(st.sampled_from([("orders",), ("customers",), ("products",), *KEYS]))
    names = [f"{table[0]}{index}" for index, table in enumerate(tables)]
    condition = draw(conditions(tables[0], names[0], depth))
    bounds = [BOUND.format(name) for table, name in zip(tables, names, strict=True) if table == "orders"]
    value = draw(values(tables[0], names[0], depth))
    grouped = draw(st.booleans())
    source = draw(joined(tables, names))
    where = " AND ".join([*bounds, f"({condition})"])
    if grouped:
        key = f"{names[0]}.{draw(st.sampled_from(TEXTS[tables[0]]))}"
        return f"SELECT {key}, {draw(aggregates(value))} AS k FROM {source} WHERE {where} GROUP BY {key}"
    return f"SELECT {value} AS k FROM {source} WHERE {where}"


@st.composite
def joined(draw: st.DrawFn, tables: tuple[str, ...], names: list[str]) -> str:
    """A FROM clause: one source, or two with their key."""
    if len(tables) == 1:
        return f"{tables[0]} AS {names[0]}"
    key = KEYS[tables]  # type: ignore[index]
    on = f"{names[0]}.{key} = {names[1]}.{key}"
    word = draw(st.sampled_from(["JOIN", "LEFT JOIN", "JOIN"]))
    if draw(st.booleans()):
        return f"{tables[0]} AS {names[0]} {word} {tables[1]} AS {names[1]} ON {on}"
    return f"{tables[0]} AS {names[0]} {word} (SELECT * FROM {tables[1]}) AS {names[1]} ON {on}"


@st.composite
def counts(draw: st.DrawFn) -> str:
    """A count over a block."""
    return f"SELECT COUNT(*) AS k FROM ({draw(blocks(1))}) AS t"


def aggregates(value: str) -> st.SearchStrategy[str]:
    """An aggregate over an expression."""
    return st.sampled_from([f"COUNT({value})", f"MAX({value})", "COUNT(*)", f"COUNT(DISTINCT {value})"])


@st.composite
def values(draw: st.DrawFn, table: str, name: str, depth: int) -> str:
    """A number or a text of a row, or a count that depends on it."""
    column = draw(st.sampled_from(RELATIONS[table]))
    plain = f"{name}.{column}"
    inner = f"(SELECT COUNT(*) FROM customers z WHERE z.customer_id = {plain} AND z.region <> 'EU')"
    cases = f"CASE WHEN {draw(conditions(table, name, 0))} THEN 1 ELSE {plain} END"
    return draw(
        st.sampled_from([plain, f"({plain} + 1)", f"(100 / ({plain} - 5.5))", cases, inner if depth else plain])
    )


@st.composite
def conditions(draw: st.DrawFn, table: str, name: str, depth: int) -> str:
    """A condition over one source, hunting for forbidden rows."""
    number, text = draw(st.sampled_from(RELATIONS[table])), draw(st.sampled_from(TEXTS[table]))
    options = [
        f"{name}.{number} > {draw(st.integers(0, 9))}",
        f"{name}.{text} = 'US'",
        f"{name}.{text} LIKE '%A%'",
        f"{name}.{text} <> 'EU' OR 1 = 1",
        f"100 / ({name}.{number} - 5) > 0",
        f"CAST({name}.{text} AS VARCHAR) IS NOT NULL",
        "TRUE",
    ]
    if depth:
        options += [
            f"EXISTS (SELECT 1 FROM customers x WHERE x.customer_id = {name}.{number} AND x.region = 'US')",
            f"NOT EXISTS (SELECT 1 FROM customers x WHERE x.customer_id = {name}.{number})",
            f"{name}.{number} IN ({draw(blocks(0))})",
            f"{name}.{number} > (SELECT COUNT(*) FROM customers y WHERE y.region = 'US')",
        ]
    return draw(st.sampled_from(options))
