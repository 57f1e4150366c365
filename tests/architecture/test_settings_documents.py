from itertools import pairwise
from pathlib import Path

from bot.settings import setting_help

ROOT = Path(__file__).parents[2]


def _documented(text: str) -> dict[str, tuple[str, str]]:
    lines = text.splitlines()
    return {
        setting.partition("=")[0]: (setting.partition("=")[2], comment.removeprefix("# "))
        for comment, setting in pairwise(lines)
        if comment.startswith("# ") and "=" in setting and not setting.startswith("#")
    }


def test_env_example_lists_every_setting_with_its_default_and_help() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert _documented(example) == dict(setting_help())


def test_every_setting_has_help() -> None:
    assert all(help_text for _, help_text in setting_help().values())
