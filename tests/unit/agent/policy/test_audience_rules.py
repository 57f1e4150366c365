from pathlib import Path

import pytest

from agent.policy.errors import PolicyError
from agent.policy.load import load_policy
from agent.policy.model import AudienceRules, Policy
from semantic_catalog.model import DomainName

PAYMENTS, PRICES = DomainName("payments"), DomainName("scrap_prices")
TEXT = """\
version: 1
name: acme
roles: {analyst: {domains: [payments], may_approve: own}}
people: [{id: ana, name: Ana, roles: [analyst], console: ana}]
"""


def policy(folder: Path, audience: str) -> Policy:
    path = folder / "policy.yaml"
    path.write_text(f"{TEXT}{audience}\n", encoding="utf-8")
    return load_policy(path)


def test_left_out_an_answer_is_compared_and_outsiders_are_refused(tmp_path: Path) -> None:
    assert policy(tmp_path, "").audience_in(PAYMENTS) == AudienceRules(answers="ask", external="refuse")


def test_a_word_alone_says_where_answers_stand(tmp_path: Path) -> None:
    assert policy(tmp_path, "audience: open").audience_in(PAYMENTS) == AudienceRules(answers="open")


def test_a_domain_keeps_what_it_does_not_change(tmp_path: Path) -> None:
    read = policy(
        tmp_path,
        "audience: {answers: private, external: allow, domains: {payments: open, scrap_prices: {external: refuse}}}",
    )
    assert read.audience_in(PAYMENTS) == AudienceRules(answers="open", external="allow")
    assert read.audience_in(PRICES) == AudienceRules(answers="private", external="refuse")
    assert read.audience_in(DomainName("other")) == AudienceRules(answers="private", external="allow")


@pytest.mark.parametrize("audience", ["audience: public", "audience: {answer: open}", "audience: {domains: {p: shut}}"])
def test_other_words_are_faults(tmp_path: Path, audience: str) -> None:
    with pytest.raises(PolicyError, match=r"policy\.yaml:5"):
        policy(tmp_path, audience)
