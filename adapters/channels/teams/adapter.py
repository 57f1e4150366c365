"""The SDK's adapter with its faults cured: every request gets a truthful status, and sends go where they belong."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import jwt
import structlog
from aiohttp import web
from botbuilder.core import TurnContext
from botbuilder.integration.aiohttp import CloudAdapter
from botbuilder.schema import Activity, ActivityTypes, ChannelAccount, ConversationAccount, ConversationReference
from msrest.exceptions import ClientException
from pydantic import ValidationError

from adapters.channels.teams.activities import InboundActivity
from adapters.channels.teams.addresses import TeamsAddress
from adapters.channels.teams.authentication import Connectors, TeamsAuthentication
from adapters.channels.teams.config import Patience, TeamsConfig
from adapters.channels.teams.errors import UNAUTHORIZED, TenantNotAllowed, status_of
from adapters.channels.teams.rest import ConnectorRest
from adapters.channels.teams.retry import with_retries
from adapters.channels.teams.signing_keys import CHANNEL, KeysUnavailable
from agent.errors import StoreUnavailable
from cards.errors import DeliveryUnavailable

log = structlog.get_logger()

Step = Callable[[Any], Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvokeAnswer:
    """What an invoke is answered with: an HTTP status and JSON, or nothing."""

    status: int = 200
    body: Any = None


class Bot(Protocol):
    """Whoever an activity is for."""

    async def handle(self, activity: InboundActivity) -> InvokeAnswer | None:
        """Take it in. Only an invoke has an answer; an invoke without one is answered 501."""
        ...


class TeamsAdapter(CloudAdapter):  # type: ignore[misc]  # the SDK has no types
    """Between HTTP and the bot, and between the bot and the Bot Connector."""

    def __init__(self, config: TeamsConfig) -> None:
        self._config = config
        self._connectors = Connectors(config)
        super().__init__(TeamsAuthentication(config, self._connectors))

    async def process(self, request: web.Request, bot: Bot, ws_response: object = None) -> web.Response:  # noqa: ARG002
        """Verify one request and hand its activity to the bot.

        400 for what is no activity, 401 without a valid token, 403 from a tenant that may not ask, 503 when the keys
        cannot be fetched or the turn could not be stored; 201, or the invoke's own answer, otherwise.
        """
        inbound = await _read(request)
        activity = Activity(
            type=inbound.type,
            id=inbound.id,
            channel_id=inbound.channel_id,
            service_url=inbound.service_url,
            conversation=ConversationAccount(id=inbound.conversation.id),
            from_property=ChannelAccount(id=inbound.sender.id),
            recipient=ChannelAccount(id=inbound.recipient.id),
        )
        caller = await self._authenticated(activity, request.headers.get("Authorization", ""))
        try:
            answer = await self.process_activity(caller, activity, partial(_turn, bot, inbound))
        except TenantNotAllowed as error:
            log.warning("teams_tenant_refused", tenant=error.detail)
            return web.Response(status=403)
        except (StoreUnavailable, DeliveryUnavailable) as error:
            log.warning("teams_turn_not_stored", code=error.code, detail=error.detail)
            return web.Response(status=503)
        return _response(answer)

    async def send(self, address: TeamsAddress, activity: Any) -> str:
        """Post a message; its id. Raises `DeliveryUnavailable`, `DeliveryRefused`."""

        async def post(context: Any) -> str:
            return str((await context.send_activity(activity)).id)

        return await self._out("post", address, post)

    async def edit(self, address: TeamsAddress, message: str, activity: Any) -> None:
        """Replace a message. Raises `DeliveryUnavailable`, `DeliveryRefused`."""

        async def put(context: Any) -> str:
            activity.id = message
            await context.update_activity(activity)
            return message

        await self._out("update", address, put)

    async def remove(self, address: TeamsAddress, message: str) -> None:
        """Delete a message. Raises `DeliveryUnavailable`, `DeliveryRefused`."""

        async def delete(context: Any) -> str:
            await context.delete_activity(message)
            return message

        await self._out("delete", address, delete)

    async def show_typing(self, address: TeamsAddress) -> None:
        """Show for some seconds that something is written, tried once. Raises as `send`."""

        async def post(context: Any) -> str:
            await context.send_activity(Activity(type=ActivityTypes.typing))
            return ""

        await self._out("typing", address, post, replace(self._config.patience, attempts=1))

    @property
    def config(self) -> TeamsConfig:
        """The bot's settings."""
        return self._config

    @property
    def rest(self) -> ConnectorRest:
        """The calls that are no messages, under the same token."""
        return ConnectorRest(token=self._connectors.token, seconds=self._config.patience.lookup, seen=self._config.seen)

    async def close(self) -> None:
        """Close all connections."""
        await self._connectors.close()

    async def _authenticated(self, activity: Any, header: str) -> Any:
        try:
            return await self.bot_framework_authentication.authenticate_request(activity, header)
        except KeysUnavailable as error:
            log.warning("teams_keys_unavailable", detail=error.detail)
            raise web.HTTPServiceUnavailable from None
        except (PermissionError, jwt.PyJWTError, ValueError, RecursionError) as error:
            log.warning("teams_token_refused", reason=type(error).__name__)
            raise web.HTTPUnauthorized from None

    async def _out(self, method: str, address: TeamsAddress, step: Step, patience: Patience | None = None) -> str:
        return await with_retries(
            method, lambda: self._once(address, step), patience or self._config.patience, self._config.seen
        )

    async def _once(self, address: TeamsAddress, step: Step) -> str:
        await self._connectors.sign_in()
        done: list[str] = []

        async def logic(context: Any) -> None:
            # The continuation's own id is nobody's message, and must not become the one that is replied to.
            context.activity.id = None
            done.append(await step(context))

        try:
            await self.continue_conversation(_reference(address), logic, self._config.app_id)
        except ClientException as error:
            if status_of(error) == UNAUTHORIZED:
                self._connectors.forget_token()
            raise
        return done[0]


async def _read(request: web.Request) -> InboundActivity:
    try:
        return InboundActivity.model_validate(await request.json())
    except (ValueError, RecursionError, ValidationError):
        log.warning("teams_activity_not_read")
        raise web.HTTPBadRequest from None


async def _turn(bot: Bot, inbound: InboundActivity, context: TurnContext) -> None:
    answer = await bot.handle(inbound)
    if answer is not None:
        await context.send_activity(Activity(type=ActivityTypes.invoke_response, value=answer))


def _response(answer: Any) -> web.Response:
    if answer is None:
        return web.Response(status=201)
    if answer.body is None:
        return web.Response(status=int(answer.status))
    return web.json_response(answer.body, status=int(answer.status))


def _reference(address: TeamsAddress) -> ConversationReference:
    return ConversationReference(
        channel_id=CHANNEL,
        service_url=address.service_url,
        bot=ChannelAccount(id=address.bot_id, name=address.bot_name),
        conversation=ConversationAccount(id=address.conversation_id),
    )
