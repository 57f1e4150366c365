"""Names to relations: walks a query block by block, the way an engine does, and notes everything it reads."""

from collections import Counter
from dataclasses import replace

from sqlglot import exp

from agent.sql.columns import ColumnReader
from agent.sql.facts import Block, Facts, Output, Relation
from agent.sql.from_items import FromItems
from agent.sql.names import folded
from agent.sql.notes import Notes
from agent.sql.outputs import describe, is_single_row
from agent.sql.rewrite import EVERY_ROW
from agent.sql.scope import GuardScope
from agent.sql.shapes import Env, Shape

# Stars over stars double the columns with every level.
MAX_OUTPUTS = 1_000
_CLAUSES = ("distinct", "where", "group", "having", "qualify", "windows", "order")
# What stands between a row and whoever reads the block: a condition outside does not limit the rows read inside.
_HOLDS_BACK = ("limit", "offset", "qualify", "distinct")


def resolve(tree: exp.Query, scope: GuardScope) -> Facts:
    """The facts of a query whose nodes are all known (see `agent/sql/nodes.py`).

    Columns of an enclosing query are qualified with its name in `tree`; nothing else in it is changed.
    """
    notes = Notes()
    _Resolver(tree, scope, notes).query(tree, Env())
    return notes.facts(tree)


