import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from agent.policy.load import load_policy
from agent.understanding.interpreter import CatalogInterpreter
from agent.values.identity import ThreadKey
from agent.values.memory import Question, ThreadMemory
from bot.bootstrap import DEMO_POLICY
from bot.cli import create_cli
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog
from tests.architecture.sources import ROOT
from tests.documents.sections import documents, remade
from tests.fakes.catalog import FixedCatalog, NamedMembers

CODE = re.compile(r"```(?:sh|bash|console)\n(.*?)```|`((?:countersign|make) [^`]*)`", re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")
GLOSSARY = ("metric", "dimension", "grain", "member", "principal", "proposal", "interrupt", "checkpoint",
            "countersignature")  # fmt: skip


def page_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(text: str) -> Iterator[list[str]]:
    """Every `countersign …` and `make …` that the page tells people to type."""
    for found in CODE.finditer(text):
        for line in (found.group(1) or found.group(2)).splitlines():
            words = line.split()
            if words[:1] in (["countersign"], ["make"]):
                yield words


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_what_is_made_from_the_product_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert remade(text) == text, "run 'make docs'"


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_every_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), f"{target}#{anchor}"


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_every_command_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", page_of("Makefile"), flags=re.MULTILINE))
    for words in commands(page.read_text(encoding="utf-8")):
        if words[0] == "make":
            assert words[1] in targets, words
        else:
            assert known(words[1:]), words


def known(words: list[str]) -> bool:
    """Whether the words begin with a command of ours, and every long option is one of its options."""
    command = get_command(create_cli())
    path = []
    for word in words:
        if word not in getattr(command, "commands", {}):
            break
        command = command.commands[word]  # type: ignore[attr-defined]  # a group, as it has commands
        path.append(word)
    options = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    named = {word.partition("=")[0] for word in words if word.startswith("--")}
    return bool(path) and not hasattr(command, "commands") and named <= options


@pytest.mark.parametrize("line", ["demo fly", "ask --loudly", "demo", "sing"])
def test_a_command_that_does_not_exist_would_be_found(line: str) -> None:
    assert not known(line.split())


def test_the_readme_explains_the_words_of_the_field() -> None:
    glossary = page_of("README.md").partition("## Glossary")[2]
    assert [word for word in GLOSSARY if f"**{word}**" not in glossary.lower()] == []


@cache
def packaged() -> Catalog:
    return load_catalog()


def questions() -> list[str]:
    table = page_of("README.md").partition("## Ask your own questions")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ")[-3:] for line in table.splitlines() if line.startswith("|")]
    return [cell.strip() for row in rows[2:] for cell in row]


@pytest.mark.parametrize("question", questions())
async def test_every_question_of_the_readme_is_understood_to_its_last_word(question: str) -> None:
    policy = load_policy(DEMO_POLICY)
    analyst = next(principal for principal in policy.principals if principal.id == "analyst")
    memory = ThreadMemory(thread=ThreadKey("console:readme"))
    asked = Question(text=question, locale=None, today=date(2026, 11, 1), memory=memory)
    meaning = await CatalogInterpreter(FixedCatalog(packaged()), NamedMembers()).interpret(asked, analyst)
    assert meaning.spec is not None
    assert (meaning.slots, meaning.unused_words, meaning.declined) == ((), (), None)
