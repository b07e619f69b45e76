"""Taking secrets out of what is about to be written down."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

REMOVED: Final = "(removed)"

_SECRET_PARTS: Final = (
    "authorization",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "credential",
    "apikey",
    "cookie",
    "privatekey",
)
_NOT_A_LETTER: Final = re.compile(r"[^a-z]+")
_BASIC: Final = re.compile(r"\b(Basic)\s+([A-Za-z0-9+/_-]{4,}={0,2})", re.IGNORECASE)
# Long, or with a full stop inside: a sentence may have the word "bearer" too.
_BEARER: Final = re.compile(r"\b(Bearer)\s+([A-Za-z0-9._~+/-]{16,}=*|[\w~+/-]+\.[\w.~+/-]+)", re.IGNORECASE)
_JWT: Final = re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*")
# No scheme is this long, and without a bound a long run of letters would be searched from each of them to its end.
_USER_IN_URL: Final = re.compile(r"(?P<scheme>\b[A-Za-z][A-Za-z0-9+.-]{0,40}://)[^/\s:@]*:[^/\s@]+@")


def redact(value: Any) -> Any:
    """Copy a JSON-like value with every secret in it replaced, at any depth.

    A value goes when its key speaks of a secret; inside other text, Basic and Bearer credentials, JSON web tokens and
    passwords in URLs go.
    """
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, Mapping):
        return {key: _redact_member(key, member) for key, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [redact(member) for member in value]
    return value


def redact_text(text: str) -> str:
    """Copy a text without the credentials that stand in it."""
    text = _USER_IN_URL.sub(rf"\g<scheme>{REMOVED}@", text)
    text = _BEARER.sub(rf"\1 {REMOVED}", text)
    text = _JWT.sub(REMOVED, text)
    return _BASIC.sub(lambda match: f"{match[1]} {REMOVED}" if _is_pair(match[2]) else match[0], text)


def _redact_member(key: object, member: Any) -> Any:
    if _names_a_secret(key) and member not in (None, "", [], {}):
        return REMOVED
    return redact(member)


def _names_a_secret(key: object) -> bool:
    letters = _NOT_A_LETTER.sub("", str(key).lower())
    return any(part in letters for part in _SECRET_PARTS)


def _is_pair(encoded: str) -> bool:
    """Tell "Basic" credentials (`user:password` in base 64) from a sentence that holds the word "basic"."""
    try:
        return b":" in base64.b64decode(
            encoded + "=" * (-len(encoded) % 4), altchars=b"-_" if "-" in encoded or "_" in encoded else None
        )
    except (binascii.Error, ValueError):
        return False
