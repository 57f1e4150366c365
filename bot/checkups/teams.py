"""`countersign doctor teams`: asks Microsoft, and the bot's own address as a stranger would."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from adapters.channels.teams.app import MESSAGES_PATH
from adapters.channels.teams.checkup import (
    FILE_PERMISSIONS,
    GROUP_PERMISSIONS,
    TokenClaims,
    bot_token,
    graph_token,
    missing,
    published_keys,
    refuses_strangers,
)
from adapters.channels.teams.config import Endpoints, TeamsConfig, TeamsConfigInvalid, check_config
from bot.checkups.finding import Finding, unwell, well
from bot.settings import Settings, names_in, secret_of
from cards.errors import DeliveryUnavailable

_KEYS_FIX = "Let this machine reach login.botframework.com over https."
_ADDRESS_FIX = (
    "Start the service ('countersign serve'), let the proxy pass /api/messages, and set PUBLIC_BASE_URL to the host of "
    "the bot's messaging endpoint (Azure Bot → Configuration)."
)
_SAID = {
    "token: 400": "The tenant does not know the app: compare TEAMS_APP_ID and TEAMS_TENANT_ID, or run "
    "'az ad sp create --id <application id>'.",
    "token: 401": "Make a new client secret (App registrations → Certificates & secrets) and set TEAMS_APP_PASSWORD.",
}
_UNREACHED = "Let this machine reach login.microsoftonline.com over https, then try again."


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamsCheckup:
    """Checks one bot. `names_groups` tells that the policy names Entra ID groups."""

    settings: Settings
    names_groups: bool
    endpoints: Endpoints = Endpoints()  # noqa: RUF009  # a frozen value

    async def findings(self) -> AsyncIterator[Finding]:
        """Everything that was checked, one after the other."""
        teams = self.settings.teams
        if not teams.teams_app_id:
            detail = "without credentials, for a local emulator" if teams.unsafe_teams_without_credentials else "off"
            yield well("teams", detail)
            return
        config = self._config()
        try:
            check_config(config)
        except TeamsConfigInvalid as error:
            yield unwell("teams", error.detail, "Set what is missing; docs/teams-setup.md says how.")
            return
        yield await self._token(config)
        yield Finding(name="teams signing keys", health=await published_keys(config), fix=_KEYS_FIX)
        yield await self._address(config)
        if self._permissions():
            yield await self._graph(config)

    def _config(self) -> TeamsConfig:
        teams = self.settings.teams
        return TeamsConfig(
            app_id=teams.teams_app_id,
            app_password=secret_of(teams.teams_app_password),
            app_type=teams.teams_app_type,
            tenant_id=teams.teams_tenant_id,
            allowed_tenants=frozenset(names_in(teams.teams_allowed_tenants)),
            signing_secret=secret_of(self.settings.http.link_signing_secret).encode(),
            unsafe_without_credentials=teams.unsafe_teams_without_credentials,
            listen_host=self.settings.http.host,
            endpoints=self.endpoints,
        )

    def _permissions(self) -> tuple[str, ...]:
        groups = GROUP_PERMISSIONS if self.names_groups else ()
        return (*groups, *(FILE_PERMISSIONS if self.settings.teams.teams_files_by_graph else ()))

    async def _token(self, config: TeamsConfig) -> Finding:
        try:
            claims = await bot_token(config)
        except DeliveryUnavailable as error:
            return unwell("teams credentials", error.detail, _SAID.get(error.detail, _UNREACHED))
        fault = _fault_of(claims, config)
        if fault:
            return unwell("teams credentials", fault, "Compare TEAMS_APP_ID, TEAMS_TENANT_ID and TEAMS_APP_TYPE.")
        return well("teams credentials", f"a token for {claims.audience}")

    async def _address(self, config: TeamsConfig) -> Finding:
        base = self.settings.http.public_base_url.rstrip("/")
        if not base:
            fix = "Set PUBLIC_BASE_URL to the https address of this service."
            return unwell("teams endpoint", "PUBLIC_BASE_URL is empty: Teams reaches nothing else", fix)
        health = await refuses_strangers(config, base + MESSAGES_PATH)
        return Finding(name="teams endpoint", health=health, fix=_ADDRESS_FIX)

    async def _graph(self, config: TeamsConfig) -> Finding:
        try:
            lacking = missing(await graph_token(config), self._permissions())
        except DeliveryUnavailable as error:
            return unwell("teams graph", error.detail, _SAID.get(error.detail, _UNREACHED))
        if lacking:
            fix = "App registrations → API permissions → Microsoft Graph → Application permissions: add them and grant "
            return unwell("teams graph", f"missing {', '.join(lacking)}", f"{fix}admin consent.")
        return well("teams graph", ", ".join(self._permissions()))


def _fault_of(claims: TokenClaims, config: TeamsConfig) -> str:
    """What is wrong with the bot's token; empty for nothing."""
    if claims.audience.rstrip("/") != config.endpoints.scope:
        return f"the token is for {claims.audience or 'nobody that it names'}, not for {config.endpoints.scope}"
    if claims.app and claims.app.lower() != config.app_id.lower():
        return "the token is another app's"
    if config.app_type == "SingleTenant" and claims.tenant.lower() not in ("", config.tenant_id.lower()):
        return "the token is of another tenant"
    return ""
