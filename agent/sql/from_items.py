"""Items of FROM clauses to relations: governed sources, CTEs, subqueries, functions and lists of values."""

from typing import Protocol

from sqlglot import exp

from agent.sql.facts import JoinFact, Origin, Output, Reference, Relation
from agent.sql.names import folded, is_system
from agent.sql.notes import Notes
from agent.sql.scope import GovernedSource, GuardScope
from agent.sql.shapes import Env, Shape


class Queries(Protocol):
    """Resolves what stands inside an item."""

    def query(self, node: exp.Expr, env: Env) -> Shape:
        """A subquery's shape."""
        ...

    def expression(self, root: exp.Expr, env: Env) -> None:
        """Note what an expression reads."""
        ...


class FromItems:
    """The relations of one FROM clause, in order, with the joins between them."""

    def __init__(self, scope: GuardScope, notes: Notes, queries: Queries, env: Env) -> None:
        self._scope = scope
        self._notes = notes
        self._queries = queries
        self._env = env
        self.relations: list[Relation] = []
        self.joins: list[JoinFact] = []

    def add(self, node: exp.Expr) -> tuple[Relation, ...]:
        """Resolve one item; what it adds stands in `relations` afterwards."""
        start = len(self.relations)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            if node.args.get("alias"):
                self._notes.trouble("construct", "alias of joined tables")
            self._table(node.this)
        elif isinstance(node, exp.Table):
            self._table(node)
        else:
            self.relations.append(self._nameless(node))
        return tuple(self.relations[start:])

    def join(self, join: exp.Join) -> None:
        """Resolve a join: its item and the fact of it. Its condition is read once all relations are known."""
        before = frozenset(relation.number for relation in self.relations)
        added = self.add(join.this)
        self.joins.append(
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

    def _table(self, table: exp.Table) -> None:
        if isinstance(table.this, exp.Identifier):
            self.relations.append(self._named(table))
        else:
            self.relations.append(self._function(table))
        for join in table.args.get("joins") or ():
            self.join(join)

    def _nameless(self, node: exp.Expr) -> Relation:
        if isinstance(node, exp.Subquery):
            return self._derived(node, self._queries.query(node, self._env))
        if isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery) and not _is_list(node.this):
            mark = self._notes.mark()
            shape = self._queries.query(node.this, self._env.inside(tuple(self.relations)))
            return self._derived(node, shape, self._siblings_since(mark), node.this)
        return self._function(node)

    def _derived(
        self,
        node: exp.Expr,
        shape: Shape,
        near: frozenset[int] = frozenset(),
        lateral: exp.Query | None = None,
    ) -> Relation:
        alias = node.args.get("alias")
        shape = shape.renamed(alias, self._scope.dialect)
        return Relation(
            number=self._notes.number(),
            alias=self._alias(alias),
            outputs=shape.outputs,
            single_row=shape.single_row,
            near=near,
            lateral=lateral,
        )

    def _function(self, node: exp.Expr) -> Relation:
        """A function or a list of values as a relation; functions may read what stands before them."""
        mark = self._notes.mark()
        for part in node.iter_expressions():
            if _is_list(part):
                part = part.this
            if not isinstance(part, (exp.TableAlias, exp.Join)):
                self._queries.expression(part, self._env.inside(tuple(self.relations)))
        alias = node.args.get("alias")
        named = [folded(c, self._scope.dialect) for c in alias.columns] if isinstance(alias, exp.TableAlias) else []
        numbered = node.args.get("offset")
        if isinstance(numbered, exp.Identifier):
            named.append(folded(numbered, self._scope.dialect))
        return Relation(
            number=self._notes.number(),
            alias=self._alias(alias),
            outputs=tuple(Output(name=name) for name in named or [self._alias(alias) or "unnest"]),
            single_row=isinstance(node, exp.Values) and len(node.expressions) == 1,
            near=self._siblings_since(mark),
        )

    def _siblings_since(self, mark: int) -> frozenset[int]:
        return self._notes.reached_since(mark) & {relation.number for relation in self.relations}

    def _named(self, table: exp.Table) -> Relation:
        name = folded(table.this, self._scope.dialect)
        called = self._alias(table.args.get("alias")) or name
        cte = None if table.args.get("db") else self._env.cte(name)
        if not table.args.get("db") and self._scope.dialect == "mysql" and self._env.is_doubtful(name):
            self._notes.trouble("construct", name)
        if cte is None:
            return self._stored(table, called)
        shape = cte.shape.renamed(table.args.get("alias"), self._scope.dialect)
        return Relation(number=self._notes.number(), alias=called, outputs=shape.outputs, single_row=shape.single_row)

    def _stored(self, table: exp.Table, called: str) -> Relation:
        number = self._notes.number()
        source = source_of(table, self._scope)
        if source is not None:
            return self._governed(table, source, number, called)
        named = ".".join(part.name for part in table.parts)
        self._notes.trouble("system" if is_system(table) else "source", named)
        return Relation(number=number, alias=called, outputs=())

    def _governed(self, table: exp.Table, source: GovernedSource, number: int, called: str) -> Relation:
        alias = table.args.get("alias")
        if isinstance(alias, exp.TableAlias) and alias.columns:
            self._notes.trouble("construct", "column names of a table alias")
        self._notes.reference(Reference(number=number, source=source, table=table, alias=called))
        outputs = tuple(
            Output(name=column.name, origin=Origin(reference=number, column=column.name)) for column in source.columns
        )
        return Relation(number=number, alias=called, outputs=outputs, source=source)

    def _alias(self, alias: object) -> str:
        return folded(alias.this, self._scope.dialect) if isinstance(alias, exp.TableAlias) and alias.this else ""


def _is_list(item: exp.Expr) -> bool:
    """`(VALUES …)`, which is written like a query."""
    return isinstance(item, exp.Subquery) and isinstance(item.this, exp.Values)


def source_of(table: exp.Table, scope: GuardScope) -> GovernedSource | None:
    """The one governed source that a table's name means; None when there is none, or more than one."""
    found = [source for source in scope.by_table.get(table.name.lower(), ()) if _means(table, source, scope)]
    return found[0] if len(found) == 1 else None


def _means(table: exp.Table, source: GovernedSource, scope: GuardScope) -> bool:
    schema = table.text("db").lower()
    own = (source.schema,) if source.schema else (scope.default_schema, *scope.database_names)
    if table.args.get("catalog") or (schema and schema not in {name.lower() for name in own}):
        return False
    name = folded(table.this, scope.dialect)
    return name in {source.table, source.table.lower()} or scope.dialect != "postgres"
