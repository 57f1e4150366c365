"""Groups of people: those that the policy lists, and those that a platform keeps."""

from dataclasses import dataclass

from agent.values.identity import ChannelName, GroupName, PrincipalId, RoleName, TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformGroup:
    """A Slack user group, or a group of Entra ID for Teams; `tenant` is the Slack team or the Entra tenant."""

    channel: ChannelName
    tenant: TenantId
    group_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """People listed by id and members of the platforms' groups; the roles are theirs beside their own."""

    name: GroupName
    display_name: str
    roles: tuple[RoleName, ...] = ()
    people: tuple[PrincipalId, ...] = ()
    kept_by: tuple[PlatformGroup, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """What the platforms said of one person: the groups that hold them, of those `answered` for, of those `asked`."""

    held: frozenset[PlatformGroup] = frozenset()
    answered: frozenset[PlatformGroup] = frozenset()
    asked: frozenset[PlatformGroup] = frozenset()