class _Resolver:
    def __init__(self, tree: exp.Query, scope: GuardScope, notes: Notes) -> None:
        self._scope = scope
        self._notes = notes
        self._columns = ColumnReader(notes, scope.dialect)
        self._uses = Counter(folded(table.this, scope.dialect) for table in tree.find_all(exp.Table))

    def query(self, node: exp.Expr, env: Env) -> Shape:
        env = self._with_ctes(node, env)
        if isinstance(node, exp.Select):
            return self._select(node, env)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, env)
        if isinstance(node, exp.Subquery):
            return self._parenthesised(node, env)
        self._notes.trouble("construct", type(node).__name__)
        return Shape(outputs=())

    def expression(self, root: exp.Expr, env: Env, aliases: frozenset[str] = frozenset()) -> None:
        stack: list[exp.Expr] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, exp.Query):
                self.query(node, env)
            elif _is_star(node):
                if not (isinstance(node, exp.Star) and isinstance(node.parent, exp.Count)):
                    self._notes.trouble("column", "*")
            elif isinstance(node, exp.Column):
                self._columns.column(node, env.levels, aliases)
            else:
                stack.extend(node.iter_expressions())

    def _parenthesised(self, node: exp.Subquery, env: Env) -> Shape:
        shape = self.query(node.this, env)
        self._order_of_outputs(node, shape)
        return shape.opaque() if node.args.get("limit") or node.args.get("offset") else shape

    def _set_operation(self, node: exp.SetOperation, env: Env) -> Shape:
        left, right = self.query(node.this, env), self.query(node.expression, env)
        if len(left.outputs) != len(right.outputs):
            self._notes.trouble("construct", "different numbers of columns")
        pairs = zip(left.outputs, right.outputs, strict=False)
        shape = Shape(outputs=tuple(Output(name=mine.name, joins=mine.joins or its.joins) for mine, its in pairs))
        self._order_of_outputs(node, shape)
        return shape

    def _order_of_outputs(self, node: exp.Expr, shape: Shape) -> None:
        order = node.args.get("order")
        if order is None:
            return
        known = {output.name.lower() for output in shape.outputs}
        for column in order.find_all(exp.Column):
            if column.args.get("table") or column.name.lower() not in known:
                self._notes.trouble("column", column.name)
        if order.find(exp.Query):
            self._notes.trouble("construct", "ORDER BY")

    def _with_ctes(self, node: exp.Expr, env: Env) -> Env:
        clause = node.args.get("with_")
        for cte in clause.expressions if clause else ():
            name = folded(cte.args["alias"].this, self._scope.dialect)
            if name.lower() in self._scope.filter_tables:
                # The row rules would read it in place of the table that they mean.
                self._notes.trouble("construct", name)
            env = env.knowing(name, self._cte(cte, name, env, recursive=bool(clause and clause.args.get("recursive"))))
        return env

    def _cte(self, cte: exp.CTE, name: str, env: Env, *, recursive: bool) -> Shape:
        query, alias = cte.this, cte.args.get("alias")
        if recursive and isinstance(query, exp.Union) and not query.args.get("with_"):
            first = self.query(query.this, env).opaque().renamed(alias, self._scope.dialect)
            self.query(query.expression, env.knowing(name, first))
            return _repeated(first, query.expression)
        shape = self.query(query, env).renamed(alias, self._scope.dialect)
        return shape if self._uses[name] == 1 else shape.opaque()

    def _select(self, select: exp.Select, env: Env) -> Shape:
        items = self._from(select, env)
        relations, joins = tuple(items.relations), tuple(items.joins)
        inside = env.inside(relations)
        aliases = frozenset(projection.alias.lower() for projection in select.expressions if projection.alias)
        self._joined(items, inside)
        outputs = self._projections(select, relations, inside, aliases)
        for clause in _CLAUSES:
            parts = select.args.get(clause) or []
            for part in parts if isinstance(parts, list) else [parts]:
                self.expression(part, inside, aliases)
        self._notes.block(Block(select=select, relations=relations, joins=joins))
        return Shape(outputs=outputs, single_row=is_single_row(select))

    def _from(self, select: exp.Select, env: Env) -> FromItems:
        items = FromItems(self._scope, self._notes, self, env)
        clause = select.args.get("from_")
        if clause:
            items.add(clause.this)
        for join in select.args.get("joins") or ():
            items.join(join)
        for lateral in select.args.get("laterals") or ():
            items.add(lateral)
        return items

    def _joined(self, items: FromItems, env: Env) -> None:
        relations = tuple(items.relations)
        for join in items.joins:
            if join.on is not None:
                self.expression(join.on, env)
            for name in join.shared:
                self._columns.shared(name, relations)
            if join.method.upper() == "NATURAL":
                for relation in relations:
                    self._notes.take_whole(relation)

    def _projections(
        self, select: exp.Select, relations: tuple[Relation, ...], env: Env, aliases: frozenset[str]
    ) -> tuple[Output, ...]:
        transparent = not any(_holds_back(select.args.get(part)) for part in _HOLDS_BACK) and not select.find(
            exp.Window
        )
        outputs: list[Output] = []
        for projection in select.expressions:
            if _is_star(projection):
                found = self._columns.star(projection, relations)
                outputs.extend(found if transparent else Shape(outputs=tuple(found)).opaque().outputs)
            else:
                self.expression(projection, env, aliases)
                outputs.append(describe(projection, self._notes.binding, transparent=transparent))
        if len(outputs) > MAX_OUTPUTS:
            self._notes.trouble("size")
        return tuple(outputs[:MAX_OUTPUTS])


def _repeated(first: Shape, step: exp.Expr) -> Shape:
    """What a recursive query hands on: many rows, which differ in what each step computes."""
    steps = step.expressions if isinstance(step, exp.Select) else []
    changes = [not isinstance(output.unalias(), (exp.Column, exp.Literal)) for output in steps]
    outputs = tuple(
        replace(output, joins=output.joins or changed)
        for output, changed in zip(first.outputs, (*changes, *[False] * len(first.outputs)), strict=False)
    )
    return replace(first, outputs=outputs, single_row=False)


def _holds_back(clause: object) -> bool:
    """Whether a clause may leave out rows; the fences that we write ourselves leave out none."""
    if isinstance(clause, (exp.Limit, exp.Offset)) and isinstance(clause.expression, exp.Literal):
        return clause.expression.name != (EVERY_ROW if isinstance(clause, exp.Limit) else "0")
    return bool(clause)


def _is_star(node: exp.Expr) -> bool:
    return isinstance(node, exp.Star) or (isinstance(node, exp.Column) and node.is_star)
