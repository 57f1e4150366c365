import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZipFile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PIL import Image
from typer.testing import CliRunner

from adapters.channels.slack.departures import REVOKED, UNINSTALLED
from adapters.channels.slack.inbound import MESSAGES
from adapters.channels.slack.oauth.config import REDIRECT_PATH
from adapters.channels.slack.scopes import BOT_SCOPES
from adapters.channels.slack.tabs import OPENED
from bot.chat_commands.words import read_command
from bot.settings import setting_help
from deploy.teams.commands import command_lists, questions
from deploy.teams.draw_icons import draw_color, draw_outline
from deploy.teams.package import app, filled_manifest
from semantic_catalog.load import load_catalog
from semantic_catalog.model import LOCALES, Catalog, Locale

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
APP_ID = UUID("11111111-2222-3333-4444-555555555555")


@pytest.fixture
def slack() -> dict[str, Any]:
    manifest: dict[str, Any] = yaml.safe_load((DEPLOY / "slack" / "manifest.yaml").read_text(encoding="utf-8"))
    return manifest


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def teams() -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(_filled())
    return manifest


def test_the_slack_texts_keep_to_slacks_limits(slack: dict[str, Any]) -> None:
    shown, features = slack["display_information"], slack["features"]
    assert 1 <= len(shown["name"]) <= 35
    assert 1 <= len(shown["description"]) <= 140
    assert 175 <= len(shown["long_description"]) <= 4_000
    assert re.fullmatch("#[0-9a-f]{6}", shown["background_color"])
    assert len(features["bot_user"]["display_name"]) <= 80
    assert 1 <= len(features["agent_view"]["agent_description"]) <= 300
    assert 1 <= len(features["agent_view"]["suggested_prompts"]) <= 4
    (command,) = features["slash_commands"]
    assert command["command"] == "/ask"
    assert command["should_escape"] is True


def test_slack_sends_what_the_bot_handles_to_one_route(slack: dict[str, Any]) -> None:
    settings = slack["settings"]
    assert set(settings["event_subscriptions"]["bot_events"]) == {
        "app_mention",
        "message.im",
        "message.channels",
        "message.groups",
        "message.mpim",
        "app_home_opened",
        "file_shared",
        "app_uninstalled",
        "tokens_revoked",
    }
    routes = {
        settings["event_subscriptions"]["request_url"],
        settings["interactivity"]["request_url"],
        slack["features"]["slash_commands"][0]["url"],
    }
    assert routes == {"https://countersign.example.com/slack/events"}
    assert settings["interactivity"]["is_enabled"] is True


def test_the_slack_app_asks_for_the_scopes_it_uses_and_no_more(slack: dict[str, Any]) -> None:
    assert tuple(slack["oauth_config"]["scopes"]["bot"]) == BOT_SCOPES
    assert sorted(slack["oauth_config"]["scopes"]["bot"]) == [
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:write",
        "mpim:history",
        "mpim:read",
        "usergroups:read",
        "users:read",
        "users:read.email",
    ]
    assert "user" not in slack["oauth_config"]["scopes"]


def test_slack_delivers_every_kind_that_the_bot_registers_and_no_other(slack: dict[str, Any]) -> None:
    events = set(slack["settings"]["event_subscriptions"]["bot_events"])
    messages = {f"message.{kind}" for kind in ("im", "mpim", "channels", "groups")}
    # A file comes with its message; the bare event is answered and dropped, as Slack asks of what is subscribed.
    assert events == {*messages, *MESSAGES - {"message"}, OPENED, UNINSTALLED, REVOKED, "file_shared"}
    assert {shortcut["type"] for shortcut in slack["features"]["shortcuts"]} == {"message", "global"}
    assert slack["features"]["app_home"] == {
        "home_tab_enabled": True,
        "messages_tab_enabled": True,
        "messages_tab_read_only_enabled": False,
    }


