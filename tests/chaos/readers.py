"""What readers see in the end, from the messages alone: each breach is one line."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.wording.texts import say
from tests.chaos.plans import Plan
from tests.chaos.policy import slack_direct, slack_user, teams_direct
from tests.chaos.records import Records, Run
from tests.chaos.rooms import Room, Shown, slack_message, teams_message
from tests.fakes.slack.workspace import BOT_USER, Workspace
from tests.fakes.teams.connector import TeamsStandIn

DOUBTS = (say("en", "dialog.maybe_twice"), say("en", "dialog.progress_left"))
APPROVED = "Approved by Bob"
OPEN_VERBS = frozenset({"approve", "choose", "cancel"})
"""Buttons of what waits or works: none of them may stand when everything has ended."""

_REFERENCE = re.compile(r"Reference ([A-Z2-7]{12})")
FILES_OF_ANSWER = ("png", "xlsx")


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Everything that can be read. `to_strangers` are what those were shown who pressed without the right to."""

    plans: tuple[Plan, ...]
    rooms: Mapping[int, Room]
    workspace: Workspace
    teams: TeamsStandIn
    to_strangers: tuple[str, ...]


def reader_breaches(scene: Scene, records: Records) -> Iterator[str]:
    """Every question has one end that stands in its thread, and nobody reads what is not for them."""
    for plan in scene.plans:
        room = scene.rooms[plan.number]
        runs = records.at(room.place)
        for breach in (*_ends(plan, room.shown(), runs), *_leftovers(room.shown()), *_files(plan, scene, runs)):
            yield f"conversation {plan.number} ({plan.platform}, {plan.kind}): {breach}"
    yield from _strays(scene, records)
    yield from _whispers(scene)
    if any(APPROVED in shown for shown in scene.to_strangers):
        yield "a stranger's click was answered as if it counted"


def _ends(plan: Plan, shown: Sequence[Shown], runs: Sequence[Run]) -> Iterator[str]:
    doubts = sum(_is_in_doubt(each) for each in shown)
    days = {f"{question.day}" for question in plan.questions if question.day}
    for run in runs:
        answers = [each for each in shown if f"run {run.id}" in each.text and "show_sql" in each.verbs]
        failures = [each for each in shown if f"Reference {run.id}" in each.text]
        wanted = {"answered": (1, 0), "failed": (0, 1)}.get(run.status, (0, 0))
        most = (wanted[0] + doubts * wanted[0], wanted[1] + doubts * wanted[1])
        if not wanted <= (len(answers), len(failures)) or len(answers) > most[0] or len(failures) > most[1]:
            yield f"{run.status}, and {len(answers)} answers and {len(failures)} failures stand there"
        if run.status == "rejected" and not any("Cancelled" in each.text for each in shown):
            yield "taken back, and nothing says so"
        if days and any(not any(day in each.text for day in days) for each in answers):
            yield "the answer is of another day than the question"
    failed = {run.id for run in runs if run.status == "failed"}
    passed = [each.text for each in shown if not failed.issuperset(_REFERENCE.findall(each.text))]
    if len(passed) > doubts:
        yield f"a failure that passed still stands there: {passed[0][:80]!r}"
    answered = [each.text for each in shown if "show_sql" in each.verbs]
    if (
        len([run for run in runs if run.status == "answered"]) > 1
        and not doubts
        and len(set(answered)) != len(answered)
    ):
        yield "two questions, one answer"


def _is_in_doubt(message: Shown) -> bool:
    """Whether it says, or said, that another one may stand there: in Teams, which cannot be asked."""
    return any(doubt in message.was for doubt in DOUBTS)


def _leftovers(shown: Sequence[Shown]) -> Iterator[str]:
    """What waits or works stands nowhere any more, unless a doubt says that a message may be there twice."""
    doubts = sum(_is_in_doubt(each) for each in shown)
    left = [each for each in shown if each.verbs & OPEN_VERBS]
    if len(left) > doubts:
        yield f"still open: {[sorted(each.verbs & OPEN_VERBS) for each in left]}, {left[0].text[:80]!r}"


def _files(plan: Plan, scene: Scene, runs: Sequence[Run]) -> Iterator[str]:
    if plan.platform != "slack":
        return
    place = scene.rooms[plan.number].place
    held = Counter(f.name for f in scene.workspace.files.values() if f.message_ts and f.thread_ts == place)
    for run in runs:
        for kind in FILES_OF_ANSWER:
            count, wanted = held.pop(f"countersign-{run.id}.{kind}", 0), int(run.status == "answered")
            if count != wanted:
                yield f"{run.status}, and {count} files .{kind}"
    if held:
        yield f"files of other questions: {dict(held)}"


def _strays(scene: Scene, records: Records) -> Iterator[str]:
    """No message is about a question of another thread, but for the copies in front of those who may sign it."""
    homes = {run.id: plan for plan in scene.plans for run in records.at(scene.rooms[plan.number].place)}
    places = {room.place for room in scene.rooms.values()}
    for where, message in _everywhere(scene):
        if where not in places and message.verbs & OPEN_VERBS:
            yield f"still open in {where}: {message.text[:80]!r}"
        raw = message.raw
        for run, plan in homes.items():
            if run in raw and where not in _allowed(scene.rooms[plan.number], plan):
                yield f"conversation {plan.number} ({plan.kind}): stands in {where} too: {message.text[:80]!r}"


def _allowed(room: Room, plan: Plan) -> Iterable[str]:
    copies = {slack_direct(plan.signer), teams_direct(plan.signer)} if plan.signer != plan.asker else set()
    notices = {teams_direct("bob")} if plan.has_stranger else set()
    return {room.place, *copies, *notices}


def _everywhere(scene: Scene) -> Iterator[tuple[str, Shown]]:
    """Every message of the bot, with its thread's place; in direct conversations without one, the conversation's."""
    places = {room.place: room.place for room in scene.rooms.values()}
    for conversation in scene.workspace.conversations.values():
        for message in conversation.messages:
            if message.get("user") == BOT_USER:
                yield places.get(message.get("thread_ts", ""), conversation.id), slack_message(message)
    for posted in scene.teams.posted:
        if not posted.is_deleted:
            found = next((place for place in places if place in posted.conversation), posted.conversation)
            yield found, teams_message(posted)


def _whispers(scene: Scene) -> Iterator[str]:
    """What one person alone was shown in Slack, they had a part in."""
    threads = {scene.rooms[plan.number].place: plan for plan in scene.plans}
    for told in scene.workspace.ephemerals:
        plan = threads.get(told.get("thread_ts", ""))
        if plan is None:
            yield f"a notice in no thread: {told.get('thread_ts')}"
            continue
        near = {slack_user(plan.asker), slack_user(plan.signer), *([slack_user("bob")] if plan.has_stranger else [])}
        if told["user"] not in near:
            yield f"conversation {plan.number}: a notice to {told['user']}, who has no part in it"
