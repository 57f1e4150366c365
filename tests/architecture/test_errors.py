from collections import Counter
from datetime import UTC, datetime

import pytest

from agent.values.identity import RunId
from agent.values.outcome import Failure
from agent.wording.texts import has, say
from bot.failures import outcome_of
from semantic_catalog.errors import AskerError, CountersignError, OperatorError
from semantic_catalog.model import LOCALES, Locale
from tests.architecture.sources import modules

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def kinds(root: type[CountersignError]) -> list[type[CountersignError]]:
    list(modules())
    found = [root]
    for kind in found:
        found += [each for each in kind.__subclasses__() if each.__module__.split(".")[0] != "tests"]
    return found


@pytest.mark.parametrize("kind", kinds(AskerError), ids=lambda kind: kind.__name__)
def test_an_error_that_the_asker_can_mend_has_words_of_its_own(kind: type[CountersignError]) -> None:
    assert has(f"error.{kind.code}")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", kinds(OperatorError), ids=lambda kind: kind.__name__)
def test_an_error_that_we_must_mend_is_told_without_its_detail(kind: type[OperatorError], locale: Locale) -> None:
    told = outcome_of(kind("host db-7 refused"), RunId("7F3K"), locale, NOW)
    assert isinstance(told, Failure)
    assert told.message in (
        say(locale, "error.operator"),
        say(locale, f"error.{kind.code}") if has(f"error.{kind.code}") else "",
    )
    assert "db-7" not in told.message
    assert told.reference == "7F3K"


def test_a_code_names_one_error_and_its_special_cases() -> None:
    codes = Counter(kind.code for kind in kinds(CountersignError) if "code" in vars(kind))
    assert [code for code, times in codes.items() if times > 1] == []


def test_no_error_goes_by_the_code_of_a_whole_branch() -> None:
    branches: set[type[CountersignError]] = {CountersignError, AskerError, OperatorError}
    nameless = {kind for kind in kinds(CountersignError) if kind.code in {branch.code for branch in branches}}
    assert nameless == branches
