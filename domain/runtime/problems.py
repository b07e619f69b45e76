"""What is said when something fails: what happened, whether anything was changed or sent, and what to do."""

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

NOTHING: Final = "Nothing was changed."
NOT_SENT: Final = "Nothing was sent, so nothing was changed."
UNKNOWN: Final = "It is not known whether the change was made."


class NotSentError(Exception):
    """What keeps a change from being sent, as a look at the service showed; its text says it in a sentence."""


@dataclass(frozen=True)
class Problem:
    """An error in plain words; `request` is what was sent and answered, with secrets removed, or None."""

    headline: str
    changed: str
    advice: str
    request: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """All of it as one paragraph."""
        return " ".join(part for part in (self.headline, self.changed, self.advice) if part)


def explain(error: Exception, doing: str) -> Problem:
    """Return the words for the error.

    `doing` completes "while …", such as "canceling trip WSVM7K". Any exception is taken; one that nobody expected gets
    words that promise nothing.
    """
    headline, changed, advice = _words(error, doing)
    return Problem(headline, changed, advice, _request(error) if isinstance(error, ServiceError) else None)


def _words(error: Exception, doing: str) -> tuple[str, str, str]:
    match error:
        case OutcomeUnknown():
            fault = f"The service answered with a fault of its own ({error.status})"
            makes = error.request is None or error.request.method == "POST"
            return (
                f"{fault if (error.status or 0) >= 500 else 'The answer was lost'} while {doing}.",
                UNKNOWN,
                "Look whether it is there before you send it again: sent twice, it may be there twice."
                if makes
                else "Look what is there before you do it again.",
            )
        case ConnectionFailed():
            return (
                f"The service could not be reached while {doing}.",
                NOTHING,
                "Try again in a moment. The Connection screen says whether the service answers.",
            )
        case TimedOut():
            return (
                f"The service took too long to answer while {doing}.",
                NOTHING,
                "Try again; if it stays slow, ask for less at once.",
            )
        case ProxyAuthenticationRequired():
            return (
                f"A proxy between Muster and the service asked for a user and password, while {doing}.",
                NOT_SENT,
                "Whoever runs Muster can give them in the proxy's address (HTTPS_PROXY).",
            )
        case ClientClosed():
            return f"You were signed out while {doing}.", NOT_SENT, "Sign in again."
        case TransportError():
            return f"The service could not be talked to while {doing}.", UNKNOWN, "Look before you try again."
        case UndecodableAnswer():
            return (
                f"The service answered, but with something that could not be understood, while {doing}.",
                NOTHING if _only_reads(error) else UNKNOWN,
                "Whoever runs Muster should look at the request below and at the service's address.",
            )
        case TokenNotAccepted():
            return (
                f"The service does not accept your access token (while {doing}).",
                NOTHING,
                "It has expired or was withdrawn. Give another one on the Connection screen.",
            )
        case NotAuthenticated():
            return (
                f"The service no longer accepts your user name and password (while {doing}).",
                NOTHING,
                "Sign out and sign in again. Your password may have been changed.",
            )
        case NotAllowed():
            return (
                f"Your user may not do this: {doing}.",
                NOTHING,
                "Somebody who looks after users on the service can allow it.",
            )
        case NotFound():
            return (
                f"The service does not have it (while {doing}).",
                NOTHING,
                "It may have been deleted or canceled meanwhile. Search for it again.",
            )
        case Invalid():
            return (
                _count_of_faults(error, doing),
                NOT_SENT if error.sent is False else NOTHING,
                _faults(error) or own_words(error),
            )
        case Duplicate():
            return f"It is there already (while {doing}).", NOTHING, own_words(error) or "Open the one that is there."
        case TooManyRequests():
            pause = f"{error.retry_after:.0f} s" if error.retry_after else "a minute"
            return (
                f"The service is getting more requests than it takes (while {doing}).",
                NOTHING,
                f"Try again in {pause}.",
            )
        case ServiceFailed() if _only_reads(error):
            return (
                f"The service has a fault of its own (while {doing}).",
                NOTHING,
                "Try again; if it happens again, tell whoever runs the service.",
            )
        case ServiceFailed():
            return (
                f"The service has a fault of its own (while {doing}).",
                "It is not certain that nothing was changed.",
                "Look at what is there, then try again; if it happens again, tell whoever runs the service.",
            )
        case Rejected():
            return f"The service refused {doing}.", NOTHING, own_words(error)
        case ServiceError():
            return f"Something failed while {doing}.", UNKNOWN, error.message
        case NotSentError():
            return f"{error}", NOT_SENT, "Open it again to go on."
        case JournalUnavailable():
            return (
                f"This desk's journal could not be used while {doing}.",
                "Muster sends no change that it could not write down first.",
                f"{error} Whoever runs Muster should look at it; try again then.",
            )
        case JournalError():
            return f"{error}", "", f"This was said by this desk's journal, while {doing}."
        case _:
            return (
                f"Something that Muster did not expect went wrong while {doing}.",
                UNKNOWN,
                "The Journal says what was sent. Tell whoever runs Muster what you were doing.",
            )


def _only_reads(error: ServiceError) -> bool:
    request = error.request
    return request is not None and (request.method.upper() == "GET" or "/query" in request.path)


def own_words(error: Exception) -> str:
    """What the service itself says of it, as a sentence of ours; "" where it says nothing."""
    if not isinstance(error, ServiceError):
        return ""
    said = error.service_message or error.message
    return f"The service says: “{said.strip()}”" if said and said.strip() else ""


def _count_of_faults(error: Invalid, doing: str) -> str:
    count = len(error.field_errors)
    what = "Something is" if count == 0 else "One thing is" if count == 1 else f"{count} things are"
    return f"{what} not right yet, while {doing}."


def _faults(error: Invalid) -> str:
    return "  \n".join(f"• {fault.message}" for fault in error.field_errors)


def _request(error: ServiceError) -> dict[str, Any] | None:
    if error.request is None:
        return None
    shown: dict[str, Any] = {"request": error.request.as_dict()}
    if error.status is not None or error.answer_text is not None:
        shown["answer"] = {"status": error.status, "body": _parsed(error.answer_text)}
    else:
        shown["answer"] = "not sent" if error.sent is False else "no answer"
    return shown


def _parsed(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text, parse_int=str)  # ids stay text: a browser would round the long ones
    except ValueError:
        return text
