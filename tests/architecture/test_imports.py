import json
import subprocess
import sys
from pathlib import Path

from tests.architecture.sources import ROOT, sources


def test_importing_the_product_does_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-B", "-m", "tests.architecture.import_watch"]
    home = {"PATH": "", "HOME": str(tmp_path), "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, cwd=ROOT, env=home, capture_output=True, text=True, check=True)
    found = json.loads(ran.stdout)
    assert found["imported"] == len(sources())
    assert found["done"] == []
    assert found["clients"] == []
