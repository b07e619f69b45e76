"""Error messages: what happened, whether anything changed, and what to do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from client import (
    ClientClosed,
    ConnectionFailed,
    Duplicate,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    ProxyAuthenticationRequired,
    Rejected,
    ServiceError,
    ServiceFailed,
    TimedOut,
    TokenNotAccepted,
    TooManyRequests,
    TransportError,
    UndecodableAnswer,
)
from journal import JournalError, JournalUnavailable

UNCHANGED: Final = "Nothing was changed."
NOT_SENT: Final = "Nothing was sent."
UNKNOWN: Final = "Your change may or may not have been made."


class NotSentError(Exception):
    """A change that must not be sent, as a check of the service showed. The text is one sentence for the user."""


@dataclass(frozen=True)
class Problem:
    """An error message in three parts."""

    headline: str
    """What happened."""
    changed: str
    """Whether anything was changed or sent."""
    advice: str
    """What to do."""
    request: dict[str, Any] | None = None
    """The request and its response without secrets; None if there was none."""

    @property
    def text(self) -> str:
        """The message as one paragraph."""
        return " ".join(part for part in (self.headline, self.changed, self.advice) if part)


def explain(error: Exception, *, is_read: bool = False) -> Problem:
    """Return the message for any exception. The message for an unexpected one makes no promises.

    With `is_read`, the user only looked at something, so the message does not say that nothing was changed.
    """
    headline, changed, advice = _message_parts(error)
    if is_read and changed in (UNCHANGED, NOT_SENT):
        changed = ""
    return Problem(headline, changed, advice, _request(error) if isinstance(error, ServiceError) else None)


def _message_parts(error: Exception) -> tuple[str, str, str]:
    match error:
        case OutcomeUnknown():
            creates = error.request is None or error.request.method == "POST"
            return (
                f"The service failed with status {error.status}."
                if (error.status or 0) >= 500
                else "The service’s response was lost.",
                UNKNOWN,
                "Check whether the record exists before you send it again."
                if creates
                else "Check the record before you try again.",
            )
        case ConnectionFailed():
            return (
                "The service could not be reached.",
                UNCHANGED,
                "Try again in a moment. The Connection screen shows whether the service responds.",
            )
        case TimedOut():
            return "The service took too long to respond.", UNCHANGED, "Try again, or request fewer records."
        case ProxyAuthenticationRequired():
            return (
                "A proxy between Muster and the service requires a user name and password.",
                NOT_SENT,
                "The administrator of Muster can add them to the URL of the proxy (HTTPS_PROXY).",
            )
        case ClientClosed():
            return "You were signed out.", NOT_SENT, "Sign in again."
        case TransportError():
            return "The connection to the service failed.", UNKNOWN, "Check the record before you try again."
        case UndecodableAnswer():
            return (
                "The service sent a response that Muster cannot read.",
                UNCHANGED if _only_reads(error) else UNKNOWN,
                "Ask the administrator of Muster to check the request below and the URL of the service.",
            )
        case TokenNotAccepted():
            return (
                "The service does not accept your access token.",
                UNCHANGED,
                "The token has expired or was revoked. Enter a new one on the Connection screen.",
            )
        case NotAuthenticated():
            return (
                "The service no longer accepts your user name and password.",
                UNCHANGED,
                "Sign out and sign in again. Your password may have been changed.",
            )
        case NotAllowed():
            return "You do not have access.", UNCHANGED, "Ask the administrator of the service for access."
        case NotFound():
            return (
                "The service does not have this record.",
                UNCHANGED,
                "The record may have been deleted or canceled. Search for it again.",
            )
        case Invalid():
            count = len(error.field_errors)
            headline = "1 value is not valid." if count == 1 else f"{count} values are not valid."
            return (
                headline if count else "The service rejected the values.",
                NOT_SENT if error.sent is False else UNCHANGED,
                _list_field_errors(error) or quote_service(error),
            )
        case Duplicate():
            return "The record already exists.", UNCHANGED, quote_service(error) or "Open the existing record."
        case TooManyRequests():
            seconds = f"{error.retry_after:.0f} seconds" if error.retry_after else "a minute"
            return "The service is busy.", UNCHANGED, f"Try again in {seconds}."
        case ServiceFailed():
            return (
                "The service failed.",
                UNCHANGED if _only_reads(error) else UNKNOWN,
                "Try again. If this happens again, tell the administrator of the service."
                if _only_reads(error)
                else "Check the record before you try again.",
            )
        case Rejected():
            return "The service rejected the request.", UNCHANGED, quote_service(error)
        case ServiceError():
            return "The request failed.", UNKNOWN, error.message
        case NotSentError():
            return f"{error}", NOT_SENT, "Open the record again to continue."
        case JournalUnavailable():
            return (
                "Muster’s journal is not available.",
                "Muster sends nothing that the journal cannot record.",
                f"{error} Ask the administrator of Muster to check the journal.",
            )
        case JournalError():
            return f"{error}", "", ""
        case _:
            return (
                "Muster failed unexpectedly.",
                UNKNOWN,
                "The Journal shows what was sent. Tell the administrator of Muster what you did.",
            )


def _only_reads(error: ServiceError) -> bool:
    request = error.request
    return request is not None and (request.method.upper() == "GET" or "/query" in request.path)


def quote_service(error: Exception) -> str:
    """Return the message of the service as a quotation; "" if there is none."""
    if not isinstance(error, ServiceError):
        return ""
    message = (error.service_message or error.message or "").strip()
    return f"The service says: “{message}”" if message else ""


def _list_field_errors(error: Invalid) -> str:
    return "  \n".join(f"• {each.message}" for each in error.field_errors)


def _request(error: ServiceError) -> dict[str, Any] | None:
    if error.request is None:
        return None
    shown: dict[str, Any] = {"request": error.request.as_dict()}
    if error.status is not None or error.answer_text is not None:
        shown["response"] = {"status": error.status, "body": _parsed(error.answer_text)}
    else:
        shown["response"] = "not sent" if error.sent is False else "no response"
    return shown


def _parsed(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text, parse_int=str)  # ids stay text: a browser would round the long ones
    except ValueError:
        return text
