"""Signs requests to the bot as the Bot Connector does."""

import json
import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://api.botframework.com"


@cache
def rsa_key(name: str) -> rsa.RSAPrivateKey:
    """A key of that name, the same for the whole test run."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def published(name: str, endorsements: tuple[str, ...] = ("msteams",)) -> dict[str, Any]:
    """The key as the keys document lists it."""
    public = json.loads(RSAAlgorithm.to_jwk(rsa_key(name).public_key()))
    return {**public, "kid": name, "use": "sig", "endorsements": list(endorsements)}


def signed(app_id: str, service_url: str, key: str, changes: Mapping[str, Any] | None = None) -> str:
    """A token for the bot; `changes` replace claims, None leaves one out."""
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": app_id, "serviceurl": service_url, "nbf": now - 60, "exp": now + 3600}
    kept = {name: held for name, held in {**claims, **(changes or {})}.items() if held is not None}
    return jwt.encode(kept, rsa_key(key), algorithm="RS256", headers={"kid": key})


def unsigned(app_id: str, service_url: str) -> str:
    """A token that claims to need no signature."""
    claims = {"iss": ISSUER, "aud": app_id, "serviceurl": service_url, "exp": int(time.time()) + 3600}
    return jwt.encode(claims, "", algorithm="none", headers={"kid": "key-1"})
