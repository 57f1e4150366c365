"""Whether links, folders and traces are configured so that they work."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryFile

import aiohttp

from bot.checkups.finding import Finding, unwell, well
from bot.operating.tracing import TracingNotInstalled, open_tracing
from bot.settings import HttpSettings, OperatingSettings, Settings, secret_of

_SHORTEST_SECRET = 32
_PATIENCE_SECONDS = 5.0


async def surroundings(settings: Settings) -> AsyncIterator[Finding]:
    """What is well and what is not."""
    yield links_checked(settings.http)
    for name, folder in _folders(settings):
        yield await asyncio.to_thread(folder_checked, name, folder)
    yield await traces_checked(settings.operating)


def links_checked(http: HttpSettings) -> Finding:
    """Signed download links need a public address and a key."""
    name, secret = "download links", secret_of(http.link_signing_secret)
    if not secret and not http.public_base_url:
        return well(name, "off: files go into the chat alone")
    if not secret or not http.public_base_url:
        missing = "PUBLIC_BASE_URL" if secret else "LINK_SIGNING_SECRET"
        return unwell(name, f"off: {missing} is empty", f"Set {missing} as well.")
    if len(secret) < _SHORTEST_SECRET:
        fix = f"Set LINK_SIGNING_SECRET to {_SHORTEST_SECRET} random characters or more, the same in every process."
        return unwell(name, "LINK_SIGNING_SECRET is short enough to be guessed", fix)
    if not http.public_base_url.startswith("https://"):
        return unwell(name, "PUBLIC_BASE_URL is not https", "Put HTTPS in front of the service and name that address.")
    return well(name)


def folder_checked(name: str, folder: Path) -> Finding:
    """Whether a file can be written there; the folder is made where it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"countersign")
    except OSError as error:
        return unwell(name, f"{type(error).__name__}: {error.strerror}", "Name a folder that the process may write to.")
    return well(name)


async def traces_checked(settings: OperatingSettings) -> Finding:
    """Whether the collector takes spans: it is sent none."""
    if not settings.trace_endpoint:
        return well("traces", "off")
    try:
        await open_tracing(settings).close()
    except TracingNotInstalled as error:
        return unwell("traces", error.detail, "Install the extra.")
    fix = "Check TRACE_ENDPOINT (…/v1/traces), TRACE_HEADERS and the collector."
    try:
        status = await _posted(settings)
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        return unwell("traces", f"no answer: {type(error).__name__}", fix)
    return well("traces") if status == 200 else unwell("traces", f"the collector answers {status}", fix)


async def _posted(settings: OperatingSettings) -> int:
    headers = {name: value.get_secret_value() for name, value in settings.trace_headers.items()}
    headers["Content-Type"] = "application/x-protobuf"
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_SECONDS)) as session,
        session.post(settings.trace_endpoint, data=b"", headers=headers) as answer,
    ):
        return answer.status


def _folders(settings: Settings) -> Iterator[tuple[str, Path]]:
    stores, retention = settings.stores, settings.retention
    yield "file cache folder", stores.file_cache_dir or stores.data_dir / "files"
    if retention.audit_export_dir is not None:
        yield "audit export folder", retention.audit_export_dir
