"""Whether a file was written since."""

from pathlib import Path

Stamp = tuple[int, int]


def stamp_of(path: Path) -> Stamp:
    """When and how large the file was written; zeros while an editor has it away."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_mtime_ns, state.st_size
