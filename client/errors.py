"""Every error this client raises, by what it means to the person who asked."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field. `field` is the interface's name or path, such as `segments[1].fromAddress`."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """The request an error belongs to, fit to be shown: no header, no secret."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON-able data."""
        return {"method": self.method, "path": self.path, "query": dict(self.query), "body": self.body}


class ServiceError(Exception):
    """Something that kept a call from succeeding.

    `message` is in plain words and holds no secret. `service_message` is the service's own sentence, where it gave one.
    `sent` tells whether the request reached the service: False surely not, True surely, None not known.
    `retry_after` is in seconds, where the service said when to come back.
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
    """The service could not be talked to."""


class ConnectionFailed(TransportError):
    """No connection came about, or it broke during a read. For a call that changes something: nothing was sent."""


class TimedOut(TransportError):
    """A read was not answered in time."""


class OutcomeUnknown(TransportError):
    """The answer to a call that changes something was lost: it may or may not have been carried out."""


class ProxyAuthenticationRequired(TransportError):
    """A proxy on the way to the service asks for a user and password of its own (407): the service saw nothing."""


class ClientClosed(TransportError):
    """The client was closed before the call: nothing was sent."""


class UndecodableAnswer(ServiceError):
    """The service answered with success, but with something that cannot be understood."""


class Rejected(ServiceError):
    """The service understood and refused."""


class NotAuthenticated(Rejected):
    """The service does not accept the user and password."""


class TokenNotAccepted(NotAuthenticated):
    """The service does not accept the access token: it is forged, expired or withdrawn."""


class NotAllowed(Rejected):
    """The user is known but may not do this, or has no access to the organization."""


class NotFound(Rejected):
    """The record does not exist, or is deleted."""


class Invalid(Rejected):
    """The request breaks a rule. `sent` is False where this client saw it before sending anything."""

    def __init__(self, message: str, *, field_errors: list[FieldError] | None = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.field_errors: list[FieldError] = list(field_errors or [])


class Duplicate(Rejected):
    """A record of this kind exists already."""


class TooManyRequests(Rejected):
    """The service asks to slow down."""


class ServiceFailed(Rejected):
    """The service, or a gateway before it, failed."""
