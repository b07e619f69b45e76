"""Classify an answer by status and text: one pure function returns an error, or None for a success.

Services send failures with misleading statuses, with success statuses, and in many shapes; gateways add pages of their
own. So status and text are classified together (interface: Error bodies, Itinerary errors).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import (
    Duplicate,
    FieldError,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ProxyAuthenticationRequired,
    Rejected,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
)
from .vocabulary.itineraries import BATCH_CODES, FIELD_LABELS

_ANSWER_TEXT_LENGTH = 2000
_SENTENCE_LENGTH = 500
_MATCHED_LENGTH = 10_000
"""The number of characters of a text to classify. Patterns take longer on long texts."""

_STATUS = re.compile(r"\d{3}", re.ASCII)

# Three spellings: Field pnr is empty. · Field ["segments.type"] is empty. · Field ['pnr'] is empty
_EMPTY_FIELD = re.compile(
    r"""field\s++\[?\s*+["']?\s*+([A-Za-z][\w.\[\]]*?)(?:\s*+["'])?(?:\s*+\])?\s++is\s+empty""", re.IGNORECASE
)

_INVALID_FIELD = re.compile(r"field\s+([A-Za-z][\w.\[\]]*?)\s+is\s+invalid\s*:?\s*(.*)", re.IGNORECASE)

_WRONG_CREDENTIALS = re.compile(r"invalid credentials|get user failed|bad credentials|unauthori[sz]ed", re.IGNORECASE)
_NOT_ALLOWED = re.compile(r"not accessible to this user|does not have (?:\w+ ){0,8}permissions?", re.IGNORECASE)
_NO_SUCH_TRIP = re.compile(r"can ?not find the trip itinerary", re.IGNORECASE)
_NOT_FOUND = re.compile(r"can ?not find|could not find|not[ _]found|does not exist|not_exist", re.IGNORECASE)
_DUPLICATE = re.compile(
    r"already (?:exist|in use|been used|taken)|duplicate|(?:must|should) be unique|must differ", re.IGNORECASE
)
_TOO_MANY = re.compile(r"too many requests|rate limit|over (?:rate|qps|quota)|throttl|quota exceeded", re.IGNORECASE)
_INVALID_TRIP = (
    (re.compile(r"travel matching error", re.IGNORECASE), "passengers", "No traveler matches a contact."),
    (
        re.compile(r"not contain any segments?", re.IGNORECASE),
        "segments",
        "A trip that is not canceled needs at least one segment.",
    ),
    (
        re.compile(r"all segments? of the itinerary (?:are|is) invalid", re.IGNORECASE),
        "segments",
        "No segment is valid.",
    ),
)

_REFUSALS = (_WRONG_CREDENTIALS, _NOT_ALLOWED, _NOT_FOUND, _EMPTY_FIELD, *(entry[0] for entry in _INVALID_TRIP))


@dataclass
class _Answer:
    """The parts of a response body that matter for classification."""

    status: int
    """The HTTP status, or, if that means success, the status in the body."""
    text: str
    """All texts of the body, for matching; empty for a web page."""
    sentence: str | None
    """The sentence to show to people."""
    is_page: bool = False
    is_problem: bool = False
    field_errors: list[FieldError] = field(default_factory=list)


def classify(status: int, body: bytes | str) -> ServiceError | None:
    """Return the error that an answer stands for, or None for a success.

    With a success status, only a body that reports a failure is an error; the batch codes 100, 200, and 300 are not.
    """
    answer_text = body.decode("utf-8", errors="replace") if isinstance(body, bytes) else body
    answer = _gather(status, answer_text)
    if status < 300 and not answer.is_problem:
        return None
    error = _judge(answer)
    error.status = status
    error.answer_text = shortened(answer_text, _ANSWER_TEXT_LENGTH)
    error.service_message = answer.sentence
    error.sent = status != 407
    return error


def says_failed(data: Any) -> bool:
    """Return whether a body carries the status of a failure."""
    return isinstance(data, Mapping) and (_own_status(data) or 0) >= 400


def reads_like_refusal(text: str) -> bool:
    """Return whether a text is a known refusal of this interface."""
    text = _plain(text)
    return any(pattern.search(text) for pattern in _REFUSALS)


def shortened(text: str, length: int) -> str:
    """Return the text, shortened if it is long."""
    return text if len(text) <= length else text[:length] + "…"


def field_label(path: str) -> str:
    """Return the label of a field, by its path with or without indexes."""
    plain = re.sub(r"\[\d+\]", "", path).removeprefix("data.")
    return FIELD_LABELS.get(plain, plain)


def proxy_refusal() -> ProxyAuthenticationRequired:
    """Return the error of a 407, which comes from a proxy and never from the service."""
    return ProxyAuthenticationRequired(
        "A proxy between the client and the service requires a user name and password.", sent=False
    )


def _judge(answer: _Answer) -> ServiceError:
    status, text = answer.status, answer.text
    if status == 407:
        return proxy_refusal()
    if status == 429 or (status in (400, 403, 503) and _TOO_MANY.search(text)):
        return TooManyRequests("The service is busy.")
    if 400 <= status < 500 or (status < 300 and answer.is_problem):
        by_text = _judge_refusal(answer)
        if by_text is not None:
            return by_text
    if status in (400, 409) and _DUPLICATE.search(text):
        return Duplicate(answer.sentence or "The service already has this record.")
    if status == 401:
        return NotAuthenticated("The service does not accept this user name and password.")
    if status == 403:
        return NotAllowed("The service does not allow this user to do this.")
    if status in (404, 410) and answer.is_page:
        return Rejected("A proxy responded instead of the service. It has nothing at this address.")
    if status in (404, 410):
        return NotFound(answer.sentence or "The service has nothing at this address.")
    if status == 409:
        return Duplicate(answer.sentence or "The request conflicts with an existing record.")
    if status in (400, 422):
        return _invalid(answer)
    if status == 413:
        return Invalid("The request is too large for the service.")
    if status >= 500:
        return ServiceFailed(_failed_in_words(answer))
    if 300 <= status < 400:
        return Rejected(
            "The service responded with a redirect. Redirects are not followed. Check the URL of the service."
        )
    return Rejected(answer.sentence or f"The service rejected the request (status {status}).")


def _judge_refusal(answer: _Answer) -> ServiceError | None:
    """Classify by text where the text is more precise than the status: services swap 404 and 401."""
    text = answer.text
    if _NOT_ALLOWED.search(text):
        return NotAllowed(answer.sentence or "The service does not allow this user to do this.")
    if answer.field_errors or any(pattern.search(text) for pattern, _, _ in _INVALID_TRIP):
        return _invalid(answer)
    if answer.status in (401, 404) or answer.status < 300:
        is_about_user = _WRONG_CREDENTIALS.search(text) is not None
    else:
        is_about_user = "invalid credentials" in text.lower()
    if is_about_user:
        return NotAuthenticated("The service does not accept this user name and password.")
    # Only the interface's exact sentence means this: "user not found" is about the user.
    if _NO_SUCH_TRIP.search(text) or (answer.status < 300 and _NOT_FOUND.search(text)):
        return NotFound(answer.sentence or "The service does not have this record.")
    return None


def _invalid(answer: _Answer) -> Invalid:
    errors = list(answer.field_errors)
    for pattern, name, words in _INVALID_TRIP:
        if pattern.search(answer.text):
            errors.append(FieldError(name, words))
            return Invalid(words, field_errors=errors)
    if errors:
        words = "; ".join(f"{field_label(error.field)}: {error.message}" for error in errors)
        return Invalid(f"The service rejected the values. {words}", field_errors=errors)
    return Invalid(answer.sentence or "The service rejected the values.")


def _failed_in_words(answer: _Answer) -> str:
    if answer.is_page or answer.status in (502, 503, 504):
        return "The service is not available. A proxy responded instead."
    return answer.sentence or "The service failed."


def _gather(status: int, text: str) -> _Answer:
    stripped = text.strip()
    if stripped.startswith("<"):
        return _Answer(status, "", None, is_page=True)
    try:
        data = json.loads(stripped) if stripped else None
    except (ValueError, RecursionError):
        # Truncated JSON helps classification but is not a sentence for people.
        is_words = not stripped.startswith(("{", "["))
        words = _plain(stripped)
        sentence = shortened(words, _SENTENCE_LENGTH) or None if is_words else None
        return _Answer(status, words, sentence, field_errors=list(_named_fields(words)))
    if isinstance(data, str):
        words = _plain(data)
        return _Answer(status, words, shortened(words, _SENTENCE_LENGTH), field_errors=list(_named_fields(words)))
    if isinstance(data, list) and status >= 400:
        data = {"errors": data}
    if not isinstance(data, Mapping):
        return _Answer(status, "", None)
    own_status = _own_status(data)
    sentences = list(_sentences(data))
    words = _plain(" ".join(sentences))
    is_problem = says_failed(data) or bool(data.get("errors"))
    if status < 300 and own_status is None and not is_problem:
        # Without a status, only the text can be classified.
        is_problem = not any(key in data for key in ("id", "data", "page", "result")) and reads_like_refusal(words)
    effective = status if status >= 300 else (own_status if own_status and own_status >= 400 else 200)
    if effective == 200 and data.get("errors"):
        effective = 400
    errors = list(_listed_errors(data)) or list(_named_fields(words))
    sentence = shortened(_plain(sentences[0]), _SENTENCE_LENGTH) if sentences else None
    return _Answer(effective, words, sentence, is_problem=is_problem, field_errors=errors)


def _own_status(data: Mapping[str, Any]) -> int | None:
    """Return the status that a body carries as `status` or `code`, as number or text. Batch codes are not statuses."""
    for key in ("status", "code", "statusCode"):
        value = data.get(key)
        if isinstance(value, str) and _STATUS.fullmatch(value.strip()):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 100 <= value < 600 and value not in BATCH_CODES:
            return value
    return None


def _sentences(data: Mapping[str, Any]) -> Iterator[str]:
    """Return the texts of a body that say what happened, the best one for people first."""
    for key in ("message", "detail", "errorMessage", "error_description", "description", "title", "error", "exception"):
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            yield value.strip()
        elif isinstance(value, Mapping):
            yield from _sentences(value)
    errors = data.get("errors")
    for entry in errors if isinstance(errors, list) else [errors] if isinstance(errors, Mapping | str) else []:
        if isinstance(entry, str) and entry.strip():
            yield entry.strip()
        elif isinstance(entry, Mapping):
            for key in ("defaultMessage", "message", "detail", "code"):
                if isinstance(entry.get(key), str) and entry[key].strip():
                    yield entry[key].strip()


def _listed_errors(data: Mapping[str, Any]) -> Iterator[FieldError]:
    """Return the entries of an `errors` list that name a field."""
    errors = data.get("errors")
    for entry in errors if isinstance(errors, list) else []:
        if isinstance(entry, Mapping) and isinstance(entry.get("field"), str) and entry["field"]:
            message = entry.get("defaultMessage") or entry.get("message") or entry.get("code") or "is not valid"
            yield FieldError(entry["field"], str(message))
        elif isinstance(entry, str):
            yield from _named_fields(_plain(entry))


def _named_fields(text: str) -> Iterator[FieldError]:
    for match in _EMPTY_FIELD.finditer(text):
        yield FieldError(match.group(1), "The value is missing.")
    invalid = _INVALID_FIELD.search(text)
    if invalid is not None:
        yield FieldError(invalid.group(1), shortened(invalid.group(2), _SENTENCE_LENGTH))


def _plain(text: str) -> str:
    """Return the beginning of a text with single spaces, for matching."""
    return " ".join(text[:_MATCHED_LENGTH].split())
