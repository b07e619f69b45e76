"""Classification of responses: every known body and every known misleading status."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import (
    Duplicate,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    Rejected,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
)
from client.classify import classify

GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body>credential not found</body></html>"
ORG = "Org 8800 not accessible to this user, or does not exist."
NO_TRIP = "Can not find the trip itinerary with ID. 17 within the organization 8800."
CREDENTIALS = "Invalid credentials: Get User failed"
NO_MATCH = "Travel matching error, no contact matching."


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        # The itinerary error table, the swapped statuses included.
        (400, {"status": 400, "message": NO_MATCH}, Invalid),
        (400, {"status": 400, "message": "The itinerary does not contain any segments"}, Invalid),
        (400, {"status": 400, "message": "All segments of the itinerary are invalid, PNR creation failed"}, Invalid),
        (400, {"status": 400, "message": 'Field ["segments.type"] is empty.'}, Invalid),
        (401, {"code": 401, "message": CREDENTIALS}, NotAuthenticated),
        (404, {"code": 404, "message": CREDENTIALS}, NotAuthenticated),
        (404, {"status": 404, "message": CREDENTIALS}, NotAuthenticated),
        (401, {"status": 401, "message": NO_TRIP}, NotFound),
        (404, {"status": 404, "message": NO_TRIP}, NotFound),
        (400, {"status": 400, "message": NO_TRIP}, NotFound),
        # Permissions.
        (401, {"status": 401, "message": ORG}, NotAllowed),
        (403, {"status": 403, "message": ORG}, NotAllowed),
        (404, {"status": "404", "message": ORG}, NotAllowed),
        (401, {"status": 401, "message": "User does not have API permissions for this method"}, NotAllowed),
        (403, {}, NotAllowed),
        # Every shape of body.
        (401, {"code": 401, "message": "Unauthorized"}, NotAuthenticated),
        (401, {"status": "401", "message": "anything"}, NotAuthenticated),
        (401, {"title": "Unauthorized", "status": 401, "detail": "Full authentication is required"}, NotAuthenticated),
        (401, {}, NotAuthenticated),
        (401, "", NotAuthenticated),
        (401, CREDENTIALS, NotAuthenticated),
        (404, CREDENTIALS, NotAuthenticated),
        (401, GATEWAY_PAGE, NotAuthenticated),
        (404, "", NotFound),
        (404, {}, NotFound),
        (404, GATEWAY_PAGE, Rejected),
        (410, GATEWAY_PAGE, Rejected),
        (410, {}, NotFound),
        (401, {"code": 401, "message": "User not found"}, NotAuthenticated),
        (401, "Account ana does not exist", NotAuthenticated),
        (404, {"status": 404, "message": "Region name: North is not found"}, NotFound),
        (400, {"status": 400, "moreInfoUrl": "https://elsewhere.example/errors/400"}, Invalid),
        (400, {"errors": [{"field": "data.attributes", "defaultMessage": "may not be empty"}]}, Invalid),
        (400, {"errors": ["Field pnr is empty."]}, Invalid),
        (400, [{"field": "name", "message": "too long"}], Invalid),
        (400, "null", Invalid),
        (422, {"title": "Unprocessable", "status": 422, "detail": "pnr too long"}, Invalid),
        (413, GATEWAY_PAGE, Invalid),
        # Duplicates.
        (500, {"timestamp": 1, "status": 500, "error": "Internal Server Error", "exception": "x.DuplicateKeyException",
               "message": "Mapping already exists", "path": "/lookup"}, ServiceFailed),
        (400, {"status": 400, "message": "Region name: North already exists"}, Duplicate),
        (409, {}, Duplicate),
        # Limits and failures.
        (429, "", TooManyRequests),
        (429, GATEWAY_PAGE, TooManyRequests),
        (403, "Developer Over Rate", TooManyRequests),
        (503, {"message": "Rate limit exceeded"}, TooManyRequests),
        (500, {"status": 500, "message": "Internal error"}, ServiceFailed),
        (500, {"status": 500, "message": "Lookup host not found"}, ServiceFailed),
        (502, GATEWAY_PAGE, ServiceFailed),
        (503, "", ServiceFailed),
        (504, "upstream request timeout", ServiceFailed),
        (302, "", Rejected),
        (405, {"detail": "Method Not Allowed"}, Rejected),
        # Failure under success.
        (200, {"status": 401, "message": CREDENTIALS}, NotAuthenticated),
        (200, {"status": "401", "message": ORG}, NotAllowed),
        (200, {"code": 401, "message": "Unauthorized"}, NotAuthenticated),
        (200, {"status": 400, "message": "Field pnr is empty."}, Invalid),
        (200, {"status": "500", "message": "Internal error"}, ServiceFailed),
        (200, {"message": NO_TRIP}, NotFound),
        (200, {"status": 401, "message": NO_TRIP}, NotFound),
        (200, {"status": 401, "message": "User not found"}, NotAuthenticated),
        (200, {"errors": [{"field": "pnr", "message": "bad"}]}, Invalid),
    ],
)  # fmt: skip
def test_status_and_text_of_a_response_decide_its_error(
    status: int, body: object, expected: type[ServiceError]
) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    error = classify(status, text.encode())
    assert type(error) is expected
    assert error.status == status
    assert error.sent is True
    assert error.message
    assert "<" not in error.message


@pytest.mark.parametrize(
    "body",
    [
        {"message": "OK", "id": 5},
        {"message": "OK", "code": 100, "data": ["5"]},
        {"message": "OK", "code": "200", "data": ["Field pnr is empty."]},
        {"message": "OK", "code": 300, "data": ["Field pnr is empty."]},
        {"id": 1, "status": "A"},
        {"message": "OK", "page": {"data": []}},
        {"status": 200, "message": "OK"},
        {"message": "OK", "errors": []},
        [],
        "OK",
    ],
)
def test_a_success_is_not_an_error(body: object) -> None:
    assert classify(200, json.dumps(body)) is None


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("Field pnr is empty.", ["pnr"]),
        ("Field segments.type is empty.", ["segments.type"]),
        ('Field ["segments.type"] is empty.', ["segments.type"]),
        ("Field ['pnr'] is empty", ["pnr"]),
        ("field [pnr] is empty", ["pnr"]),
        ("Field pnr is empty. Field segments.fromAddress is empty.", ["pnr", "segments.fromAddress"]),
        (NO_MATCH, ["passengers"]),
        ("The itinerary does not contain any segments", ["segments"]),
    ],
)
@pytest.mark.parametrize("envelope", ["message", "detail", "errors", "plain"])
def test_the_invalid_fields_are_named_in_every_spelling(message: str, fields: list[str], envelope: str) -> None:
    bodies = {
        "message": json.dumps({"status": 400, "message": message}),
        "detail": json.dumps({"title": "Bad Request", "status": "400", "detail": message}),
        "errors": json.dumps({"errors": [message]}),
        "plain": message,
    }
    error = classify(400, bodies[envelope])
    assert isinstance(error, Invalid)
    assert [entry.field for entry in error.field_errors] == fields


def test_field_errors_of_a_mapping_have_their_field_and_text() -> None:
    body = {"errors": [{"field": "data.targetGroups", "code": "NotEmpty", "defaultMessage": "may not be empty"}]}
    error = classify(400, json.dumps(body))
    assert isinstance(error, Invalid)
    assert [(entry.field, entry.message) for entry in error.field_errors] == [("data.targetGroups", "may not be empty")]


def test_a_long_response_is_shortened() -> None:
    error = classify(500, "x" * 100_000)
    assert error is not None
    assert len(error.answer_text or "") < 3000
    assert len(error.message) < 600


@pytest.mark.parametrize(
    "text",
    [f"Field pnr{' ' * 900}x", f"Field{' ' * 900}x", "does not have " * 20_000, "does not have " + "a " * 100_000],
    ids=["blanks after", "blanks before", "repeated", "words"],
)
@pytest.mark.parametrize("body", ["{}", '{{"message": "{}"}}', '{{"errors": ["{}"]}}', '"{}"'])
def test_a_text_that_would_match_slowly_is_classified_at_once(text: str, body: str) -> None:
    began = time.process_time()
    assert isinstance(classify(400, body.format(text)), Rejected)
    assert time.process_time() - began < 0.5


def test_a_status_of_thousands_of_digits_is_ignored() -> None:
    assert classify(200, json.dumps({"message": "OK", "code": "9" * 5000})) is None
    assert isinstance(classify(400, json.dumps({"status": "4" * 5000})), Invalid)


@given(status=st.integers(300, 599), body=st.binary(max_size=200))
def test_any_failure_is_classified_whatever_its_body(status: int, body: bytes) -> None:
    assert isinstance(classify(status, body), ServiceError)


@given(
    status=st.sampled_from([200, 400, 401, 404, 500]),
    body=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["status", "code", "message", "errors", "data", "detail", "field"]), inner
            )
        ),
        max_leaves=8,
    ),
)
def test_no_json_breaks_the_classification(status: int, body: object) -> None:
    error = classify(status, json.dumps(body))
    assert (error is None) <= (status == 200)
