"""`countersign doctor slack`: asks Slack, and the bot's own address as Slack would."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.channels.slack.app import EVENTS_PATH
from adapters.channels.slack.checkup import (
    SIGNED_WITHIN_SECONDS,
    TokenFacts,
    app_of,
    leads_to_consent,
    opens_sockets,
    takes_signed,
    token_facts,
)
from adapters.channels.slack.clients import SlackClients, clients_over, slack_session
from adapters.channels.slack.oauth.client import app_client
from adapters.channels.slack.oauth.config import INSTALL_PATH, SlackConfigInvalid, check_oauth_config
from adapters.channels.slack.oauth.installations import StoredInstallations
from adapters.channels.slack.oauth.seals import InstallationUnreadable, Seals
from adapters.channels.slack.scopes import BOT_SCOPES, USER_GROUPS
from adapters.control.postgres.connections import create_pool
from adapters.control.postgres.slack_installations import PostgresSlackInstallations
from agent.errors import StoreFailed, StoreUnavailable
from bot.addresses import addresses_of
from bot.checkups.finding import Finding, unwell, well
from bot.settings import Settings, secret_of
from bot.slack_service import oauth_config
from cards.errors import DeliveryRefused, DeliveryUnavailable

_REINSTALL = "Paste deploy/slack/manifest.yaml under App Manifest, then Install App → Reinstall to Workspace."
_AGAIN = "Install App → Reinstall to Workspace, then set SLACK_BOT_TOKEN to the new Bot User OAuth Token."
_NETWORK = "Let this machine reach slack.com over https (SLACK_API_URL names a proxy), then try again."
_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackCheckup:
    """Checks one bot. `names_groups` tells that the policy names Slack's user groups."""

    settings: Settings
    names_groups: bool

    async def findings(self) -> AsyncIterator[Finding]:
        """Everything that was checked, one after the other."""
        slack = self.settings.slack
        if slack.slack_bot_token is None and not slack.slack_client_id:
            yield well("slack", "off")
            return
        fault = _half_configured(self.settings)
        if fault is not None:
            yield fault
            return
        async with slack_session(_SECONDS) as session:
            clients = clients_over(session, secret_of(slack.slack_bot_token), slack.slack_api_url)
            workspaces = self._installed() if slack.slack_client_id else self._token("slack token", clients)
            async for finding in workspaces:
                yield finding
            if slack.slack_app_token is not None:
                yield await self._socket(clients)
            else:
                yield await self._address(clients)

    async def _token(self, name: str, clients: SlackClients) -> AsyncIterator[Finding]:
        try:
            facts = await token_facts(clients.once)
        except DeliveryRefused as error:
            yield unwell(name, error.detail, _AGAIN)
            return
        except DeliveryUnavailable as error:
            yield unwell(name, error.detail, _NETWORK)
            return
        yield well(name, f"{facts.team_name} ({facts.team}), bot user {facts.bot_user}")
        yield _scopes(name, facts, self.names_groups)
        yield await _bot(name, facts, clients)
        yield _clock(name, facts)

    async def _socket(self, clients: SlackClients) -> Finding:
        try:
            await opens_sockets(clients, secret_of(self.settings.slack.slack_app_token))
        except DeliveryRefused as error:
            fix = "Basic Information → App-Level Tokens: make one with connections:write, turn Socket Mode on, and set "
            return unwell("slack socket mode", error.detail, f"{fix}SLACK_APP_TOKEN.")
        except DeliveryUnavailable as error:
            return unwell("slack socket mode", error.detail, _NETWORK)
        return well("slack socket mode", "connections may be opened")

    async def _address(self, clients: SlackClients) -> Finding:
        http = self.settings.http
        base = http.public_base_url.rstrip("/") or f"http://{http.host}:{http.port}"
        assert clients.once.session is not None
        secret = secret_of(self.settings.slack.slack_signing_secret)
        health = await takes_signed(clients.once.session, base + EVENTS_PATH, secret)
        fix = (
            "Start the service ('countersign serve'), pass body and headers through the proxy unchanged, compare "
            "SLACK_SIGNING_SECRET with Basic Information → Signing Secret, and set PUBLIC_BASE_URL to the address "
            "that the manifest names."
        )
        return Finding(name="slack events address", health=health, fix=fix)

    async def _installed(self) -> AsyncIterator[Finding]:
        """The app that several workspaces install, and each installation."""
        config = oauth_config(self.settings)
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(slack_session(_SECONDS))
            url = f"{config.public_base_url.rstrip('/')}{INSTALL_PATH}"
            health = await leads_to_consent(session, url, config.client_id, config.redirect_uri)
            fix = "Let the proxy pass /slack/install and /slack/oauth_redirect, and add the redirect URL to the app."
            yield Finding(name="slack install page", health=health, fix=fix)
            pool = create_pool(addresses_of(self.settings).control, max_connections=2, patience=_SECONDS)
            stack.push_async_callback(pool.close)
            rows, own = PostgresSlackInstallations(pool), app_client(session, self.settings.slack.slack_api_url)
            rotator = AsyncTokenRotator(client_id=config.client_id, client_secret=config.client_secret, client=own)
            installations = StoredInstallations(rows, Seals(config.keys), rotator)
            try:
                owners = await rows.owners()
            except (StoreUnavailable, StoreFailed) as error:
                yield unwell("slack installations", error.detail, "Check CONTROL_DATABASE_URL, and start the service.")
                return
            yield well("slack installations", ", ".join(owners) or f"none yet: open {url}")
            for owner in owners:
                clients = clients_over(session, "", self.settings.slack.slack_api_url)
                async for finding in self._installation(owner, installations, clients):
                    yield finding

    async def _installation(
        self, owner: str, installations: StoredInstallations, clients: SlackClients
    ) -> AsyncIterator[Finding]:
        name = f"slack {owner}"
        try:
            stored = await installations.fresh(owner)
        except InstallationUnreadable as error:
            yield unwell(name, error.detail, "Add the key that encrypted it to the end of SLACK_TOKEN_KEYS.")
            return
        except (StoreUnavailable, DeliveryRefused, DeliveryUnavailable) as error:
            yield unwell(name, error.detail, f"Let {owner} install the app again.")
            return
        clients.renew(stored.bot_token or "" if stored else "")
        async for finding in self._token(name, clients):
            yield finding