def test_everything_a_slack_manifest_shows_keeps_to_its_limits(slack: dict[str, Any]) -> None:
    features = slack["features"]
    assert slack["_metadata"]["major_version"] == 2
    for shortcut in features["shortcuts"]:
        assert 1 <= len(shortcut["name"]) <= 24
        assert 1 <= len(shortcut["description"]) <= 150
        assert 1 <= len(shortcut["callback_id"]) <= 255
    for command in features["slash_commands"]:
        assert re.fullmatch(r"/[a-z0-9_-]{1,31}", command["command"])
        assert 1 <= len(command["description"]) <= 2_000
        assert len(command["usage_hint"]) <= 1_000
    for prompt in features["agent_view"]["suggested_prompts"]:
        assert 1 <= len(prompt["title"]) <= 75
        assert prompt["message"]
    assert len(slack["settings"]["event_subscriptions"]["bot_events"]) <= 100
    assert slack["settings"]["socket_mode_enabled"] is False


def test_every_scope_that_an_event_needs_is_asked_for(slack: dict[str, Any]) -> None:
    needed = {
        "app_mention": "app_mentions:read",
        "message.im": "im:history",
        "message.mpim": "mpim:history",
        "message.channels": "channels:history",
        "message.groups": "groups:history",
        "file_shared": "files:read",
    }
    scopes = slack["oauth_config"]["scopes"]["bot"]
    for event in slack["settings"]["event_subscriptions"]["bot_events"]:
        assert needed.get(event, "commands") in scopes


def test_the_manifest_for_socket_mode_is_the_same_without_addresses(slack: dict[str, Any]) -> None:
    text = (DEPLOY / "slack" / "manifest.socket.yaml").read_text(encoding="utf-8")
    assert "https://" not in text
    socket = yaml.safe_load(text)
    for holder in (*slack["features"]["slash_commands"], slack["settings"]["event_subscriptions"]):
        del holder["url" if "url" in holder else "request_url"]
    del slack["settings"]["interactivity"]["request_url"]
    for manifest, is_on in ((socket, True), (slack, False)):
        assert manifest["settings"].pop("socket_mode_enabled") is is_on
    assert socket == slack


def test_the_manifest_for_several_workspaces_is_the_same_with_installing_and_rotation(slack: dict[str, Any]) -> None:
    several = yaml.safe_load((DEPLOY / "slack" / "manifest.several.yaml").read_text(encoding="utf-8"))
    assert several["oauth_config"].pop("redirect_urls") == [f"https://countersign.example.com{REDIRECT_PATH}"]
    for name in ("token_rotation_enabled", "org_deploy_enabled"):
        assert (several["settings"].pop(name), slack["settings"].pop(name)) == (True, False)
    assert several == slack


def test_the_teams_texts_keep_to_the_schemas_limits(teams: dict[str, Any]) -> None:
    assert teams["manifestVersion"] == "1.21"
    assert teams["manifestVersion"] in teams["$schema"]
    assert len(teams["developer"]["name"]) <= 32
    assert len(teams["name"]["short"]) <= 30
    assert len(teams["name"]["full"]) <= 100
    assert len(teams["description"]["short"]) <= 80
    assert len(teams["description"]["full"]) <= 4_000
    assert re.fullmatch("#[0-9A-F]{6}", teams["accentColor"])


@pytest.mark.parametrize("locale", LOCALES)
def test_what_teams_offers_is_of_the_catalog_and_the_bot_takes_it(locale: Locale, catalog: Catalog) -> None:
    lists = command_lists(catalog, locale)
    assert sorted(scope for held in lists for scope in held["scopes"]) == ["groupChat", "personal", "team"]
    asked = {question for _, question in questions(catalog, locale)}
    for held in lists:
        commands = held["commands"]
        titles = [command["title"] for command in commands]
        assert 1 <= len(commands) <= 10
        assert len(set(titles)) == len(titles)
        for command in commands:
            assert 1 <= len(command["title"]) <= 32
            assert 1 <= len(command["description"]) <= 128
            sent = command.get("prompt", command["title"])
            assert len(sent) <= 4_000
            assert sent in asked or read_command(sent) is not None
    prompts = [command for command in lists[0]["commands"] if "prompt" in command]
    assert len({command["description"].partition(":")[0] for command in prompts}) == len(catalog.domains)
    assert all(command["type"] == "prompt" for command in prompts)
    assert all("prompt" not in command for command in lists[1]["commands"])


