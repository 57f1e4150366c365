"""Who may do what in this process, and what of that can be read again while it runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.values.identity import ChannelName
from bot.audience.gate import AudienceGate
from bot.audience.ports import ChannelMembers
from bot.files.scope import ScopedPolicy
from bot.memberships import GroupedPolicy
from bot.opening import Opened
from bot.ports import GroupDirectory
from bot.presence import Presence
from bot.reloading import Reloads
from bot.sources import PolicyFile
from bot.switchboard import Switchboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Authority:
    """The policy's file, the people of it, what of it holds in a thread with files, what is paused or reloaded, and how
    the other processes hear of that.
    """

    file: PolicyFile
    people: GroupedPolicy
    scoped: ScopedPolicy
    gate: AudienceGate
    switchboard: Switchboard
    presence: Presence


def authority_of(
    parts: Opened,
    policy_file: Path,
    directories: Mapping[ChannelName, GroupDirectory],
    readers: Mapping[ChannelName, ChannelMembers],
) -> Authority:
    """The authority over what is open, by that policy. Raises `PolicyError`."""
    analyst, catalog = parts.settings.analyst, parts.catalog
    file = PolicyFile(policy_file, analyst.caps(), catalog.current(), parts.settings.budgets.defaults())
    people = GroupedPolicy(file, directories, parts.stores.identities)
    scoped = ScopedPolicy(base=people)
    gate = AudienceGate(
        members=readers,
        people=people,
        policy=scoped,
        catalog=parts.offered,
        clock=parts.clock,
        most_readers=analyst.audience_most_readers,
    )
    reloads = Reloads(catalog=catalog, policy=file, models=parts.models, warehouses=parts.warehouses)
    switchboard = Switchboard(
        parts.stores.switches, parts.clock, reloads.catalog_again, reloads.others(), parts.switched
    )
    presence = Presence(store=parts.stores.processes, process=parts.process, reloads=reloads, switchboard=switchboard)
    return Authority(file=file, people=people, scoped=scoped, gate=gate, switchboard=switchboard, presence=presence)
