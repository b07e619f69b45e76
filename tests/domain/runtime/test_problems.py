"""Error messages say what happened, what was changed, and what to do."""

import inspect

import pytest

import client
from client import (
    ConnectionFailed,
    FieldError,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    RequestSummary,
    ServiceError,
    ServiceFailed,
    TimedOut,
    TooManyRequests,
    UndecodableAnswer,
)
from domain.runtime.problems import NOT_SENT, UNCHANGED, UNKNOWN, explain
from journal import JournalError, JournalUnavailable

GET = RequestSummary("GET", "/itineraries/expectedLocations/8800/1")
PUT = RequestSummary("PUT", "/itineraries/8800/1", body={"pnr": "WSVM7K"})
KINDS = [
    kind
    for _, kind in inspect.getmembers(client, inspect.isclass)
    if issubclass(kind, ServiceError) and kind is not ServiceError
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_error_has_a_message_for_all_three_questions(kind: type[ServiceError]):
    problem = explain(kind("the service's own words", service_message="Field pnr is empty."))
    assert problem.changed
    assert problem.advice
    assert problem.headline.endswith(".")
    assert kind.__name__ not in problem.text


def test_every_kind_of_error_has_a_unique_message():
    headlines = {explain(kind("words")).headline for kind in KINDS}
    assert len(headlines) == len(KINDS)


@pytest.mark.parametrize(
    ("error", "changed"),
    [
        (OutcomeUnknown("x"), UNKNOWN),
        (ConnectionFailed("x"), UNCHANGED),
        (TimedOut("x"), UNCHANGED),
        (NotFound("x"), UNCHANGED),
        (NotAllowed("x"), UNCHANGED),
        (NotAuthenticated("x"), UNCHANGED),
        (Invalid("x", sent=False), NOT_SENT),
        (Invalid("x", sent=True), UNCHANGED),
        (UndecodableAnswer("x", request=GET), UNCHANGED),
        (UndecodableAnswer("x", request=PUT), UNKNOWN),
        (UndecodableAnswer("x"), UNKNOWN),
        (ServiceFailed("x", request=GET), UNCHANGED),
        (ServiceFailed("x", request=PUT), UNKNOWN),
        (ValueError("x"), UNKNOWN),
    ],
)
def test_a_message_never_claims_an_unknown_outcome(error: Exception, changed: str):
    assert explain(error).changed == changed


def test_a_failed_read_does_not_say_that_nothing_was_changed():
    for error in (ConnectionFailed("x"), UndecodableAnswer("x", request=GET), NotAuthenticated("x")):
        assert explain(error, is_read=True).changed == ""
    assert explain(OutcomeUnknown("x"), is_read=True).changed == UNKNOWN


def test_a_lost_response_advises_a_check_before_sending_again():
    for method in ("POST", "PUT", "DELETE"):
        lost = OutcomeUnknown("x", request=RequestSummary(method, "/itineraries/8800"))
        assert "Check" in explain(lost).advice
        assert ("exists" in explain(lost).advice) is (method == "POST")


def test_all_field_errors_are_listed():
    error = Invalid(
        "x", field_errors=[FieldError("pnr", "Enter a locator."), FieldError("segments[0].type", "Pick one.")]
    )
    problem = explain(error)
    assert problem.headline.startswith("2 values are not valid")
    assert "Enter a locator." in problem.advice
    assert "Pick one." in problem.advice


def test_the_retry_time_of_the_service_is_shown():
    assert "12 seconds" in explain(TooManyRequests("x", retry_after=12)).advice
    assert "a minute" in explain(TooManyRequests("x")).advice


def test_the_request_and_the_response_are_shown_with_ids_as_text():
    error = ServiceFailed("x", request=PUT, status=500, answer_text='{"id": 9223372036854775807, "message": "no"}')
    assert explain(error).request == {
        "request": {"method": "PUT", "path": "/itineraries/8800/1", "query": {}, "body": {"pnr": "WSVM7K"}},
        "response": {"status": 500, "body": {"id": "9223372036854775807", "message": "no"}},
    }


def test_a_response_that_is_not_json_is_shown_as_text():
    error = ServiceFailed("x", request=PUT, status=502, answer_text="<html>Bad gateway</html>")
    assert explain(error).request["response"]["body"] == "<html>Bad gateway</html>"  # type: ignore[index]


@pytest.mark.parametrize(("sent", "words"), [(False, "not sent"), (None, "no response")])
def test_a_request_without_a_response_is_reported(sent: bool | None, words: str):
    assert explain(ConnectionFailed("x", request=PUT, sent=sent)).request["response"] == words  # type: ignore[index]


def test_an_error_without_a_request_has_no_details():
    assert explain(ServiceFailed("x")).request is None


def test_the_text_of_an_unexpected_error_is_not_shown():
    assert "Silva" not in explain(ValueError("bad traveller Silva")).text


def test_a_journal_that_fails_is_reported_as_an_error_of_muster():
    problem = explain(JournalUnavailable("The journal’s database has no room left on its disk."))
    assert problem.headline == "Muster’s journal is not available."
    assert "sends nothing that the journal cannot record" in problem.changed
    assert "no room left on its disk" in problem.advice


def test_a_change_that_the_journal_rejects_is_not_reported_as_a_journal_failure():
    problem = explain(JournalError("Another roster has the name “Ops”."))
    assert problem.headline == "Another roster has the name “Ops”."
    assert "look at" not in problem.text
