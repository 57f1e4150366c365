import ssl

import pytest

from adapters.warehouses.mysql.address import driver_arguments
from agent.errors import WarehouseUnavailable


def test_reads_account_server_and_database() -> None:
    given = driver_arguments("mysql://ana%40bank:p%C3%A4ss%2Fword@db.example:3307/erp_finance")
    assert (given["user"], given["password"]) == ("ana@bank", "päss/word".encode())
    assert (given["host"], given["port"], given["database"]) == ("db.example", 3307, "erp_finance")
    assert (given["unix_socket"], given["ssl"]) == (None, None)


def test_reads_a_socket_and_has_defaults() -> None:
    given = driver_arguments("mariadb://reader@/books?unix_socket=/run/db%20one.sock")
    assert given["unix_socket"] == "/run/db one.sock"
    assert (given["host"], given["port"], given["password"]) == ("localhost", 3306, b"")


@pytest.mark.parametrize(
    ("parameters", "verifies", "checks_name"),
    [
        ("ssl_mode=REQUIRED", ssl.CERT_NONE, False),
        ("ssl_mode=verify_ca", ssl.CERT_REQUIRED, False),
        ("ssl_mode=VERIFY_IDENTITY", ssl.CERT_REQUIRED, True),
    ],
)
def test_encryption_is_as_strict_as_asked(parameters: str, verifies: ssl.VerifyMode, checks_name: bool) -> None:
    context = driver_arguments(f"mysql://a@h/d?{parameters}")["ssl"]
    assert (context.verify_mode, context.check_hostname) == (verifies, checks_name)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("postgresql://a:hunter2@h/d", "starts with mysql"),
        ("mysql://a:hunter2@h:port/d", "port"),
        ("mysql://a:hunter2@h/d?ssl=1&charset=x", "no parameter charset, ssl"),
        ("mysql://a:hunter2@h/d?ssl_mode=PREFERRED", "ssl_mode is"),
        ("mysql://a:hunter2@h/d?ssl_ca=/not/there.pem", "ssl_ca"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_quoting_it(url: str, fault: str) -> None:
    with pytest.raises(WarehouseUnavailable, match=fault) as refused:
        driver_arguments(url)
    assert "hunter2" not in refused.value.detail