def test_a_teams_app_that_hears_mentions_only_asks_no_owner_for_anything() -> None:
    manifest = json.loads(_filled(hears_threads=False))
    assert "authorization" not in manifest
    assert "webApplicationInfo" not in manifest
    assert manifest["bots"][0]["scopes"] == ["personal", "team", "groupChat"]


def test_the_teams_bot_serves_every_scope_and_takes_files(teams: dict[str, Any]) -> None:
    (bot,) = teams["bots"]
    assert set(bot["scopes"]) == {"personal", "team", "groupChat"}
    assert bot["supportsFiles"] is True
    assert bot["botId"] == teams["id"] == teams["webApplicationInfo"]["id"] == str(APP_ID)
    assert teams["validDomains"] == ["countersign.example.com"]
    assert {item["name"] for item in teams["authorization"]["permissions"]["resourceSpecific"]} == {
        "ChannelMessage.Read.Group",
        "ChatMessage.Read.Chat",
    }


def test_a_company_name_with_quotes_stays_a_text_of_the_manifest() -> None:
    assert json.loads(_filled(developer='The "Data" Company'))["developer"]["name"] == 'The "Data" Company'


@pytest.mark.parametrize("host", ["", "https://countersign.example.com", "countersign.example.com/path", "a b"])
def test_a_host_that_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="host name"):
        _filled(host=host)


def test_a_website_without_https_is_refused() -> None:
    with pytest.raises(ValueError, match="https"):
        _filled(website="http://example.com")


def test_the_package_holds_the_manifest_and_both_icons_at_its_top(tmp_path: Path, catalog: Catalog) -> None:
    target = tmp_path / "app.zip"
    options = {"--app-id": str(APP_ID), "--host": "countersign.example.com", "--developer": "Example",
               "--website": "https://example.com", "--out": str(target)}  # fmt: skip
    result = CliRunner().invoke(app, [word for pair in options.items() for word in pair], catch_exceptions=False)
    assert result.exit_code == 0
    with ZipFile(target) as package:
        assert sorted(package.namelist()) == ["color.png", "manifest.json", "outline.png"]
        manifest = json.loads(package.read("manifest.json"))
    assert manifest["id"] == str(APP_ID)
    assert manifest["bots"][0]["commandLists"] == command_lists(catalog, "en")


def test_the_icons_are_drawn_by_their_script_and_have_the_sizes_teams_asks_for() -> None:
    with Image.open(DEPLOY / "teams" / "color.png") as color, Image.open(DEPLOY / "teams" / "outline.png") as outline:
        assert (color.size, outline.size) == ((192, 192), (32, 32))
        assert color.convert("RGBA").getpixel((0, 0)) == draw_color().getpixel((0, 0)) == (22, 50, 79, 255)
        assert outline.convert("RGBA").getpixel((0, 0)) == draw_outline().getpixel((0, 0)) == (0, 0, 0, 0)


def test_every_variable_of_the_containers_is_a_setting_the_product_reads() -> None:
    services = _compose()["services"]
    for name in ("bot", "worker"):
        assert set(services[name]["environment"]) <= set(setting_help())


def test_compose_runs_the_app_and_two_workers_with_their_stores_and_publishes_nothing_to_the_network() -> None:
    services = _compose()["services"]
    assert set(services) == {"bot", "worker", "postgres", "valkey", "prometheus"}
    assert (services["bot"]["command"], services["worker"]["command"]) == ("serve", "worker")
    assert services["worker"]["deploy"]["replicas"] == 2
    assert all(port.startswith("127.0.0.1:") for service in services.values() for port in service.get("ports", ()))


