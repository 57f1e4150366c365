"""Which buttons of a row belong together."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from cards.elements import Button


def named_groups(buttons: Sequence[Button]) -> Iterator[tuple[str, tuple[Button, ...]]]:
    """Neighbours that are one choice under its name; every other button alone under the empty name, in order."""
    for name, group in groupby(buttons, key=lambda button: button.listed_as):
        together = tuple(group)
        if name and len(together) > 1:
            yield name, together
        else:
            yield from (("", (button,)) for button in together)
