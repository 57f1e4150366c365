from typer.testing import CliRunner

from bot.cli import create_cli

NOWHERE = "http://127.0.0.1:1"


def test_a_fault_is_said_with_what_to_do_and_exits_1() -> None:
    given = {
        "SLACK_BOT_TOKEN": "xoxb-secret",
        "SLACK_SIGNING_SECRET": "also secret",
        "SLACK_API_URL": f"{NOWHERE}/api/",
        "PUBLIC_BASE_URL": NOWHERE,
    }
    result = CliRunner().invoke(create_cli(), ["doctor", "slack"], env=given)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "FAIL slack token: auth.test: ClientConnectorError"
    assert "slack.com" in lines[1]
    assert "secret" not in result.output.replace("SLACK_SIGNING_SECRET", "")


def test_a_platform_that_is_off_needs_no_mending() -> None:
    result = CliRunner().invoke(create_cli(), ["doctor", "teams"], env={"TEAMS_APP_ID": ""})
    assert (result.exit_code, result.output) == (0, "ok   teams: off\n")


def test_a_platform_that_there_is_not_is_refused() -> None:
    assert CliRunner().invoke(create_cli(), ["doctor", "discord"]).exit_code == 2
