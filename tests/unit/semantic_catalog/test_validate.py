import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from semantic_catalog.errors import CatalogError
from semantic_catalog.load import check_catalog, load_catalog

CASES = Path(__file__).parents[2] / "cases" / "catalog"
FAULTS: list[dict[str, Any]] = yaml.safe_load((CASES / "faults.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(CASES / "valid", tmp_path / "domains")
    return tmp_path / "domains"


def edit(folder: Path, change: Mapping[str, Any]) -> None:
    path = folder / "shop" / change["file"]
    text = path.read_text(encoding="utf-8")
    assert change["find"] in text
    path.write_text(text.replace(change["find"], change["write"], 1), encoding="utf-8")


def test_valid_domain_has_no_issue(folder: Path) -> None:
    assert check_catalog(folder).issues == ()


@pytest.mark.parametrize("case", FAULTS, ids=[case["fault"] for case in FAULTS])
def test_each_fault_is_told_with_its_file_and_line(case: Mapping[str, Any], folder: Path) -> None:
    edit(folder, case)
    assert [str(issue) for issue in check_catalog(folder).issues] == case["issues"]


def test_all_faults_of_all_domains_are_told_at_once(folder: Path) -> None:
    shutil.copytree(folder / "shop", folder / "branch")
    (folder / "branch" / "quality.yaml").write_text("orders: 1\n", encoding="utf-8")
    edit(folder, {"file": "metrics.yaml", "find": "measure: cost", "write": "measure: costs"})
    edit(folder, {"file": "domain.yaml", "find": "America/Lima", "write": "Mars"})
    with pytest.raises(CatalogError) as raised:
        load_catalog(folder)
    assert raised.value.detail.splitlines() == [
        "branch/quality.yaml:1: error: 'expect_every' is '1', not one of day, week, month, quarter, year",
        "shop/domain.yaml:4: error: unknown time zone 'Mars'",
        "shop/metrics.yaml:9: error: no entity has the measure 'costs'; did you mean 'cost'?",
    ]


def test_warnings_do_not_keep_a_catalog_from_loading(folder: Path) -> None:
    edit(folder, {"file": "examples.yaml", "find": "locale: es", "write": "locale: en"})
    assert [domain.name for domain in load_catalog(folder).domains] == ["shop"]


def test_faulty_domain_leaves_the_others_readable(folder: Path) -> None:
    shutil.copytree(folder / "shop", folder / "branch")
    edit(folder, {"file": "domain.yaml", "find": "dialect: postgres", "write": "dialect: oracle"})
    assert [domain.name for domain in check_catalog(folder).catalog.domains] == ["branch"]


def test_folder_without_domains_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no domain"):
        load_catalog(tmp_path)


def test_file_that_is_not_text_is_a_fault(folder: Path) -> None:
    (folder / "shop" / "quality.yaml").write_bytes(b"orders: \xff\xfe")
    assert [issue.place.file for issue in check_catalog(folder).issues] == ["shop/quality.yaml"]
