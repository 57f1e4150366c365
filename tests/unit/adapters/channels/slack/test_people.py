import pytest

from adapters.channels.slack.fields import Record
from adapters.channels.slack.installation import Installation
from adapters.channels.slack.people import person_of

HOME = Installation(team="T0HOME", enterprise="E0HOME", bot_id="B0BOT", bot_user="U0BOT")
PROFILE = {"display_name": "Ana", "real_name": "Ana Diaz", "email": "ana@home.example"}


@pytest.mark.parametrize(
    ("told", "email"),
    [
        ({"team_id": "T0HOME"}, "ana@home.example"),
        ({"team_id": "T0HOME", "is_email_confirmed": True}, "ana@home.example"),
        ({"team_id": "T0HOME", "is_email_confirmed": False}, None),
        ({"team_id": "T0HOME", "deleted": True}, None),
        ({"team_id": "T0HOME", "is_stranger": True}, None),
        ({"team_id": "T0OTHER"}, None),
        ({"team_id": "T0SISTER", "enterprise_user": {"enterprise_id": "E0HOME"}}, "ana@home.example"),
        ({"team_id": "T0OTHER", "enterprise_user": {"enterprise_id": "E0OTHER"}}, None),
    ],
)
def test_an_e_mail_counts_for_people_of_the_home_organisation(told: Record, email: str | None) -> None:
    assert person_of({**told, "profile": PROFILE}, "U0ANA", "T0HOME", HOME).user.email == email


def test_outside_an_enterprise_no_enterprise_is_home() -> None:
    alone = Installation(team="T0HOME", enterprise="", bot_id="B0BOT", bot_user="U0BOT")
    told = {"team_id": "T0OTHER", "enterprise_user": {"enterprise_id": ""}, "profile": PROFILE}
    assert person_of(told, "U0ANA", "T0OTHER", alone).user.email is None


@pytest.mark.parametrize(
    ("profile", "name"),
    [(PROFILE, "Ana"), ({"display_name": "", "real_name": "Ana Diaz"}, "Ana Diaz"), ({}, "ana.d"), (None, "ana.d")],
)
def test_people_are_called_as_they_wish(profile: object, name: str) -> None:
    told = {"team_id": "T0HOME", "name": "ana.d", "profile": profile}
    assert person_of(told, "U0ANA", "T0HOME", HOME).user.display_name == name


@pytest.mark.parametrize(
    ("tag", "locale"), [("en-US", "en"), ("es-LA", "es"), ("ru-RU", "ru"), ("de-DE", None), ("", None)]
)
def test_a_language_of_ours_is_taken(tag: str, locale: str | None) -> None:
    assert person_of({"team_id": "T0HOME", "locale": tag}, "U0ANA", "T0HOME", HOME).locale == locale


def test_an_unknown_person_is_of_the_workspace_the_event_names() -> None:
    assert person_of({}, "U0EVE", "T0OTHER", HOME).user.tenant == "T0OTHER"


@pytest.mark.parametrize(
    ("told", "zone"), [("Europe/Madrid", "Europe/Madrid"), ("Mars/Olympus", ""), ("../etc", ""), ("", "")]
)
def test_a_time_zone_is_one_that_exists(told: str, zone: str) -> None:
    assert person_of({"team_id": "T0HOME", "tz": told}, "U0ANA", "T0HOME", HOME).timezone == zone
