import socket
from collections.abc import Iterator

import psycopg
import pytest
import redis

from tests import network


@pytest.fixture
def _expected_attempt() -> Iterator[None]:
    yield
    network.attempts().clear()


def test_an_empty_database_is_empty_and_sorts_text_by_code_point(empty_database: str) -> None:
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
        assert connection.execute("SELECT 'Z' < 'a'").fetchone() == (True,)


def test_a_valkey_database_starts_empty(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        assert client.dbsize() == 0
        client.set("left", "over")


def test_a_valkey_database_starts_empty_after_another_test_wrote_to_it(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        assert client.dbsize() == 0


@pytest.mark.usefixtures("_expected_attempt")
def test_the_guard_refuses_another_machine_by_address_and_by_name() -> None:
    with socket.socket() as outside, pytest.raises(network.OutsideConnection):
        outside.connect(("192.0.2.1", 80))
    with pytest.raises(network.OutsideConnection):
        socket.getaddrinfo("example.org", 443)
    assert network.attempts() == ["192.0.2.1", "example.org"]
