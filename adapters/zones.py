"""Time zones as platforms name them."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def known_zone(name: str) -> str:
    """The zone's name where this machine knows it, else an empty one."""
    try:
        return ZoneInfo(name).key if name else ""
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ""
