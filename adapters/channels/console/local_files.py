"""Files given in the terminal: they lie on this machine."""

import asyncio
import shutil
from pathlib import Path

from agent.values.file import FileRefused
from agent.values.turn import InboundFile


class LocalFiles:
    """Implements `FileSource` for paths of this machine, which only its own terminal names."""

    async def fetch(self, file: InboundFile, into: Path, most: int) -> FileRefused | None:
        """Copy the file that `url` is the path of; it was measured when it was given."""
        path = Path(file.url)
        if not await asyncio.to_thread(path.is_file):
            return FileRefused(reason="unreachable")
        size = (await asyncio.to_thread(path.stat)).st_size
        if size > most:
            params = (("size", f"{size / 1024 / 1024:.0f}"), ("most", f"{most / 1024 / 1024:.0f}"))
            return FileRefused(reason="too_large", params=params)
        await asyncio.to_thread(shutil.copyfile, path, into)
        return None
