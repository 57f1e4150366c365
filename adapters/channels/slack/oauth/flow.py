"""Installing: Slack's consent page, and what comes back from it."""

import logging
from collections.abc import Sequence
from typing import Final

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_client import AsyncWebClient

from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.oauth.config import INSTALL_PATH, REDIRECT_PATH, OAuthConfig
from adapters.channels.slack.oauth.installations import StoredInstallations, owner_of
from adapters.channels.slack.oauth.pages import page
from adapters.channels.slack.oauth.states import LIFETIME, StoredStates
from adapters.channels.slack.oauth.workspaces import Workspaces
from agent.errors import StoreFailed, StoreUnavailable
from cards.errors import DeliveryRefused, DeliveryUnavailable
from semantic_catalog.model import Locale

_CANCELLED: Final = "access_denied"

log = structlog.get_logger()


class WorkspaceNotAdmitted(BoltError):
    """The workspace is not on the list: nothing of it is kept."""


class InstallFlow(AsyncOAuthFlow):
    """The SDK's flow, for workspaces that are on the list."""

    def __init__(
        self, config: OAuthConfig, client: AsyncWebClient, settings: AsyncOAuthSettings, workspaces: Workspaces
    ) -> None:
        # The SDK's own messages quote codes that Slack gave out.
        silent = logging.getLogger(f"{__name__}.sdk")
        silent.setLevel(logging.CRITICAL)
        super().__init__(client=client, logger=silent, settings=settings)
        self._config = config
        self._workspaces = workspaces

    async def store_installation(self, request: AsyncBoltRequest, installation: Installation) -> None:
        """Keep it, or give its token back. Raises `WorkspaceNotAdmitted`, `StoreUnavailable`."""
        enterprise, team = installation.enterprise_id, installation.team_id
        if not self._config.admits(team or "", enterprise or ""):
            log.warning("slack_workspace_not_admitted", team=team, enterprise=enterprise)
            await self._give_back(installation)
            raise WorkspaceNotAdmitted("the workspace is not on the list")
        await super().store_installation(request, installation)
        owner = owner_of(enterprise, team, whole=installation.is_enterprise_install)
        self._workspaces.forget(owner)
        log.info("slack_installed", owner=owner)

    async def _give_back(self, installation: Installation) -> None:
        try:
            with asking_slack("auth.revoke"):
                await self.client.auth_revoke(token=installation.bot_token)
        except (DeliveryRefused, DeliveryUnavailable) as error:
            log.warning("slack_token_not_revoked", detail=error.detail)


class InstallRoutes:
    """`/slack/install` and `/slack/oauth_redirect`."""

    def __init__(self, flow: InstallFlow, locale: Locale) -> None:
        self._flow = flow
        self._locale = locale

    def routes(self) -> tuple[web.RouteDef, ...]:
        """What the HTTP app serves to people who install."""
        return (web.get(INSTALL_PATH, self.install), web.get(REDIRECT_PATH, self.redirected))

    async def install(self, request: web.Request) -> web.StreamResponse:
        """Send the person on to Slack. 503 while the state cannot be stored."""
        try:
            return await to_aiohttp_response(await self._flow.handle_installation(await to_bolt_request(request)))
        except (StoreUnavailable, StoreFailed) as error:
            return self._later(error)

    async def redirected(self, request: web.Request) -> web.StreamResponse:
        """Finish, and say how it went: 200, 400 or 401 for what Slack or this browser did not begin, 403, 503."""
        try:
            with asking_slack("oauth.v2.access"):
                answer = await self._flow.handle_callback(await to_bolt_request(request))
            return await to_aiohttp_response(answer)
        except (StoreUnavailable, StoreFailed, DeliveryUnavailable) as error:
            return self._later(error)

    def _later(self, error: StoreUnavailable | StoreFailed | DeliveryUnavailable) -> web.Response:
        log.warning("slack_install_not_stored", code=error.code, detail=error.detail)
        return web.Response(status=503, text=page(self._locale, "later"), content_type="text/html")


def create_install_routes(
    config: OAuthConfig,
    client: AsyncWebClient,
    installations: StoredInstallations,
    states: StoredStates,
    workspaces: Workspaces,
    locale: Locale,
) -> InstallRoutes:
    """Both routes; `client` needs no token."""
    settings = AsyncOAuthSettings(
        client_id=config.client_id,
        client_secret=config.client_secret,
        scopes=config.scopes,
        user_scopes=(),
        redirect_uri=config.redirect_uri,
        install_path=INSTALL_PATH,
        redirect_uri_path=REDIRECT_PATH,
        install_page_rendering_enabled=False,
        installation_store=installations,
        state_store=states,
        state_expiration_seconds=int(LIFETIME.total_seconds()),
        callback_options=_answers(locale),
    )
    return InstallRoutes(InstallFlow(config, client, settings, workspaces), locale)


def _answers(locale: Locale) -> AsyncCallbackOptions:
    async def success(args: AsyncSuccessArgs) -> BoltResponse:
        return _page(locale, "done", 200, args.installation.team_name or args.installation.enterprise_name or "")

    async def failure(args: AsyncFailureArgs) -> BoltResponse:
        if isinstance(args.error, WorkspaceNotAdmitted):
            return _page(locale, "not_admitted", 403)
        if args.reason == _CANCELLED:
            return _page(locale, "cancelled", 200)
        # A reason may come from the address, so only the SDK's own are logged.
        log.info("slack_install_failed", status=args.suggested_status_code)
        return _page(locale, "failed", max(args.suggested_status_code, 400))

    return AsyncCallbackOptions(success=success, failure=failure)


def _page(locale: Locale, what: str, status: int, name: str = "") -> BoltResponse:
    headers: dict[str, str | Sequence[str]] = {"Content-Type": "text/html; charset=utf-8"}
    return BoltResponse(status=status, headers=headers, body=page(locale, what, name))
