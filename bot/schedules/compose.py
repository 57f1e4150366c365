"""What people do with schedules, put together from the parts of one process."""

from agent.ports import Clock
from bot.ports import StandingStore
from bot.run_desk import RunDesk
from bot.schedules.desk import Schedules
from bot.schedules.making import Making
from bot.schedules.ports import ScheduleStore
from bot.schedules.posting import SchedulePosting
from bot.schedules.signing import ScheduleSigning
from bot.schedules.views import ScheduleReader


def schedules_of(desk: RunDesk, store: ScheduleStore, standing: StandingStore, clock: Clock) -> Schedules:
    """The schedules of one process, under the catalog and the policy that its runs see."""
    reader = ScheduleReader(catalog=desk.deps.catalog, policy=desk.deps.policy, clock=clock, standing=standing)
    posting = SchedulePosting(desk=desk, reader=reader)
    return Schedules(
        desk=desk,
        store=store,
        making=Making(desk=desk, store=store),
        reader=reader,
        posting=posting,
        signing=ScheduleSigning(desk=desk, store=store, standing=standing, reader=reader, posting=posting),
    )
