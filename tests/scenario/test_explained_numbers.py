import asyncio
import re
from collections.abc import Iterator

import pytest

from agent.analysis.check_numbers import unsupported_numbers
from bot.demo.state import DomainData
from bot.embedded import EmbeddedServices
from tests.control_databases import own_control_database
from tests.scenario.conftest import settings_over
from tests.scenario.explained import Explained, explained
from tests.services import empty_valkey, own_valkey_number

LEAST_ANSWERS = 100
# What a careless hand makes of a digit; at least one of them is no number of the same result.
SLIPS = (3, 5, 7)


@pytest.fixture(scope="module")
def answers(
    services: EmbeddedServices,
    payments: DomainData,
    erp_finance: DomainData,
    scrap_prices: DomainData,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Explained]]:
    """All answers of the development sets, asked once for the tests of this file."""
    domains = {each.name: each.reader_url for each in (payments, erp_finance, scrap_prices)}
    with own_control_database(services) as control, own_valkey_number() as number:
        valkey = services.valkey.replace("db=0", f"db={number}")
        empty_valkey(valkey)
        settings = settings_over(control, valkey, domains, tmp_path_factory.mktemp("out"), policy_file=None)
        yield asyncio.run(explained(settings))


def wrong(line: str, each: Explained) -> tuple[str, ...]:
    answer = each.answer
    return unsupported_numbers(line, each.table, answer.kpis, answer.spec, answer.locale, answer.result.row_count)


def test_every_number_of_every_explanation_is_the_results(answers: list[Explained]) -> None:
    assert len(answers) >= LEAST_ANSWERS
    found = {(each.item, line): numbers for each in answers for line in each.lines if (numbers := wrong(line, each))}
    assert found == {}


def test_a_wrong_number_is_caught_wherever_it_is_planted(answers: list[Explained]) -> None:
    planted = [(each, slips) for each in answers for line in each.lines for slips in planted_in(line)]
    unnoticed = {slips for each, slips in planted if not any(wrong(line, each) for line in slips)}
    assert len(planted) >= LEAST_ANSWERS
    assert unnoticed == set()


def planted_in(line: str) -> Iterator[tuple[str, ...]]:
    """For each figure of the line (no day, no year), the line with another first digit of it, in several ways."""
    for number in re.finditer(r"(?<![\w.,])\d+(?:[.,\u00a0]\d+)+|(?<![\w.,])\d+(?=\u00a0)", line):
        digit, rest = int(number[0][0]), line[number.start() + 1 :]
        yield tuple(f"{line[: number.start()]}{1 + (digit + slip) % 9}{rest}" for slip in SLIPS)
