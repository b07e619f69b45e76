"""Remove secrets from data before it is stored or logged."""

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
# A token is long or has a period inside. Sentences may contain the word "bearer" too.
_BEARER: Final = re.compile(r"\b(Bearer)\s+([A-Za-z0-9._~+/-]{16,}=*|[\w~+/-]+\.[\w.~+/-]+)", re.IGNORECASE)
_JWT: Final = re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*")
# No scheme is longer. Without a bound, the search would be quadratic in long runs of letters.
_USER_IN_URL: Final = re.compile(r"(?P<scheme>\b[A-Za-z][A-Za-z0-9+.-]{0,40}://)[^/\s:@]*:[^/\s@]+@")


def redact(value: Any) -> Any:
    """Return a copy of a JSON-like value with every secret replaced, at any depth.

    A value is replaced if its key names a secret. In other texts, Basic and Bearer credentials, JSON web tokens, and
    passwords in URLs are replaced.
    """
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, Mapping):
        return {key: _redact_member(key, member) for key, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [redact(member) for member in value]
    return value


def redact_text(text: str) -> str:
    """Return a copy of a text without the credentials in it."""
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
    """Return whether a text is "Basic" credentials (`user:password` in base64), not a sentence with the word
    "basic".
    """
    try:
        return b":" in base64.b64decode(
            encoded + "=" * (-len(encoded) % 4), altchars=b"-_" if "-" in encoded or "_" in encoded else None
        )
    except (binascii.Error, ValueError):
        return False
