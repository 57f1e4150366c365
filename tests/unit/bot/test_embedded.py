import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from bot import embedded
from bot.embedded import EmbeddedMariaDb, EmbeddedServiceError, EmbeddedServices, EmbeddedStatus
from bot.embedded_mariadb import answering_mariadb, mariadb_server


def test_both_servers_answer_and_keep_running_after_the_process_that_started_them(tmp_path: Path) -> None:
    script = f"from pathlib import Path; from bot import embedded; embedded.start(Path({str(tmp_path)!r}))"
    subprocess.run([sys.executable, "-c", script], check=True)
    try:
        status = embedded.status(tmp_path)
        assert status.postgres is not None
        assert status.valkey is not None
        assert embedded.start(tmp_path) == EmbeddedServices(postgres=status.postgres, valkey=status.valkey)
    finally:
        embedded.stop(tmp_path)
    assert embedded.status(tmp_path) == EmbeddedStatus(postgres=None, valkey=None)


def test_data_of_postgres_survives_a_stop_and_a_start(tmp_path: Path) -> None:
    try:
        with psycopg.connect(embedded.start(tmp_path).postgres, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        embedded.stop(tmp_path)
        with psycopg.connect(embedded.start(tmp_path).postgres) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    finally:
        embedded.stop(tmp_path)


def test_a_leftover_pid_file_of_a_killed_machine_does_not_count_as_a_running_server(tmp_path: Path) -> None:
    for folder, name in (("postgres", "postmaster.pid"), ("valkey", "valkey.pid")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(f"{os.getpid()}\n", encoding="utf-8")
    (tmp_path / "valkey" / "valkey.conf").write_text('unixsocket "/nowhere/valkey.sock"\n', encoding="utf-8")
    assert embedded.status(tmp_path) == EmbeddedStatus(postgres=None, valkey=None)
    embedded.stop(tmp_path)


def test_both_servers_start_again_after_they_were_killed(tmp_path: Path) -> None:
    try:
        with psycopg.connect(embedded.start(tmp_path).postgres, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        for pid_file in (tmp_path / "postgres" / "postmaster.pid", tmp_path / "valkey" / "valkey.pid"):
            os.kill(int(pid_file.read_text(encoding="utf-8").splitlines()[0]), signal.SIGKILL)
        with psycopg.connect(embedded.start(tmp_path).postgres) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
        assert embedded.status(tmp_path).valkey is not None
    finally:
        embedded.stop(tmp_path)


def test_a_folder_too_deep_for_a_socket_path_works(tmp_path: Path) -> None:
    deep = tmp_path / ("deep-" * 20)
    try:
        services = embedded.start(deep)
        with redis.Redis.from_url(services.valkey) as client:
            assert client.set("key", "value")
        with psycopg.connect(services.database_url("template1")) as connection:
            assert connection.execute("SELECT current_database()").fetchone() == ("template1",)
    finally:
        embedded.stop(deep)


def test_a_data_folder_that_is_no_database_is_an_operator_error_that_names_the_log(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "something.txt").write_text("not a database", encoding="utf-8")
    with pytest.raises(EmbeddedServiceError) as caught:
        embedded.start(tmp_path)
    assert str(tmp_path / "postgres" / "log") in caught.value.detail


def test_stopping_where_nothing_was_ever_started_does_nothing(tmp_path: Path) -> None:
    embedded.stop(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()


def test_a_machine_without_a_mariadb_server_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert mariadb_server(folders=str(tmp_path)) is None
    for name in ("mariadbd", "mariadb-install-db"):
        (tmp_path / name).touch(mode=0o755)
    assert mariadb_server(folders="") == str(tmp_path / "mariadbd")


def test_no_mariadb_answers_where_none_was_started(tmp_path: Path) -> None:
    assert answering_mariadb(tmp_path) is None
    (tmp_path / "mariadb.cnf").write_text("[mariadbd]\n", encoding="utf-8")
    assert answering_mariadb(tmp_path) is None


def test_the_url_of_a_mariadb_database_quotes_its_parts() -> None:
    running = EmbeddedMariaDb(root="mysql://root@/?unix_socket=/some/where.sock")
    assert running.database_url("a b", "c@d") == "mysql://c%40d@/a%20b?unix_socket=/some/where.sock"
