"""What has been seen of one query so far; becomes its facts."""

from dataclasses import replace

from sqlglot import exp

from agent.sql.facts import Binding, Block, ColumnRead, Facts, Reference, Relation, Trouble, TroubleKind


class Notes:
    """Collects references, reads, bindings and troubles of one query while it is resolved."""

    def __init__(self) -> None:
        self._references: list[Reference] = []
        self._whole: set[int] = set()
        self._blocks: list[Block] = []
        self._bindings: dict[int, Binding] = {}
        self._reached: list[int] = []
        self._reads: dict[ColumnRead, None] = {}
        self._troubles: dict[Trouble, None] = {}
        self._relations = 0

    def facts(self, tree: exp.Query) -> Facts:
        """Everything noted, about `tree`."""
        return Facts(
            tree=tree,
            references=tuple(replace(r, whole=r.number in self._whole) for r in self._references),
            blocks=tuple(self._blocks),
            bindings=self._bindings,
            reads=tuple(self._reads),
            troubles=tuple(self._troubles),
        )

    def number(self) -> int:
        """A number for the next relation."""
        self._relations += 1
        return self._relations

    def reference(self, reference: Reference) -> None:
        """A governed source is named."""
        self._references.append(reference)

    def block(self, block: Block) -> None:
        """A SELECT is resolved."""
        self._blocks.append(block)

    def trouble(self, kind: TroubleKind, name: str = "") -> None:
        """Something is unknown, denied or undecidable."""
        self._troubles[Trouble(kind=kind, name=name)] = None

    def binding(self, column: exp.Column) -> Binding | None:
        """What a column stands for, once it is bound."""
        return self._bindings.get(id(column))

    def bind(self, column: exp.Column, binding: Binding) -> None:
        """A column of the text stands for an output."""
        self._bindings[id(column)] = binding

    def read(self, relation: Relation, column: str) -> None:
        """A column of a relation is read; only a governed source's counts."""
        if relation.source is not None:
            self._reads[ColumnRead(reference=relation.number, source=relation.source.name, column=column)] = None

    def take_whole(self, relation: Relation) -> None:
        """All columns of a relation are taken: the governed ones, and what the engine may know beside them."""
        if relation.source is None:
            return
        self.screen((relation,))
        if relation.source.denied:
            self.trouble("column", "*")
        for output in relation.outputs:
            self.read(relation, output.name)

    def screen(self, relations: tuple[Relation, ...]) -> None:
        """Columns that the catalog does not know must not be visible in these relations."""
        self._whole.update(relation.number for relation in relations if relation.source)

    def reach(self, relation: int) -> None:
        """A column of that relation is named."""
        self._reached.append(relation)

    def mark(self) -> int:
        """A point to ask `reached_since` about."""
        return len(self._reached)

    def reached_since(self, mark: int) -> frozenset[int]:
        """The relations whose columns were named since."""
        return frozenset(self._reached[mark:])
