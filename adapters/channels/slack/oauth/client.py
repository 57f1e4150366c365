"""The Web API as the app itself asks it, without any bot's token."""

from typing import Any

from aiohttp import ClientSession
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse


class AppClient(AsyncWebClient):
    """Sends the app's credentials in the form, as Slack takes them too.

    The SDK's own way needs what aiohttp has deprecated.
    """

    async def oauth_v2_access(
        self,
        *,
        client_id: str,
        client_secret: str,
        code: str | None = None,
        redirect_uri: str | None = None,
        grant_type: str | None = None,
        refresh_token: str | None = None,
        **kwargs: Any,
    ) -> AsyncSlackResponse:
        """A token for a code, or the next one for a refresh token."""
        form = {
            "client_id": client_id,
            "client_secret": client_secret,
            "code": code,
            "redirect_uri": redirect_uri,
            "grant_type": grant_type,
            "refresh_token": refresh_token,
            **kwargs,
        }
        return await self.api_call("oauth.v2.access", data={name: held for name, held in form.items() if held})


def app_client(session: ClientSession, base_url: str) -> AppClient:
    """The app's client, which repeats nothing: a code is good once."""
    client = AppClient(base_url=base_url, session=session)
    client.retry_handlers = []
    return client
