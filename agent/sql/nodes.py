"""The tree nodes a governed SELECT may be made of, and for the structural ones the parts they may have.

Everything else is refused: a construct is added here once its reads are resolved by `agent/sql/resolve.py`.
"""

from collections.abc import Mapping

from sqlglot import exp

_QUERY = ("order", "limit", "offset", "with_")

PARTS: Mapping[type[exp.Expr], frozenset[str]] = {
    kind: frozenset(parts)
    for kind, parts in (
        (
            exp.Select,
            (
                *_QUERY,
                "expressions",
                "distinct",
                "from_",
                "joins",
                "laterals",
                "where",
                "group",
                "having",
                "qualify",
                "windows",
            ),
        ),
        (exp.Union, (*_QUERY, "this", "expression", "distinct")),
        (exp.Except, (*_QUERY, "this", "expression", "distinct")),
        (exp.Intersect, (*_QUERY, "this", "expression", "distinct")),
        (exp.Subquery, (*_QUERY, "this", "alias")),
        (exp.Table, ("this", "alias", "db", "catalog", "joins")),
        (exp.Join, ("this", "on", "side", "kind", "using", "method")),
        (exp.Lateral, ("this", "alias")),
        (exp.Unnest, ("expressions", "alias")),
        (exp.Values, ("expressions", "alias")),
        (exp.CTE, ("this", "alias", "materialized")),
        (exp.With, ("expressions", "recursive")),
        (exp.TableAlias, ("this", "columns")),
        (exp.From, ("this",)),
        (exp.Where, ("this",)),
        (exp.Having, ("this",)),
        (exp.Qualify, ("this",)),
        (exp.Order, ("this", "expressions")),
        (exp.Ordered, ("this", "desc", "nulls_first")),
        (exp.Limit, ("expression",)),
        (exp.Fetch, ("direction", "count", "limit_options")),
        (exp.LimitOptions, ("rows",)),
        (exp.Offset, ("expression",)),
        (exp.Group, ("expressions", "grouping_sets", "cube", "rollup", "all")),
        (exp.Star, ("except_",)),
        (exp.Column, ("this", "table", "db", "catalog")),
        (exp.Cast, ("this", "to")),
        (exp.TryCast, ("this", "to", "safe", "requires_string")),
        (exp.Window, ("this", "partition_by", "order", "spec", "alias", "over")),
        (exp.WindowSpec, ("kind", "start", "start_side", "end", "end_side")),
        (exp.In, ("this", "expressions", "query")),
        (exp.Between, ("this", "low", "high")),
        (exp.Distinct, ("expressions", "on")),
        (exp.Identifier, ("this", "quoted")),
        (exp.DataType, ("this", "expressions", "nested")),
    )
}

PLAIN: frozenset[type[exp.Expr]] = frozenset(
    {
        exp.Alias,
        exp.Literal,
        exp.Boolean,
        exp.Null,
        exp.Var,
        exp.Paren,
        exp.Tuple,
        exp.Not,
        exp.Neg,
        exp.EQ,
        exp.NEQ,
        exp.GT,
        exp.GTE,
        exp.LT,
        exp.LTE,
        exp.NullSafeEQ,
        exp.NullSafeNEQ,
        exp.Is,
        exp.Like,
        exp.ILike,
        exp.Escape,
        exp.Add,
        exp.Sub,
        exp.Mul,
        exp.Div,
        exp.IntDiv,
        exp.Mod,
        exp.DPipe,
        exp.Interval,
        exp.IntervalSpan,
        exp.AtTimeZone,
        exp.Any,
        exp.All,
        exp.Filter,
        exp.WithinGroup,
        exp.IgnoreNulls,
        exp.RespectNulls,
        exp.Rollup,
        exp.Cube,
        exp.GroupingSets,
        exp.Bracket,
        exp.Slice,
        exp.JSONPath,
        exp.JSONPathRoot,
        exp.JSONPathKey,
        exp.JSONPathSubscript,
        exp.DataTypeParam,
        exp.WeekStart,
    }
)

TYPES: frozenset[exp.DType] = frozenset(
    {
        exp.DType.BIGINT,
        exp.DType.BOOLEAN,
        exp.DType.CHAR,
        exp.DType.DATE,
        exp.DType.DATETIME,
        exp.DType.DECIMAL,
        exp.DType.DOUBLE,
        exp.DType.FLOAT,
        exp.DType.INT,
        exp.DType.INTERVAL,
        exp.DType.JSON,
        exp.DType.JSONB,
        exp.DType.NCHAR,
        exp.DType.NVARCHAR,
        exp.DType.SMALLINT,
        exp.DType.TEXT,
        exp.DType.TIME,
        exp.DType.TIMESTAMP,
        exp.DType.TIMESTAMPTZ,
        exp.DType.TIMESTAMPNTZ,
        exp.DType.TIMETZ,
        exp.DType.TINYINT,
        exp.DType.UBIGINT,
        exp.DType.UINT,
        exp.DType.VARCHAR,
        exp.DType.ARRAY,
    }
)

WRITES: tuple[type[exp.Expr], ...] = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Set, exp.Drop, exp.Alter)
