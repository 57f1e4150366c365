import shutil
from pathlib import Path

from typer.testing import CliRunner

from bot.commands.catalog import catalog_app

VALID = Path(__file__).parents[3] / "cases" / "catalog" / "valid"


def test_validate_says_that_the_packaged_catalog_is_good() -> None:
    result = CliRunner().invoke(catalog_app, ["validate"])
    assert result.exit_code == 0
    assert "Payments: metrics 15, dimensions 10, sources 6" in result.output
    assert "No errors." in result.output


def test_validate_prints_every_fault_and_fails(tmp_path: Path) -> None:
    shutil.copytree(VALID, tmp_path / "domains")
    (tmp_path / "domains" / "shop" / "joins.yaml").write_text("- {left: order, right: customer, on: {a: b}}\n")
    result = CliRunner().invoke(catalog_app, ["validate", str(tmp_path / "domains"), "--locale", "ru"])
    assert result.exit_code == 1
    assert "shop/joins.yaml:1: error: unknown entity 'order'; did you mean 'orders'?" in result.output
    assert "shop/joins.yaml:1: error: unknown entity 'customer'; did you mean 'customers'?" in result.output
    assert "4 ошибки" in result.output


def test_search_prints_the_best_first() -> None:
    result = CliRunner().invoke(catalog_app, ["search", "tasa", "de", "aprobación", "--locale", "es", "--limit", "1"])
    assert result.exit_code == 0
    assert result.output == "100.0  métrica       Tasa de aprobación  (payments.approval_rate)\n"


def test_search_that_finds_nothing_fails() -> None:
    result = CliRunner().invoke(catalog_app, ["search", "xyzzy"])
    assert result.exit_code == 1
    assert result.output == "Nothing in the catalog is near 'xyzzy'.\n"


def test_search_reads_the_given_folder() -> None:
    result = CliRunner().invoke(catalog_app, ["search", "margin", "--folder", str(VALID)])
    assert "(shop.margin)" in result.output
