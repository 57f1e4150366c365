"""Slack's side of an installation: codes, tokens that rotate, tokens taken back."""

from dataclasses import dataclass, field
from typing import Any

from tests.fakes.slack.workspace import Json, Workspace

CLIENT_ID = "1111.2222"
CLIENT_SECRET = "a client secret"


@dataclass(slots=True, kw_only=True)
class Consent:
    """What people consented to, by code. `rotates` gives tokens that end after so many seconds."""

    codes: dict[str, tuple[Workspace, bool]] = field(default_factory=dict)
    refreshes: dict[str, Workspace] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)
    redirects: list[str] = field(default_factory=list)
    asked: int = 0
    rotates: int | None = None
    _issued: int = 0

    def give(self, workspace: Workspace, *, whole: bool = False) -> str:
        """Somebody consents to the bot in their workspace, or in the whole organisation; the code for it."""
        code = f"code-{len(self.codes)}-{workspace.team}"
        self.codes[code] = (workspace, whole)
        return code

    def access(self, arguments: Json) -> Json:
        """`oauth.v2.access`: a token for a code, or the next token for a refresh token; each once."""
        self.asked += 1
        if (arguments.get("client_id"), arguments.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return {"ok": False, "error": "bad_client_secret"}
        if arguments.get("grant_type") == "refresh_token":
            return self._refreshed(arguments.get("refresh_token", ""))
        self.redirects.append(arguments.get("redirect_uri", ""))
        found = self.codes.pop(arguments.get("code", ""), None)
        if found is None:
            return {"ok": False, "error": "invalid_code"}
        return self._granted(*found)

    def _refreshed(self, refresh: str) -> Json:
        workspace = self.refreshes.pop(refresh, None)
        if workspace is None:
            return {"ok": False, "error": "invalid_refresh_token"}
        return {"ok": True, "token_type": "bot", **self._token(workspace)}

    def _granted(self, workspace: Workspace, whole: bool) -> Json:
        organisation = {"id": workspace.enterprise, "name": "Acme"} if workspace.enterprise else None
        return {
            "ok": True,
            "app_id": "A0APP",
            "token_type": "bot",
            "scope": ",".join(workspace.scopes),
            "bot_user_id": workspace.bot_user,
            "team": None if whole else {"id": workspace.team, "name": f"Team {workspace.team}"},
            "enterprise": organisation,
            "authed_user": {"id": "U0ADMIN"},
            "is_enterprise_install": whole,
            **self._token(workspace),
        }

    def _token(self, workspace: Workspace) -> dict[str, Any]:
        if self.rotates is None:
            return {"access_token": workspace.token}
        self._issued += 1
        workspace.token = f"xoxe.xoxb-{workspace.team}-{self._issued}"
        refresh = f"xoxe-1-{workspace.team}-{self._issued}"
        self.refreshes[refresh] = workspace
        return {"access_token": workspace.token, "refresh_token": refresh, "expires_in": self.rotates}