@pytest.mark.parametrize("name", ["bot", "worker"])
def test_a_container_has_no_rights_writes_below_tmp_alone_and_waits_for_its_stores(name: str) -> None:
    service = _compose()["services"][name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(mount.startswith("/tmp:") for mount in service["tmpfs"])  # noqa: S108 — the container's own
    assert all(mount.endswith(":ro") for mount in service["volumes"])
    assert {store: held["condition"] for store, held in service["depends_on"].items()} == {
        "postgres": "service_healthy",
        "valkey": "service_healthy",
    }
    folders = {key: value for key, value in service["environment"].items() if key.endswith("_DIR")}
    assert set(folders) == {"DATA_DIR", "FILE_CACHE_DIR", "OUT_DIR"}
    assert all(folder.startswith("/tmp/") for folder in folders.values())  # noqa: S108
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}


def test_prometheus_beside_compose_finds_every_process_and_the_alerts() -> None:
    services = _compose()["services"]
    scraped = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
    found = [config["dns_sd_configs"][0] for config in scraped["scrape_configs"]]
    assert {name for each in found for name in each["names"]} == {"bot", "worker"}
    assert {str(each["port"]) for each in found} == {services["bot"]["environment"]["METRICS_PORT"]}
    # The alerts know the jobs by how their names begin.
    assert all(config["job_name"].startswith("countersign") for config in scraped["scrape_configs"])
    assert "./deploy/alerts:/etc/prometheus/alerts:ro" in services["prometheus"]["volumes"]


def test_the_image_runs_as_an_ordinary_user_keeps_what_it_writes_below_tmp_and_watches_its_health() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001:10001"]
    assert any(line.startswith("HEALTHCHECK") for line in lines)
    assert any("/health/live" in line for line in lines)
    written = dict(re.findall(r"(HOME|MPLCONFIGDIR|DATA_DIR|OUT_DIR)=(\S+)", text))
    assert set(written) == {"HOME", "MPLCONFIGDIR", "DATA_DIR", "OUT_DIR"}
    assert all(f"{folder}/".startswith("/tmp/") for folder in written.values())  # noqa: S108
    # One exact version of Python, from the official image and no other place.
    assert re.search(r"^ARG PYTHON=3\.\d+\.\d+-slim-\w+$", text, re.MULTILINE)
    assert {line for line in lines if line.startswith("FROM")} == {
        "FROM python:${PYTHON} AS build",
        "FROM python:${PYTHON}",
    }


def test_everything_that_is_no_code_is_packaged(pyproject: dict[str, Any]) -> None:
    packages = [folder.rstrip("*") for folder in pyproject["tool"]["setuptools"]["packages"]["find"]["include"]]
    kinds = {
        path.suffix
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packaged = {Path(pattern).suffix for pattern in pyproject["tool"]["setuptools"]["package-data"]["*"]}
    assert kinds == {".py", *packaged}


def test_every_constraint_is_one_exact_version() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+", line), line


def test_every_declared_dependency_is_pinned(pyproject: dict[str, Any]) -> None:
    pinned = {
        canonicalize_name(line.split("==")[0])
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    }
    project = pyproject["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dev"], *extras["demo"], *extras["mysql"], *extras["duckdb"]]
    names = {canonicalize_name(Requirement(text).name) for text in wanted} - {"countersign"}
    assert names <= pinned


def test_the_ci_script_is_executable_and_valid_bash() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.fixture
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _filled(
    host: str = "countersign.example.com",
    developer: str = "Example",
    website: str = "https://example.com",
    *,
    hears_threads: bool = True,
) -> str:
    return filled_manifest(
        app_id=APP_ID,
        host=host,
        developer=developer,
        website=website,
        privacy=website,
        terms=website,
        hears_threads=hears_threads,
    )


def _compose() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return compose
