"""A person's answer to an offered file: it goes to their OneDrive, or the offer is closed."""

from dataclasses import dataclass
from typing import Final, Protocol

import aiohttp
import structlog
from pydantic import ValidationError

from adapters.channels.teams.activities import ConsentValue, InboundActivity, UploadInfo
from adapters.channels.teams.adapter import InvokeAnswer, TeamsAdapter
from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.consent import ConsentContexts, OfferedFile
from adapters.channels.teams.inbound import Origin, is_of
from adapters.channels.teams.messages import text_message, uploaded_message
from adapters.channels.teams.spans import PART_BYTES, spans_of
from agent.values.identity import RunId
from agent.wording.texts import say
from cards.elements import Attachment
from cards.errors import DeliveryRefused, DeliveryUnavailable

_SUCCESSES: Final = frozenset({200, 201})
_MORE: Final = 202

log = structlog.get_logger()


class StoredFiles(Protocol):
    """Reads what was stored for delivery."""

    async def get(self, run: RunId, key: str) -> Attachment | None:
        """The stored file; None once expired."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentedFiles:
    """Answers `fileConsent/invoke`."""

    config: TeamsConfig
    adapter: TeamsAdapter
    consents: ConsentContexts
    files: StoredFiles

    async def answer(self, activity: InboundActivity, origin: Origin) -> InvokeAnswer:
        """200 when done, 400 for what is no consent, 403 for an offer that is not ours, 502 when the upload failed.

        After a 502 the person may accept again.
        """
        try:
            told = ConsentValue.model_validate(activity.value)
        except ValidationError:
            return InvokeAnswer(status=400)
        offered = self.consents.read(told.context, origin.key)
        if offered is None:
            log.warning("teams_consent_refused")
            return InvokeAnswer(status=403)
        if told.action == "accept" and told.upload_info is not None:
            return await self._accept(activity, origin.address, offered, told.upload_info)
        if told.action == "decline":
            await self._close_offer(activity, origin.address, "teams.file_declined", offered)
            return InvokeAnswer()
        return InvokeAnswer(status=400)

    async def _accept(
        self, activity: InboundActivity, address: TeamsAddress, offered: OfferedFile, info: UploadInfo
    ) -> InvokeAnswer:
        if not is_of(info.upload_url, self.config.endpoints.file_hosts):
            log.warning("teams_upload_refused")
            return InvokeAnswer(status=400)
        file = await self.files.get(offered.run, offered.key)
        if file is None:
            await self._close_offer(activity, address, "teams.file_expired", offered)
            return InvokeAnswer()
        if not await self._upload(info.upload_url, file):
            return InvokeAnswer(status=502)
        await self._show(activity, address, offered, info)
        return InvokeAnswer()

    async def _upload(self, url: str, file: Attachment) -> bool:
        """Whole, or in pieces where the file is long."""
        most = file.size if file.parts is None else PART_BYTES
        async for span, part in spans_of(file, max(most, 1)):
            status = await self._put(url, span, part)
            if status not in _SUCCESSES and status != _MORE:
                return False
        log.info("teams_file_uploaded", size=file.size)
        return True

    async def _put(self, url: str, span: str, part: bytes) -> int:
        """The status; 0 where there is no answer."""
        headers = {"Content-Range": span, "Content-Type": "application/octet-stream"}
        timeout = aiohttp.ClientTimeout(total=self.config.patience.request)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.put(url, data=part, headers=headers, allow_redirects=False) as response,
            ):
                return response.status
        except (aiohttp.ClientError, TimeoutError) as error:
            log.warning("teams_upload_failed", reason=type(error).__name__)
            return 0

    async def _show(
        self, activity: InboundActivity, address: TeamsAddress, offered: OfferedFile, info: UploadInfo
    ) -> None:
        """The file is delivered already: what fails here costs its card, not the file."""
        try:
            await self.adapter.send(address, uploaded_message(info, info.name or offered.name))
            await self.adapter.remove(address, activity.reply_to_id)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_file_card_failed", code=error.code, detail=error.detail)

    async def _close_offer(
        self, activity: InboundActivity, address: TeamsAddress, words: str, offered: OfferedFile
    ) -> None:
        message = text_message(say(address.locale or self.config.default_locale, words, name=offered.name))
        try:
            await self.adapter.edit(address, activity.reply_to_id, message)
        except (DeliveryUnavailable, DeliveryRefused) as error:
            log.warning("teams_file_card_failed", code=error.code, detail=error.detail)
