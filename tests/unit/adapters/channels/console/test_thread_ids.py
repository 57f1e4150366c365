import pytest

from adapters.channels.console.thread_ids import NotAConsoleThread, console_name, console_thread
from agent.values.identity import ThreadKey


@pytest.mark.parametrize("name", ["demo", "7f3k", "a:b", "two words"])
def test_a_name_survives_the_key(name: str) -> None:
    assert console_thread(name) == f"console:{name}"
    assert console_name(console_thread(name)) == name


@pytest.mark.parametrize("name", ["", "  "])
def test_a_thread_needs_a_name(name: str) -> None:
    with pytest.raises(NotAConsoleThread):
        console_thread(name)


@pytest.mark.parametrize("key", ["", "console:", "demo", "slack:T1:C1:1.2"])
def test_other_keys_are_not_read(key: str) -> None:
    with pytest.raises(NotAConsoleThread):
        console_name(ThreadKey(key))
