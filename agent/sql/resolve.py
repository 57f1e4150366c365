"""Names to relations: walks a query block by block, the way an engine does, and notes everything it reads."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from agent.sql.facts import (
    OUTER,
    Binding,
    Block,
    ColumnRead,
    Facts,
    JoinFact,
    Origin,
    Output,
    Reference,
    Relation,
    Trouble,
)
from agent.sql.names import Levels, candidates, folded, is_denied, is_shadowed, is_system
from agent.sql.outputs import describe, is_single_row
from agent.sql.scope import GovernedSource, GuardScope


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What a query hands to whoever reads from it."""

    outputs: tuple[Output, ...]
    single_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cte:
    name: str
    shape: _Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class _Env:
    """What a query can see: CTEs, innermost last, and the relations of the queries around it, innermost first."""

    ctes: tuple[_Cte, ...] = ()
    levels: Levels = ()

    def inside(self, relations: tuple[Relation, ...]) -> "_Env":
        return replace(self, levels=(relations, *self.levels))


def resolve(tree: exp.Query, scope: GuardScope) -> Facts:
    """The facts of a query whose nodes are all known (see `agent/sql/nodes.py`). Changes nothing in `tree`,

    except that columns of an enclosing query are qualified with its name, so that no engine can read them otherwise.
    """
    resolver = _Resolver(tree, scope)
    resolver.query(tree, _Env())
    return resolver.facts()


