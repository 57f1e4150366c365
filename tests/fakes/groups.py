"""A platform's groups, as a directory knows them."""

from collections.abc import Collection
from dataclasses import dataclass, field

from agent.errors import GroupsUnavailable
from agent.values.identity import ExternalUser


@dataclass(slots=True)
class FakeDirectory:
    """Group ids with the ids of their members. `asked` are the look-ups, with whether they had to be fresh."""

    members: dict[str, set[str]] = field(default_factory=dict)
    is_down: bool = False
    asked: list[tuple[str, bool]] = field(default_factory=list)

    async def groups_of(self, user: ExternalUser, groups: Collection[str], *, fresh: bool = False) -> frozenset[str]:
        self.asked.append((user.user_id, fresh))
        if self.is_down:
            raise GroupsUnavailable("groups: 503")
        return frozenset(group for group in groups if user.user_id in self.members.get(group, ()))
