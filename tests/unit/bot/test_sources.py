import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.policy.errors import PolicyError
from bot.sources import PolicyFile
from semantic_catalog.load import load_catalog
from tests.scenario.conftest import POLICY

SOUND = POLICY.read_text(encoding="utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(SOUND, encoding="utf-8")
    return path


def rewrite(path: Path, text: str) -> None:
    before = path.stat()
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))


def test_an_edit_is_in_force_at_once(path: Path) -> None:
    policy = PolicyFile(path)
    rewrite(path, SOUND.replace("name: scenario", "name: renamed"))
    assert policy.current().name == "renamed"


def test_a_faulty_edit_tells_every_fault_with_its_line_and_leaves_the_last_good_one_in_force(path: Path) -> None:
    policy = PolicyFile(path)
    good = policy.current()
    faulty = SOUND.replace("may_approve: any", "may_approve: all").replace("roles: [viewer]", "roles: [vewer]")
    faulty = faulty.replace("expires_after_hours: 24", "expires_after_hours: 0")
    rewrite(path, faulty)
    with capture_logs() as logs:
        assert policy.current() is good
        assert policy.current() is good
    [told] = logs
    wrong = ("may_approve: all", "[vewer]", "expires_after_hours: 0")
    places = [at for at, line in enumerate(faulty.splitlines(), start=1) if any(part in line for part in wrong)]
    lines = [int(line.split(":")[1]) for line in told["detail"].splitlines()]
    assert len(places) == 3
    assert lines == places


def test_a_mended_file_is_in_force_again(path: Path) -> None:
    policy = PolicyFile(path)
    rewrite(path, "roles: [")
    with capture_logs():
        policy.current()
    rewrite(path, SOUND.replace("name: scenario", "name: mended"))
    assert policy.current().name == "mended"


def test_a_file_that_an_editor_has_away_leaves_the_last_good_one_in_force(path: Path) -> None:
    policy = PolicyFile(path)
    path.rename(path.with_suffix(".old"))
    with capture_logs():
        assert policy.current().name == "scenario"
    path.with_suffix(".old").rename(path)
    assert policy.current().name == "scenario"


def test_a_start_with_a_faulty_file_fails(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        PolicyFile(tmp_path / "none.yaml")


def test_row_rules_must_fit_the_catalog(path: Path) -> None:
    rule = "{domain: payments, sources: [semantic.v_daily_payment_metrics], column: regoin, members: [Lima], label: L}"
    rule = rule.replace("label: L", "label: {en: L, es: L, ru: L}")
    text = SOUND.replace("may_approve: any}", f"may_approve: any, row_rules: [{rule}]}}")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match=r"no column 'regoin' in 'semantic\.v_daily_payment_metrics'"):
        PolicyFile(path, catalog=load_catalog())
