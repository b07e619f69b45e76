"""All errors that the client raises."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field. `field` is the interface's name or path, such as `segments[1].fromAddress`."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """The request that caused an error, safe to show: without headers and secrets."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as JSON-compatible data."""
        return {"method": self.method, "path": self.path, "query": dict(self.query), "body": self.body}


class ServiceError(Exception):
    """A call failed.

    `message` is for people and contains no secret. `service_message` is the service's own sentence, if any. `sent` says
    whether the request reached the service: True, False, or None if unknown. `retry_after` is the number of seconds
    after which the service accepts another attempt, if the service says so.
    """

    def __init__(
        self,
        message: str,
        *,
        request: RequestSummary | None = None,
        status: int | None = None,
        answer_text: str | None = None,
        service_message: str | None = None,
        sent: bool | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.request = request
        self.status = status
        self.answer_text = answer_text
        self.service_message = service_message
        self.sent = sent
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message


class TransportError(ServiceError):
    """The connection to the service failed."""


class ConnectionFailed(TransportError):
    """The connection could not be opened, or failed during a read. A call that changes something was not sent."""


class TimedOut(TransportError):
    """The service did not answer a read in time."""


class OutcomeUnknown(TransportError):
    """The answer to a call that changes something was lost. The change may or may not have been made."""


class ProxyAuthenticationRequired(TransportError):
    """A proxy requires a user and password of its own (407). The service did not receive the request."""


class ClientClosed(TransportError):
    """The client was closed before the call. Nothing was sent."""


class UndecodableAnswer(ServiceError):
    """The service reported success, but its answer cannot be read."""


class Rejected(ServiceError):
    """The service rejected the request."""


class NotAuthenticated(Rejected):
    """The service does not accept the user and password."""


class TokenNotAccepted(NotAuthenticated):
    """The service does not accept the access token: it is invalid, expired, or revoked."""


class NotAllowed(Rejected):
    """The user may not do this, or has no access to the organization."""


class NotFound(Rejected):
    """The record does not exist, or is deleted."""


class Invalid(Rejected):
    """The request breaks a rule. `sent` is False if the client found the problem before sending."""

    def __init__(self, message: str, *, field_errors: list[FieldError] | None = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.field_errors: list[FieldError] = list(field_errors or [])


class Duplicate(Rejected):
    """A record with the same key exists already."""


class TooManyRequests(Rejected):
    """The service received too many requests."""


class ServiceFailed(Rejected):
    """The service, or a gateway in front of it, failed."""