def _half_configured(settings: Settings) -> Finding | None:
    slack = settings.slack
    if slack.slack_signing_secret is None and slack.slack_app_token is None:
        return unwell("slack", "no signing secret", "Set SLACK_SIGNING_SECRET (HTTP) or SLACK_APP_TOKEN (Socket Mode).")
    if not slack.slack_client_id:
        return None
    if slack.slack_bot_token is not None:
        return unwell("slack", "one workspace and several", "Set SLACK_BOT_TOKEN or SLACK_CLIENT_ID, not both.")
    try:
        check_oauth_config(oauth_config(settings))
    except SlackConfigInvalid as error:
        return unwell("slack", error.detail, "Set what is missing; docs/slack-setup.md says how.")
    return None


def _scopes(name: str, facts: TokenFacts, names_groups: bool) -> Finding:
    needed = {scope for scope in BOT_SCOPES if scope != USER_GROUPS or names_groups}
    missing = sorted(needed - facts.scopes)
    if missing:
        return unwell(f"{name}: scopes", f"missing {', '.join(missing)}", _REINSTALL)
    return well(f"{name}: scopes", f"all {len(needed)} are there")


async def _bot(name: str, facts: TokenFacts, clients: SlackClients) -> Finding:
    if not facts.bot_id:
        fix = "Set SLACK_BOT_TOKEN to the Bot User OAuth Token (xoxb-…), not to a person's."
        return unwell(f"{name}: bot", "the token is a person's, not a bot's", fix)
    try:
        app = await app_of(clients.once, facts.bot_id)
    except (DeliveryRefused, DeliveryUnavailable) as error:
        return unwell(f"{name}: bot", error.detail, _REINSTALL)
    if not app:
        return unwell(f"{name}: bot", "the bot was removed", _AGAIN)
    return well(f"{name}: bot", f"{facts.bot_id} of app {app}")


def _clock(name: str, facts: TokenFacts) -> Finding:
    if abs(facts.ahead) > SIGNED_WITHIN_SECONDS / 2:
        fix = f"Set this machine's clock (NTP): signed requests are taken within {SIGNED_WITHIN_SECONDS} seconds."
        return unwell(f"{name}: clock", f"{facts.ahead:+.0f} s from Slack's", fix)
    return well(f"{name}: clock", f"{facts.ahead:+.0f} s from Slack's")
