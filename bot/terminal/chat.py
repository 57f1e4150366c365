"""A chat in the terminal: type a question, press a key for a button."""

import asyncio

from adapters.channels.console.inbound import keys_of
from agent.values.turn import CardAction
from bot.terminal.session import Session
from cards.elements import Button

QUIT = frozenset({"q", "quit", "exit", "salir", "выход"})


async def chat_with(opened: Session, role: str, thread: str) -> None:
    """Read lines until the person leaves: a button's key presses it, anything else is a message."""
    while True:
        keys = keys_of(opened.channel.last_card)
        line = await asyncio.to_thread(_read)
        if line is None or line.casefold() in QUIT:
            return
        button = keys.get(line.casefold())
        if button is None:
            await opened.say(line, role, thread)
        else:
            await opened.press(await _with_text(button), role, thread)


def _read() -> str | None:
    """The next line that says something; None at the end of the input."""
    try:
        return next(line for line in iter(lambda: input("› ").strip(), None) if line)
    except EOFError:
        return None


async def _with_text(button: Button) -> CardAction:
    if button.prompt is None:
        return button.action
    typed = await asyncio.to_thread(input, f"{button.prompt.label}: ")
    action = button.action
    return CardAction(
        verb=action.verb, run=action.run, fingerprint=action.fingerprint, value=action.value, text=typed.strip()
    )