class _Resolver:
    def __init__(self, tree: exp.Query, scope: GuardScope) -> None:
        self._tree = tree
        self._scope = scope
        self._dialect = scope.dialect
        self._references: list[Reference] = []
        self._whole: set[int] = set()
        self._blocks: list[Block] = []
        self._bindings: dict[int, Binding] = {}
        self._bound_to: list[int] = []
        self._reads: dict[ColumnRead, None] = {}
        self._troubles: dict[Trouble, None] = {}
        self._relations = 0
        self._uses = Counter(folded(table.this, scope.dialect) for table in tree.find_all(exp.Table))

    def facts(self) -> Facts:
        return Facts(
            tree=self._tree,
            references=tuple(replace(r, whole=r.number in self._whole) for r in self._references),
            blocks=tuple(self._blocks),
            bindings=self._bindings,
            reads=tuple(self._reads),
            troubles=tuple(self._troubles),
        )

    # Queries

    def query(self, node: exp.Expr, env: _Env) -> _Shape:
        env = self._with_ctes(node, env)
        if isinstance(node, exp.Select):
            return self._select(node, env)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, env)
        if isinstance(node, exp.Subquery):
            return self._parenthesised(node, env)
        self._trouble("construct", type(node).__name__)
        return _Shape(outputs=())

    def _parenthesised(self, node: exp.Subquery, env: _Env) -> _Shape:
        shape = self.query(node.this, env)
        self._order_of_outputs(node, shape)
        return _opaque(shape) if node.args.get("limit") or node.args.get("offset") else shape

    def _set_operation(self, node: exp.SetOperation, env: _Env) -> _Shape:
        left, right = self.query(node.this, env), self.query(node.expression, env)
        outputs = tuple(
            Output(name=mine.name, joins=mine.joins or other.joins)
            for mine, other in zip(left.outputs, right.outputs, strict=False)
        )
        if len(left.outputs) != len(right.outputs):
            self._trouble("construct", "different numbers of columns")
        shape = _Shape(outputs=outputs)
        self._order_of_outputs(node, shape)
        return shape

    def _order_of_outputs(self, node: exp.Expr, shape: _Shape) -> None:
        order = node.args.get("order")
        if order is None:
            return
        known = {output.name.lower() for output in shape.outputs}
        for column in order.find_all(exp.Column):
            if column.args.get("table") or column.name.lower() not in known:
                self._trouble("column", column.name)
        if order.find(exp.Query):
            self._trouble("construct", "ORDER BY")

    def _with_ctes(self, node: exp.Expr, env: _Env) -> _Env:
        clause = node.args.get("with_")
        for cte in clause.expressions if clause else ():
            name = folded(cte.args["alias"].this, self._dialect)
            if name.lower() in self._scope.filter_tables:
                self._trouble("construct", name)
            shape = self._cte(cte, name, env, recursive=bool(clause and clause.args.get("recursive")))
            env = replace(env, ctes=(*env.ctes, _Cte(name=name, shape=shape)))
        return env

    def _cte(self, cte: exp.CTE, name: str, env: _Env, *, recursive: bool) -> _Shape:
        query = cte.this
        if recursive and isinstance(query, exp.Union) and not query.args.get("with_"):
            first = self._renamed(cte, _opaque(self.query(query.this, env)))
            self.query(query.expression, replace(env, ctes=(*env.ctes, _Cte(name=name, shape=first))))
            return first
        shape = self._renamed(cte, self.query(query, env))
        return shape if self._uses[name] == 1 else _opaque(shape)

    def _renamed(self, holder: exp.Expr, shape: _Shape) -> _Shape:
        alias = holder.args.get("alias")
        names = [folded(column, self._dialect) for column in alias.columns] if isinstance(alias, exp.TableAlias) else []
        renamed = tuple(replace(output, name=name) for output, name in zip(shape.outputs, names, strict=False))
        return replace(shape, outputs=renamed + shape.outputs[len(renamed) :])

    # One block

    def _select(self, select: exp.Select, env: _Env) -> _Shape:
        relations, joins = self._from(select, env)
        inside = env.inside(relations)
        aliases = frozenset(projection.alias.lower() for projection in select.expressions if projection.alias)
        self._joined(relations, joins, inside)
        outputs = self._projections(select, relations, inside, aliases)
        for clause in ("distinct", "where", "group", "having", "qualify", "windows", "order"):
            parts = select.args.get(clause) or []
            for part in parts if isinstance(parts, list) else [parts]:
                self._expression(part, inside, aliases)
        self._blocks.append(Block(select=select, relations=relations, joins=joins))
        return _Shape(outputs=outputs, single_row=is_single_row(select))

    def _projections(
        self, select: exp.Select, relations: tuple[Relation, ...], env: _Env, aliases: frozenset[str]
    ) -> tuple[Output, ...]:
        transparent = not any(select.args.get(part) for part in ("limit", "offset", "qualify", "distinct"))
        outputs: list[Output] = []
        for projection in select.expressions:
            if isinstance(projection, exp.Star) or (isinstance(projection, exp.Column) and projection.is_star):
                outputs.extend(self._star(projection, relations))
                continue
            self._expression(projection, env, aliases)
            plain = transparent and not select.find(exp.Window)
            outputs.append(describe(projection, self._binding, transparent=plain))
        return tuple(outputs)

    def _star(self, star: exp.Expr, relations: tuple[Relation, ...]) -> Iterator[Output]:
        qualifier = folded(star.args["table"], self._dialect) if isinstance(star, exp.Column) else None
        taken = [r for r in relations if qualifier is None or r.alias.lower() == qualifier.lower()]
        node = star.this if isinstance(star, exp.Column) else star
        left_out = {name.name.lower() for name in node.args.get("except_") or ()}
        if not taken:
            self._trouble("column", f"{qualifier or ''}.*".lstrip("."))
        for relation in taken:
            self._take_whole(relation)
            yield from (output for output in relation.outputs if output.name.lower() not in left_out)

    def _take_whole(self, relation: Relation) -> None:
        if relation.source is None:
            return
        self._whole.add(relation.number)
        if relation.source.denied:
            self._trouble("column", "*")
        for output in relation.outputs:
            self._read(relation.number, relation.source, output.name)

    # FROM

    def _from(self, select: exp.Select, env: _Env) -> tuple[tuple[Relation, ...], tuple[JoinFact, ...]]:
        clause = select.args.get("from_")
        joins: list[JoinFact] = []
        relations = list(self._item(clause.this, env, (), joins)) if clause else []
        for join in select.args.get("joins") or ():
            self._join(join, env, relations, joins)
        for lateral in select.args.get("laterals") or ():
            relations.extend(self._item(lateral, env, tuple(relations)))
        return tuple(relations), tuple(joins)

    def _join(self, join: exp.Join, env: _Env, relations: list[Relation], joins: list[JoinFact]) -> None:
        before = frozenset(relation.number for relation in relations)
        inner: list[JoinFact] = []
        added = self._item(join.this, env, tuple(relations), inner)
        joins.extend(inner)
        relations.extend(added)
        joins.append(
            JoinFact(
                before=before,
                added=frozenset(relation.number for relation in added),
                side=join.side,
                kind=join.kind,
                method=join.method,
                on=join.args.get("on"),
                shared=tuple(column.name for column in join.args.get("using") or ()),
            )
        )

    def _item(
        self, node: exp.Expr, env: _Env, siblings: tuple[Relation, ...], joins: list[JoinFact] | None = None
    ) -> tuple[Relation, ...]:
        if isinstance(node, exp.Table):
            return self._table(node, env, siblings, joins)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            return self._table(node.this, env, siblings, joins, outer_alias=node.args.get("alias"))
        if isinstance(node, exp.Subquery):
            return (self._derived(node, self.query(node, env)),)
        if isinstance(node, exp.Lateral):
            return (self._lateral(node, env, siblings),)
        return (self._function(node, env, siblings),)

    def _derived(self, node: exp.Expr, shape: _Shape, near: frozenset[int] = frozenset()) -> Relation:
        shape = self._renamed(node, shape)
        alias = node.args.get("alias")
        return Relation(
            number=self._number(),
            alias=folded(alias.this, self._dialect) if isinstance(alias, exp.TableAlias) else "",
            outputs=shape.outputs,
            single_row=shape.single_row,
            near=near,
        )

    def _lateral(self, node: exp.Lateral, env: _Env, siblings: tuple[Relation, ...]) -> Relation:
        if not isinstance(node.this, exp.Subquery):
            return self._function(node, env, siblings)
        start = len(self._bound_to)
        shape = self.query(node.this, env.inside(siblings))
        return self._derived(node, shape, self._depends_on(siblings, start))

    def _function(self, node: exp.Expr, env: _Env, siblings: tuple[Relation, ...]) -> Relation:
        """A function or a list of values as a relation; functions may read what stands before them."""
        start = len(self._bound_to)
        for part in node.iter_expressions():
            if not isinstance(part, exp.TableAlias):
                self._expression(part, env.inside(siblings))
        alias = node.args.get("alias")
        name = folded(alias.this, self._dialect) if isinstance(alias, exp.TableAlias) and alias.this else ""
        columns = (
            [folded(column, self._dialect) for column in alias.columns] if isinstance(alias, exp.TableAlias) else []
        )
        outputs = tuple(Output(name=column) for column in columns or [name or "unnest"])
        single = isinstance(node, exp.Values) and len(node.expressions) == 1
        near = self._depends_on(siblings, start)
        return Relation(number=self._number(), alias=name, outputs=outputs, single_row=single, near=near)

    def _depends_on(self, siblings: tuple[Relation, ...], start: int) -> frozenset[int]:
        return frozenset(self._bound_to[start:]) & {relation.number for relation in siblings}

    def _table(
        self,
        table: exp.Table,
        env: _Env,
        siblings: tuple[Relation, ...],
        joins: list[JoinFact] | None = None,
        outer_alias: exp.TableAlias | None = None,
    ) -> tuple[Relation, ...]:
        if not isinstance(table.this, exp.Identifier):
            return (self._function(table, env, siblings),)
        alias = table.args.get("alias") or outer_alias
        relations = [self._named(table, alias, env)]
        inner: list[JoinFact] = []
        for join in table.args.get("joins") or ():
            self._join(join, env, relations, inner)
        if inner and outer_alias:
            self._trouble("construct", "alias of a joined table")
        if joins is not None:
            joins.extend(inner)
        elif inner:
            self._trouble("construct", "joined table")
        return tuple(relations)

    def _named(self, table: exp.Table, alias: exp.TableAlias | None, env: _Env) -> Relation:
        name = folded(table.this, self._dialect)
        called = folded(alias.this, self._dialect) if alias and alias.this else name
        cte = None if table.args.get("db") else self._cte_named(name, env)
        if cte:
            shape = self._renamed(table, cte.shape)
            return Relation(number=self._number(), alias=called, outputs=shape.outputs, single_row=shape.single_row)
        return self._governed(table, alias, called)

    def _cte_named(self, name: str, env: _Env) -> _Cte | None:
        matches = [cte for cte in reversed(env.ctes) if cte.name.lower() == name.lower()]
        if matches and matches[0].name != name and self._dialect == "mysql":
            self._trouble("construct", name)
        return next((cte for cte in matches if cte.name == name), None)

    def _governed(self, table: exp.Table, alias: exp.TableAlias | None, called: str) -> Relation:
        source = self._source(table)
        number = self._number()
        if self._dialect == "mysql" and table.name.lower() == "dual" and not table.args.get("db"):
            return Relation(number=number, alias=called, outputs=(), single_row=True)
        if source is None:
            kind = "system" if is_system(table) else "source"
            self._trouble(kind, ".".join(part.name for part in table.parts))
            return Relation(number=number, alias=called, outputs=())
        if alias and alias.columns:
            self._trouble("construct", "column names of a table alias")
        self._references.append(Reference(number=number, source=source, table=table, alias=called))
        outputs = tuple(
            Output(name=column.name, origin=Origin(reference=number, column=column.name)) for column in source.columns
        )
        return Relation(number=number, alias=called, outputs=outputs, source=source)

    def _source(self, table: exp.Table) -> GovernedSource | None:
        found = [s for s in self._scope.by_table.get(table.name.lower(), ()) if self._is_source(table, s)]
        return found[0] if len(found) == 1 else None

    def _is_source(self, table: exp.Table, source: GovernedSource) -> bool:
        schema = table.text("db").lower()
        own = (source.schema,) if source.schema else (self._scope.default_schema, *self._scope.database_names)
        if table.args.get("catalog") or (schema and schema not in {name.lower() for name in own}):
            return False
        name = folded(table.this, self._dialect)
        return name in {source.table, source.table.lower()} or self._dialect != "postgres"

    # Expressions

    def _joined(self, relations: tuple[Relation, ...], joins: tuple[JoinFact, ...], env: _Env) -> None:
        for join in joins:
            if join.on:
                self._expression(join.on, env)
            shared = join.shared
            if join.method.upper() == "NATURAL":
                for relation in relations:
                    self._take_whole(relation)
            for name in shared:
                self._expression(exp.column(exp.to_identifier(name)), env)

    def _expression(self, root: exp.Expr, env: _Env, aliases: frozenset[str] = frozenset()) -> None:
        stack: list[exp.Expr] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, exp.Query):
                self.query(node, env)
            elif isinstance(node, exp.Star) or (isinstance(node, exp.Column) and node.is_star):
                if not isinstance(node.parent, exp.Count) or not isinstance(node, exp.Star):
                    self._trouble("column", "*")
            elif isinstance(node, exp.Column):
                self._column(node, env.levels, aliases)
            else:
                stack.extend(node.iter_expressions())

    def _column(self, column: exp.Column, levels: Levels, aliases: frozenset[str]) -> None:
        found = candidates(column, levels, self._dialect)
        if is_denied(column, levels, self._dialect):
            self._trouble("column", column.name)
        elif found:
            self._bind(column, found[0].level, levels)
            for candidate in found:
                origin = candidate.output.origin
                if candidate.relation.source and origin:
                    self._read(candidate.relation.number, candidate.relation.source, origin.column)
                self._bound_to.append(candidate.relation.number)
        elif column.args.get("table") or column.name.lower() not in aliases:
            self._unknown_column(column, levels)
        else:
            # An engine may know a column of that name which the catalog does not: it must not be seen.
            self._whole.update(relation.number for relation in levels[0] if relation.source)

    def _bind(self, column: exp.Column, level: int, levels: Levels) -> None:
        first = candidates(column, levels, self._dialect)[0]
        number = first.relation.number if level == 0 else OUTER
        self._bindings[id(column)] = Binding(relation=number, output=first.output)
        if level == 0 or column.args.get("table"):
            return
        if is_shadowed(first, levels) or not first.relation.alias:
            self._trouble("construct", column.name)
        column.set("table", exp.to_identifier(first.relation.alias))

    def _unknown_column(self, column: exp.Column, levels: Levels) -> None:
        """`item.field` of a structured column reads that column; anything else is not ours to read."""
        holder = _holder(column)
        found = candidates(holder, levels, self._dialect) if holder else ()
        structured = bool(found) and self._is_structured(found[0].relation, holder.name if holder else "")
        if not structured or holder is None:
            self._trouble("column", column.name)
        else:
            self._column(holder, levels, frozenset())

    def _is_structured(self, relation: Relation, name: str) -> bool:
        columns = relation.source.columns if relation.source else ()
        return any(c.name.lower() == name.lower() and c.type.lower().startswith("struct") for c in columns)

    def _binding(self, column: exp.Column) -> Binding | None:
        return self._bindings.get(id(column))

    def _read(self, number: int, source: GovernedSource, column: str) -> None:
        self._reads[ColumnRead(reference=number, source=source.name, column=column)] = None

    def _trouble(self, kind: str, name: str = "") -> None:
        self._troubles[Trouble(kind=kind, name=name)] = None  # type: ignore[arg-type]

    def _number(self) -> int:
        self._relations += 1
        return self._relations


def _holder(column: exp.Column) -> exp.Column | None:
    parts = column.parts[:-1]
    names = [part.copy() for part in parts if isinstance(part, exp.Identifier)]
    return exp.column(names[-1], table=names[-2] if len(names) > 1 else None) if names else None


def _opaque(shape: _Shape) -> _Shape:
    return replace(shape, outputs=tuple(replace(output, origin=None) for output in shape.outputs))
