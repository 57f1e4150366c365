"""What a run is doing, as Slack's plan of tasks."""

from typing import Any, Final

from cards.elements import Step

Json = dict[str, Any]

MOST_TASKS: Final = 10


def plan(steps: tuple[Step, ...]) -> list[Json]:
    """One plan block whose last task is under way; nothing for no steps."""
    shown = steps[-MOST_TASKS:]
    if not shown:
        return []
    return [{"type": "plan", "title": shown[-1].label, "tasks": [_task(n, step) for n, step in enumerate(shown)]}]


def without_plan(blocks: list[Json], words: str) -> list[Json]:
    """The same blocks for a workspace that takes no plans: `words` stand in its place."""
    line: Json = {"type": "section", "text": {"type": "plain_text", "text": words, "emoji": False}}
    return [line if block["type"] == "plan" else block for block in blocks]


def _task(number: int, step: Step) -> Json:
    status = "complete" if step.done else "in_progress"
    return {"type": "task_card", "task_id": f"step_{number}", "title": step.label, "status": status}
