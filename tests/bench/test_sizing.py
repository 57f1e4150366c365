from pathlib import Path

from tests.bench.figures import put
from tests.bench.sizing import Sizing, sizing_text

MEGABYTE = 1_024**2
FOUND = Sizing(
    conversations=200,
    seconds=(20.0, 80.0),
    held={"proposal": 0.2, "answer": 1.75},
    cpu={"serve": 2.0, "worker": 40.0},
    memory={"serve, idle": 320.4, "worker, most": 436.0},
    connections={"countersign worker": 17},
    grown={"countersign.runs": 2 * MEGABYTE, "checkpoints": 4 * MEGABYTE},
    kept={"countersign.runs": MEGABYTE},
    cache=MEGABYTE // 5,
)


def test_figures_are_told_a_second_a_conversation_and_for_a_thousand_of_them() -> None:
    lines = sizing_text(FOUND).splitlines()
    assert "10.0 proposals a second, 2.5 answers a second, 2.0 whole conversations a second." in lines[0]
    assert "| a worker's place is held until the answer | 1.75 s |" in lines
    assert "| CPU of a conversation, worker | 200 ms |" in lines
    assert "| memory, worker, most | 436 MB |" in lines
    assert "| Redis, 1,000 conversations | 1.00 MB |" in lines
    assert lines[-3:] == [
        "| `checkpoints` | 20 | 0.00 |",
        "| `countersign.runs` | 10 | 5.00 |",
        "| together | 30 | 5.00 |",
    ]


def test_what_is_measured_leaves_the_other_parts_of_a_page_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    other = "<!-- measured: figures -->\nkept\n<!-- end -->\n"
    page.write_text(f"{other}<!-- measured: sizing -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    put("sizing", r"new \1", page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(other)
    assert text.endswith("<!-- measured: sizing -->\n\nnew \\1\n\n<!-- end -->\nafter\n")
