import inspect

import pytest

from adapters.channels.slack.oauth.outbound import WorkspacesChannel
from adapters.channels.slack.outbound import SlackChannel


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


def test_a_slack_of_several_workspaces_can_do_all_that_one_can() -> None:
    assert public(SlackChannel) <= public(WorkspacesChannel)


@pytest.mark.parametrize("name", sorted(public(SlackChannel) - {"name"}))
def test_it_does_it_with_the_same_arguments(name: str) -> None:
    one, several = (inspect.signature(getattr(kind, name)) for kind in (SlackChannel, WorkspacesChannel))
    assert one == several
