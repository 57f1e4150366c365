import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import embedded
from bot.embedded_mariadb import start_mariadb
from bot.embedded_process import EmbeddedServiceError, live_pid
from tests.engines import rows_of


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    embedded.stop(tmp_path)


def test_it_keeps_its_data_over_a_stop_and_a_start(home: Path) -> None:
    running = embedded.start_mariadb(home)
    assert running is not None
    rows_of(running.root, "CREATE DATABASE kept", "CREATE TABLE kept.answers AS SELECT 42 AS answer")
    assert embedded.start_mariadb(home) == running
    assert embedded.status(home).mariadb == running.root
    embedded.stop(home)
    assert embedded.status(home).mariadb is None
    assert embedded.start_mariadb(home) == running
    assert rows_of(running.database_url("kept", "root"), "SELECT answer FROM answers") == [(42,)]


def test_it_starts_again_after_it_was_killed(home: Path) -> None:
    url = start_mariadb(home / "mariadb")
    rows_of(url, "CREATE DATABASE kept")
    pid = live_pid(home / "mariadb" / "mariadb.pid", "mariadbd")
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert start_mariadb(home / "mariadb") == url
    assert ("kept",) in rows_of(url, "SHOW DATABASES")


def test_nobody_but_the_superuser_has_an_account_and_no_network_is_listened_on(home: Path) -> None:
    url = start_mariadb(home / "mariadb")
    assert {user for (user,) in rows_of(url, "SELECT user FROM mysql.user")} <= {"root", "mariadb.sys"}
    assert rows_of(url, "SHOW VARIABLES LIKE 'skip_networking'") == [("skip_networking", "ON")]
    assert rows_of(url, "SHOW VARIABLES LIKE 'local_infile'") == [("local_infile", "OFF")]


def test_a_folder_too_deep_for_a_socket_path_works(home: Path) -> None:
    deep = home / ("deep-" * 20)
    try:
        running = embedded.start_mariadb(deep)
        assert running is not None
        assert rows_of(running.root, "SELECT 1") == [(1,)]
    finally:
        embedded.stop(deep)


def test_a_data_folder_that_cannot_be_one_is_an_operator_error_that_names_the_log(home: Path) -> None:
    (home / "mariadb").write_text("not a folder", encoding="utf-8")
    with pytest.raises(EmbeddedServiceError) as caught:
        start_mariadb(home / "mariadb")
    assert str(home / "mariadb" / "mariadb.log") in caught.value.detail


def test_a_server_that_gives_up_is_told_at_once(home: Path) -> None:
    (home / "mariadb" / "data").mkdir(parents=True)
    (home / "mariadb" / "data" / "ibdata1").write_text("not a database", encoding="utf-8")
    with pytest.raises(EmbeddedServiceError, match=r"does not answer, see .*mariadb\.log"):
        start_mariadb(home / "mariadb")
    assert (home / "mariadb" / "mariadb.log").stat().st_size > 0
