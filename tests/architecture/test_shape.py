import ast
import inspect
import re
from collections.abc import Iterator

import pytest

from agent import ports as agent_ports
from bot import ports as bot_ports
from tests.architecture.sources import ROOT, Source, sources

LONGEST_FILE = 400
MOST_METHODS = 7
SAYS_NOTHING = re.compile(r"(?:^|_)(?:util|utils|helper|helpers|common|manager|managers|base|misc)(?:_|$)")
TEXT_FILES = (
    "*.py",
    "*.md",
    "*.yaml",
    "*.yml",
    "*.toml",
    "*.txt",
    "*.sql",
    "*.json",
    "*.svg",
    "Makefile",
    "Dockerfile",
)
MACHINE_PATH = re.compile(r"(?<![\w.}/-])/(?:home|work|root|Users|mnt)/[\w.]")
REGISTRY_HOSTS = ("pypi" + ".org", "python" + "hosted.org", "registry" + ".npmjs", "npmjs" + ".org", "index" + "-url")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(source: Source) -> Iterator[str]:
    """Public modules, classes, functions and methods without a docstring."""
    if not ast.get_docstring(source.tree):
        yield source.path
    yield from (f"{source.path}: {name}" for name, node in public(source.tree, "") if not ast.get_docstring(node))


def public(parent: ast.Module | ast.ClassDef, inside: str) -> Iterator[tuple[str, Documented]]:
    for node in parent.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            name = f"{inside}{node.name}"
            yield name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node, f"{name}.")


def classes(source: Source) -> Iterator[str]:
    yield from (node.name for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef))


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def test_everything_public_says_what_it_guarantees() -> None:
    assert [missing for source in sources() for missing in undocumented(source)] == []


def test_a_missing_docstring_would_be_found() -> None:
    bare = Source(path="x.py", text="class A:\n    '''Said.'''\n    def b(self): ...\n    def _c(self): ...\n")
    assert list(undocumented(bare)) == ["x.py", "x.py: A.b"]


def test_a_package_file_holds_its_docstring_and_nothing_else() -> None:
    packages = [source for source in sources(*("bot", "adapters", "cards", "agent", "semantic_catalog", "tests"))
                if source.path.endswith("__init__.py")]  # fmt: skip
    assert len(packages) > 50
    assert [
        source.path for source in packages if len(source.tree.body) != 1 or not ast.get_docstring(source.tree)
    ] == []


def test_no_name_says_nothing() -> None:
    names = [(source.path, name) for source in sources() for name in (*source.path[:-3].split("/"), *classes(source))]
    assert [found for found in names if SAYS_NOTHING.search(snake(found[1]))] == []


@pytest.mark.parametrize("name", ["CardManager", "sql_utils", "BaseChannel", "helpers"])
def test_a_name_that_says_nothing_would_be_found(name: str) -> None:
    assert SAYS_NOTHING.search(snake(name))


def test_no_file_is_too_long_to_read_at_once() -> None:
    everything = (*sources(), *sources("tests", "deploy"))
    assert [source.path for source in everything if source.text.count("\n") > LONGEST_FILE] == []


@pytest.mark.parametrize(
    "port",
    [
        pytest.param(kind, id=f"{module.__name__}.{name}")
        for module in (agent_ports, bot_ports)
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and getattr(kind, "_is_protocol", False)
    ],
)
def test_a_port_asks_for_few_things(port: type) -> None:
    asked = [name for name in vars(port) if not name.startswith("_")]
    assert 1 <= len(asked) <= MOST_METHODS


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    places = [
        ROOT / name for name in ("bot", "adapters", "cards", "agent", "semantic_catalog", "tests", "docs", "deploy")
    ]
    files = [path for place in places for pattern in TEXT_FILES for path in place.rglob(pattern)]
    files += [path for pattern in TEXT_FILES for path in ROOT.glob(pattern)]
    assert [str(path) for path in files if names_a_place(path.read_text(encoding="utf-8"))] == []


def names_a_place(text: str) -> bool:
    return bool(MACHINE_PATH.search(text)) or any(host in text for host in REGISTRY_HOSTS)


@pytest.mark.parametrize("text", ["see {}home/ana/x", "'{}root{}.cache'", "https:{}{}pypi" + ".org{}simple"])
def test_a_machine_or_a_registry_would_be_found(text: str) -> None:
    assert names_a_place(text.replace("{}", "/"))
