"""The YAML files of one domain, composed into a single tree of nodes that remember their file and line."""

from collections.abc import Iterator
from pathlib import Path

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from semantic_catalog.issues import Issue, Place

# File (or folder of files) of a domain -> the field of `Domain` that it fills. `domain.yaml` fills the rest.
SECTIONS = {
    "entities": "entities",
    "dimensions": "dimensions",
    "metrics": "metrics",
    "joins": "relationships",
    "quality": "quality",
    "examples": "examples",
    "trusted_queries": "trusted_queries",
}


class DomainFiles:
    """Reads a domain's folder. Faults of the YAML itself are collected in `issues`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, str] = {}
        self.issues: list[Issue] = []

    def tree(self) -> MappingNode | None:
        """One mapping with a key for every field of the domain; None when `domain.yaml` cannot be used."""
        root = self._compose(self._folder / "domain.yaml")
        if not isinstance(root, MappingNode):
            return None
        for section, field in SECTIONS.items():
            node = self._section(section)
            if node is not None:
                key = ScalarNode("tag:yaml.org,2002:str", field, node.start_mark, node.end_mark)
                root.value.append((key, node))
        return root

    def place(self, node: Node) -> Place:
        """Where a node starts."""
        return self._place(node.start_mark.name, node.start_mark.line)

    def _place(self, file: str, line: int) -> Place:
        if file not in self._names:
            self._names[file] = Path(file).relative_to(self._folder.parent).as_posix()
        return Place(file=self._names[file], line=line + 1)

    def _section(self, section: str) -> Node | None:
        nodes = [node for path in self._paths(section) if (node := self._compose(path)) is not None]
        if len(nodes) > 1 and all(isinstance(node, MappingNode) for node in nodes):
            entries = [entry for node in nodes for entry in node.value]
            return MappingNode(nodes[0].tag, entries, nodes[0].start_mark, nodes[-1].end_mark)
        return nodes[0] if nodes else None

    def _paths(self, section: str) -> Iterator[Path]:
        single = self._folder / f"{section}.yaml"
        if single.is_file():
            yield single
        yield from sorted((self._folder / section).glob("*.yaml"))

    def _compose(self, path: Path) -> Node | None:
        fault, line, node = "the file is empty", 0, None
        try:
            with path.open(encoding="utf-8") as stream:
                node = yaml.compose(stream, Loader=_loader())
        except FileNotFoundError:
            fault = "the file is missing"
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            fault, line = f"not YAML: {error.problem or error.context}", mark.line if mark else 0
        except (yaml.YAMLError, UnicodeDecodeError):
            fault = "not YAML: not UTF-8 text"
        if node is None:
            self.issues.append(Issue(place=self._place(str(path), line), message=fault))
        return node


def _loader() -> type[yaml.SafeLoader | yaml.CSafeLoader]:
    return yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
