from dataclasses import replace

import pytest

from adapters.channels.slack.modal import entered, form_view, offered
from agent.values.identity import RunId
from agent.values.spec import QuerySpec
from agent.values.turn import CardAction
from cards.build.forms import change_form
from cards.forms import ContradictoryForm, Form, filled
from semantic_catalog.model import LOCALES, DomainName, Locale, MetricName
from tests.unit.cards import samples
from tests.unit.cards.hostile import TEXTS, hostile_words
from tests.unit.cards.samples import WORDS, Words
from tests.validators.slack_blocks import view_faults

SPEC = QuerySpec(domain=DomainName("payments"), metrics=(MetricName("approval_rate"),))
CHANGE = CardAction(verb="change", run=RunId("7F3K"), fingerprint="f", value="1")


def form_of(words: Words, dimensions: tuple[str, ...]) -> Form:
    return change_form(replace(samples.proposal(words), spec=SPEC), dimensions)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_change_form_offers_period_rows_split_words_and_sql(locale: Locale) -> None:
    form = form_of(WORDS[locale], ("Canal", "Region"))
    assert [field.key for field in form.fields] == ["period", "limit", "grouping", "text", "sql"]
    view = form_view(form, locale, "")
    assert view_faults(view) == []
    assert offered(view, "sql") == WORDS[locale].sql


def test_sql_longer_than_a_box_is_not_offered_and_the_form_says_how() -> None:
    words = replace(WORDS["en"], sql="SELECT 1 -- " + "x" * 3000)
    form = form_of(words, ())
    assert [field.key for field in form.fields] == ["period", "limit", "text"]
    assert "as a message in the thread" in form.note
    assert view_faults(form_view(form, "en", "")) == []


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_breaks_a_form(kind: str) -> None:
    form = form_of(hostile_words("en", TEXTS[kind]), (TEXTS[kind],) * 300)
    assert view_faults(form_view(form, "en", "")) == []


def test_written_sql_is_changed_in_words_or_as_sql() -> None:
    assert [field.key for field in change_form(samples.proposal(WORDS["en"]), ("Region",)).fields] == ["text", "sql"]


def test_choices_and_words_become_one_wish() -> None:
    wished = filled(
        CHANGE, {"limit": "limit 5", "text": "only Visa", "period": "last month", "sql": "SELECT 1"}, "SELECT 1"
    )
    assert wished == replace(CHANGE, text="last month; limit 5; only Visa")


def test_edited_sql_goes_as_it_is() -> None:
    assert filled(CHANGE, {"sql": "SELECT 2", "text": " "}, "SELECT 1").text == "SELECT 2"


def test_edited_sql_and_another_wish_contradict_each_other() -> None:
    with pytest.raises(ContradictoryForm) as told:
        filled(CHANGE, {"sql": "SELECT 2", "limit": "limit 5"}, "SELECT 1")
    assert told.value.field == "sql"


@pytest.mark.parametrize("state", [None, {}, {"values": None}, {"values": {"text": "x"}}, {"values": {"text": {}}}])
def test_a_dialog_without_content_reads_as_empty(state: object) -> None:
    assert "".join(entered({"state": state}).values()) == ""
