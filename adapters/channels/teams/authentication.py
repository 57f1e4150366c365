"""Who may call us, and the clients we call Teams with."""

from typing import Any, Final

import jwt
from botframework.connector import AsyncBfPipeline
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import (
    AuthenticationConfiguration,
    BotFrameworkAuthentication,
    BotFrameworkAuthenticationFactory,
    ConnectorFactory,
    PasswordServiceClientCredentialFactory,
)
from botframework.connector.auth.jwt_token_extractor import JwtTokenExtractor
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration

from adapters.channels.teams.config import TeamsConfig
from adapters.channels.teams.signing_keys import CHANNEL, SigningKeys
from adapters.channels.teams.tokens import BotToken, issuer_of

_ALGORITHM: Final = "RS256"
_BEARER: Final = "Bearer "


class BotCredentials:
    """What the SDK signs a request with: the token that was current when the send began."""

    def __init__(self) -> None:
        self.token = ""

    def signed_session(self, session: Any) -> Any:
        """The session with the token."""
        if self.token:
            session.headers["Authorization"] = f"{_BEARER}{self.token}"
        return session


class Connectors(ConnectorFactory):  # type: ignore[misc]  # the SDK has no types
    """One client per service URL, so that its connections are used again."""

    def __init__(self, config: TeamsConfig) -> None:
        self._config = config
        self._token = BotToken(issuer_of(config))
        self._credentials = BotCredentials()
        self._clients: dict[str, Any] = {}

    async def sign_in(self) -> None:
        """Have a valid token for the sends that follow. Raises `DeliveryUnavailable`."""
        self._credentials.token = await self._token.current()

    def forget_token(self) -> None:
        """The token was refused: the next sign-in fetches another."""
        self._token.forget()

    @property
    def token(self) -> BotToken:
        """The bot's own token."""
        return self._token

    async def create(self, service_url: str, audience: str = "") -> Any:  # noqa: ARG002  # the SDK's arguments
        """The client of the service URL."""
        if service_url not in self._clients:
            self._clients[service_url] = self._client(service_url)
        return self._clients[service_url]

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.__aexit__(None, None, None)

    def _client(self, service_url: str) -> Any:
        settings = BotFrameworkConnectorConfiguration(self._credentials, service_url)
        settings.connection.timeout = self._config.patience.request
        # Retries are ours: the SDK's never cover POST and sleep in a thread for the rest.
        settings.retry_policy.policy.total = 0
        settings.retry_policy.policy.status_forcelist = frozenset()
        settings.custom_pipeline = AsyncBfPipeline(settings)
        return ConnectorClient(None, custom_configuration=settings)


class TeamsAuthentication(BotFrameworkAuthentication):  # type: ignore[misc]  # the SDK has no types
    """Accepts tokens of the Teams channel only, checked by the SDK against keys that we fetch."""

    def __init__(self, config: TeamsConfig, connectors: Connectors) -> None:
        self._config = config
        self._connectors = connectors
        endpoints = config.endpoints
        JwtTokenExtractor.metadataCache[endpoints.metadata_url] = SigningKeys(
            endpoints.metadata_url, config.patience.request
        )
        self._checks = BotFrameworkAuthenticationFactory.create(
            to_channel_from_bot_oauth_scope=endpoints.scope,
            to_bot_from_channel_token_issuer=endpoints.issuer,
            to_bot_from_channel_open_id_metadata_url=endpoints.metadata_url,
            credential_factory=PasswordServiceClientCredentialFactory(config.app_id),
            auth_configuration=AuthenticationConfiguration(),
        )

    async def authenticate_request(self, activity: Any, auth_header: str) -> Any:
        """Who calls, for the SDK.

        Raises `PermissionError` or `jwt.PyJWTError` for a request that Teams did not sign for this bot, and
        `KeysUnavailable`.
        """
        if not self._config.is_open:
            self._check_form(activity, auth_header)
        caller = await self._checks.authenticate_request(activity, None if self._config.is_open else auth_header)
        caller.connector_factory = self._connectors
        return caller

    async def authenticate_streaming_request(self, auth_header: str, channel_id_header: str) -> Any:  # noqa: ARG002
        """Streaming connections are not served: raises `PermissionError`."""
        raise PermissionError("streaming is not served")

    async def authenticate_channel_request(self, auth_header: str) -> Any:  # noqa: ARG002
        """Requests for channel services are not served: raises `PermissionError`."""
        raise PermissionError("channel services are not served")

    def create_connector_factory(self, claims_identity: Any) -> Any:  # noqa: ARG002
        """The clients of this bot."""
        return self._connectors

    async def create_user_token_client(self, claims_identity: Any) -> Any:  # noqa: ARG002
        """None: people are known by their object id, nobody signs in to the bot."""
        return None

    def create_bot_framework_client(self) -> Any:
        """None: the bot calls no other bot."""
        return None

    def get_originating_audience(self) -> str:
        """The audience of the bot's own tokens."""
        return self._config.endpoints.scope

    def _check_form(self, activity: Any, auth_header: str) -> None:
        # Only the channel's tokens: the SDK would fetch other keys for an emulator's or a skill's, and answers a
        # malformed header with errors that have no type of their own.
        token = auth_header.removeprefix(_BEARER)
        if token == auth_header or " " in token:
            raise PermissionError("a bearer token is required")
        if activity.channel_id != CHANNEL or not activity.service_url:
            raise PermissionError("the activity is not of Teams")
        if jwt.get_unverified_header(token).get("alg") != _ALGORITHM:
            raise PermissionError("the token's algorithm is not allowed")
        claims = jwt.decode(token, options={"verify_signature": False})
        if claims.get("iss") != self._config.endpoints.issuer:
            raise PermissionError("the token's issuer is not the channel")
