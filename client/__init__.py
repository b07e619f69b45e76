"""The client that all parts of the project use to call the service. It imports httpx, pydantic, and the standard
library, and no other package of the project.
"""

from .connection import Connection
from .errors import (
    ClientClosed,
    ConnectionFailed,
    Duplicate,
    FieldError,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    ProxyAuthenticationRequired,
    Rejected,
    RequestSummary,
    ServiceError,
    ServiceFailed,
    TimedOut,
    TokenNotAccepted,
    TooManyRequests,
    TransportError,
    UndecodableAnswer,
)
from .fan_out import Outcome, fan_out
from .models.results import BatchFailure, BatchOutcome, BatchSuccess, CreationResult, ModificationResult
from .network import close_idle_connections
from .paging import Page
from .retry import RetryPolicy
from .service_client import ServiceClient
from .transport import Timeouts

__all__ = [
    "BatchFailure",
    "BatchOutcome",
    "BatchSuccess",
    "ClientClosed",
    "Connection",
    "ConnectionFailed",
    "CreationResult",
    "Duplicate",
    "FieldError",
    "Invalid",
    "ModificationResult",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "Outcome",
    "OutcomeUnknown",
    "Page",
    "ProxyAuthenticationRequired",
    "Rejected",
    "RequestSummary",
    "RetryPolicy",
    "ServiceClient",
    "ServiceError",
    "ServiceFailed",
    "TimedOut",
    "Timeouts",
    "TokenNotAccepted",
    "TooManyRequests",
    "TransportError",
    "UndecodableAnswer",
    "close_idle_connections",
    "fan_out",
]
