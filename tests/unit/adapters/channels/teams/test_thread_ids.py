import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.channels.teams.thread_ids import (
    NotATeamsThread,
    TeamsThread,
    read_teams_thread,
    split_conversation,
    teams_thread,
)
from agent.values.identity import ThreadKey

PART = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


def test_a_channel_thread_is_named_by_tenant_conversation_and_root() -> None:
    conversation, root = split_conversation("19:abc@thread.tacv2;messageid=17")
    thread = TeamsThread(tenant="t-1", conversation=conversation, root=root)
    assert teams_thread(thread) == "teams:t-1:19%3Aabc%40thread.tacv2:17"
    assert thread.conversation_id == "19:abc@thread.tacv2;messageid=17"


def test_a_personal_chat_is_one_thread() -> None:
    thread = TeamsThread(tenant="t-1", conversation="a:1xY")
    assert teams_thread(thread) == "teams:t-1:a%3A1xY"
    assert thread.conversation_id == "a:1xY"


@given(tenant=PART, conversation=PART, root=st.one_of(st.just(""), PART))
def test_every_thread_comes_back_from_its_key(tenant: str, conversation: str, root: str) -> None:
    thread = TeamsThread(tenant=tenant, conversation=conversation, root=root)
    assert read_teams_thread(teams_thread(thread)) == thread


@pytest.mark.parametrize(
    "key",
    ["", "teams", "teams:t", "teams:t:", "teams::c", "teams:t:c:", "teams:t:c:1:2", "slack:T:C:1.0", "teams:t:a@b"],
)
def test_a_malformed_key_is_refused(key: str) -> None:
    with pytest.raises(NotATeamsThread):
        read_teams_thread(ThreadKey(key))


@pytest.mark.parametrize("thread", [TeamsThread(tenant="", conversation="c"), TeamsThread(tenant="t", conversation="")])
def test_a_thread_without_tenant_or_conversation_has_no_key(thread: TeamsThread) -> None:
    with pytest.raises(NotATeamsThread):
        teams_thread(thread)
