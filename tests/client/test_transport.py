"""The transport: requests, retries, lost responses, and secrets that are never displayed or logged."""

import base64
import contextlib
import json
import logging
import traceback
from typing import Any

import httpx
import pytest

from client import (
    ClientClosed,
    Connection,
    ConnectionFailed,
    Invalid,
    NotFound,
    OutcomeUnknown,
    RetryPolicy,
    ServiceClient,
    ServiceError,
    ServiceFailed,
    TimedOut,
    Timeouts,
    TooManyRequests,
    UndecodableAnswer,
)
from client.base_url import ServiceAddress
from client.clock import Interrupted
from client.models.itineraries import Address, Itinerary, Segment
from client.unpacking import LONGEST_ANSWER
from tests.client.conftest import Clients, Exchange, FakeClock

TRIP = Itinerary(pnr="WSVM7K", segments=[Segment(type="Hotel", from_address=Address(city="Kuwait"))])
CANCELED = Itinerary(pnr="WSVM7K", itinerary_status="canceled")
OK = {"message": "OK", "id": 5}
NOTHING = {"message": "OK", "page": {"data": []}}
PAGE = "<html><body>502 Bad Gateway</body></html>"

CALLS = {
    "search": lambda client: client.itineraries.search(field_name="pnr", values=["A"]),
    "expected locations": lambda client: client.itineraries.list_expected_locations(5),
    "create": lambda client: client.itineraries.create(TRIP),
    "update": lambda client: client.itineraries.update(5, TRIP),
    "cancel": lambda client: client.itineraries.update(5, CANCELED),
    "delete": lambda client: client.itineraries.delete(5),
}
READS = ["search", "expected locations"]
CHANGES = ["create", "update", "cancel", "delete"]


def answer(status: int = 200, body: Any = None, **headers: str) -> httpx.Response:
    content = body if isinstance(body, str | bytes) else json.dumps(OK if body is None else body)
    return httpx.Response(
        status, content=content, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


def success_response(call: str) -> httpx.Response:
    return answer(body=NOTHING if call in READS else OK)


def combine_with_first(calls: list[str], troubles: list[Any]) -> list[tuple[str, Any]]:
    """Combine the first call with every trouble, and every other call with the first trouble only."""
    return [*((calls[0], trouble) for trouble in troubles), *((call, troubles[0]) for call in calls[1:])]


def connection_errors() -> list[Exception]:
    return [
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("Server disconnected without sending a response."),
        httpx.WriteError("broken pipe"),
        httpx.ReadTimeout("slow"),
        httpx.WriteTimeout("slow"),
    ]


# What may be repeated


@pytest.mark.parametrize("call", ["search", "update"])
@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ConnectError("[Errno 111] Connection refused"),
        httpx.ConnectTimeout("slow"),
        *connection_errors(),
        *[answer(status, PAGE) for status in (429, 502, 503, 504)],
    ],
    ids=lambda trouble: str(getattr(trouble, "status_code", type(trouble).__name__)),
)
def test_reads_and_replacements_are_repeated_after_temporary_errors(
    clients: Clients, clock: FakeClock, call: str, trouble: Any
) -> None:
    failure = trouble if isinstance(trouble, Exception) else answer(trouble.status_code, PAGE)
    client, exchange = clients(failure, failure, success_response(call))
    CALLS[call](client)
    assert len(exchange.requests) == 3
    # After a 429 the connection is slower, too.
    assert clock.waits == [0.25, 0.5] or (isinstance(trouble, httpx.Response) and trouble.status_code == 429)


@pytest.mark.parametrize(
    "trouble",
    [
        httpx.ConnectError("refused"),
        *connection_errors(),
        *[answer(status, PAGE) for status in (429, 500, 502, 503, 504)],
    ],
    ids=lambda trouble: str(getattr(trouble, "status_code", type(trouble).__name__)),
)
def test_a_create_is_never_repeated(clients: Clients, clock: FakeClock, trouble: Any) -> None:
    failure = trouble if isinstance(trouble, Exception) else answer(trouble.status_code, PAGE)
    client, exchange = clients(failure)
    with pytest.raises(ServiceError):
        client.itineraries.create(TRIP)
    assert len(exchange.requests) == 1
    assert clock.waits == []


@pytest.mark.parametrize("call", ["cancel", "delete"])
def test_a_removal_is_repeated_only_if_it_was_certainly_not_made(clients: Clients, call: str) -> None:
    client, exchange = clients(httpx.ConnectError("refused"), answer(429, ""), success_response(call))
    CALLS[call](client)
    assert len(exchange.requests) == 3
    client, exchange = clients(httpx.ReadTimeout("slow"))
    with pytest.raises(OutcomeUnknown):
        CALLS[call](client)
    assert len(exchange.requests) == 1


@pytest.mark.parametrize(("call", "status"), combine_with_first([*CALLS], [400, 401, 403, 404, 409, 422]))
def test_a_refusal_is_not_repeated(clients: Clients, call: str, status: int) -> None:
    client, exchange = clients(answer(status, {"status": status, "message": "no"}))
    with pytest.raises(ServiceError) as caught:
        CALLS[call](client)
    assert len(exchange.requests) == 1
    assert caught.value.status == status
    assert caught.value.sent is True


def test_attempts_are_limited(clients: Clients, clock: FakeClock) -> None:
    client, exchange = clients(lambda request: answer(503, PAGE), retry=RetryPolicy(attempts=4))
    with pytest.raises(ServiceFailed):
        CALLS["search"](client)
    assert len(exchange.requests) == 4
    assert clock.waits == [0.25, 0.5, 1.0]


def test_the_total_wait_is_capped(clients: Clients, clock: FakeClock) -> None:
    client, _ = clients(lambda request: answer(429, ""), retry=RetryPolicy(attempts=1000, total_wait=20))
    with pytest.raises(TooManyRequests):
        CALLS["search"](client)
    assert sum(clock.waits) <= 20


def test_retry_after_is_followed_and_delays_the_whole_connection(clients: Clients, clock: FakeClock) -> None:
    client, _ = clients(answer(429, "", retry_after="7"), success_response("search"), success_response("search"))
    CALLS["search"](client)
    assert clock.waits[0] >= 7
    assert clock.monotonic() >= 107


def test_a_retry_after_beyond_the_cap_ends_the_call_and_delays_no_other(clients: Clients, clock: FakeClock) -> None:
    client, _ = clients(answer(429, "", retry_after="3600"), success_response("search"))
    with pytest.raises(TooManyRequests) as caught:
        CALLS["search"](client)
    assert caught.value.retry_after == 3600
    CALLS["search"](client)
    assert sum(clock.waits) < 1


def test_refusals_slow_down_all_requests_of_the_connection(clients: Clients, clock: FakeClock) -> None:
    """A client without a rate meets a deployment with a limit of 10 per second and no Retry-After."""
    tokens, counted_at, refusals = 5.0, clock.monotonic(), 0

    def serve(request: httpx.Request) -> httpx.Response:
        nonlocal tokens, counted_at, refusals
        now = clock.monotonic()
        tokens, counted_at = min(5.0, tokens + (now - counted_at) * 10), now
        if tokens < 1:
            refusals += 1
            return answer(429, "")
        tokens -= 1
        return success_response("search")

    client, _ = clients(serve)
    for _ in range(600):
        CALLS["search"](client)
    assert refusals < 30
    assert clock.monotonic() - 100 < 1.3 * 60


def test_the_rate_limit_counts_every_attempt(clients: Clients, clock: FakeClock) -> None:
    client, _ = clients(lambda request: success_response("search"), rate_limit=4)
    for _ in range(9):
        CALLS["search"](client)
    assert clock.monotonic() == pytest.approx(102)


def test_an_interrupted_wait_raises_the_last_error(clients: Clients, clock: FakeClock, monkeypatch: Any) -> None:
    def interrupt(seconds: float) -> None:
        raise Interrupted

    monkeypatch.setattr(clock, "sleep", interrupt)
    client, _ = clients(answer(503, PAGE))
    with pytest.raises(ServiceFailed):
        CALLS["search"](client)


# What a loss means


@pytest.mark.parametrize(("call", "trouble"), combine_with_first(CHANGES, connection_errors()), ids=str)
def test_a_lost_response_to_a_change_leaves_its_outcome_unknown(
    clients: Clients, call: str, trouble: Exception
) -> None:
    client, _ = clients(trouble, retry=RetryPolicy(attempts=1))
    with pytest.raises(OutcomeUnknown) as caught:
        CALLS[call](client)
    assert caught.value.sent is None
    assert caught.value.request is not None


@pytest.mark.parametrize(("call", "status"), combine_with_first(CHANGES, [500, 502, 503, 504]))
def test_a_failing_service_leaves_the_outcome_of_a_change_unknown(clients: Clients, call: str, status: int) -> None:
    client, _ = clients(answer(status, PAGE), retry=RetryPolicy(attempts=1))
    with pytest.raises(OutcomeUnknown) as caught:
        CALLS[call](client)
    assert caught.value.status == status


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "trouble", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.PoolTimeout("busy")]
)
def test_without_a_connection_nothing_was_sent(clients: Clients, call: str, trouble: Exception) -> None:
    client, _ = clients(trouble, retry=RetryPolicy(attempts=1))
    with pytest.raises(ConnectionFailed) as caught:
        CALLS[call](client)
    assert caught.value.sent is False


def test_a_loss_is_reported_if_the_repetition_cannot_connect(clients: Clients) -> None:
    client, exchange = clients(httpx.ReadTimeout("slow"), httpx.ConnectError("refused"), retry=RetryPolicy(attempts=2))
    with pytest.raises(OutcomeUnknown):
        client.itineraries.update(5, TRIP)
    assert len(exchange.requests) == 2


def test_a_loss_is_reported_if_the_repetition_is_refused(clients: Clients) -> None:
    client, _ = clients(
        answer(502, PAGE), answer(401, {"code": 401, "message": "Invalid credentials: Get User failed"})
    )
    with pytest.raises(OutcomeUnknown):
        client.itineraries.update(5, TRIP)


def test_a_read_that_times_out_is_reported(clients: Clients) -> None:
    client, _ = clients(httpx.ReadTimeout("slow"), retry=RetryPolicy(attempts=1))
    with pytest.raises(TimedOut):
        CALLS["search"](client)


# What is understood


@pytest.mark.parametrize(
    ("call", "body"),
    combine_with_first(["search", "create", "update", "delete"], ['{"unexpected": 1}', PAGE, "{", "[[[", "\xff"]),
)
def test_an_undecodable_response_is_reported_with_its_text(clients: Clients, call: str, body: str) -> None:
    client, exchange = clients(answer(200, body))
    with pytest.raises(UndecodableAnswer) as caught:
        CALLS[call](client)
    assert len(exchange.requests) == 1
    assert caught.value.answer_text == body
    assert caught.value.sent is True


@pytest.mark.parametrize("call", CALLS)
def test_a_failure_under_an_http_success_is_a_failure(clients: Clients, call: str) -> None:
    body = {"status": "401", "message": "Can not find the trip itinerary with ID. 5 within the organization 8800."}
    client, _ = clients(answer(200, body))
    with pytest.raises(NotFound):
        CALLS[call](client)


def test_a_redirect_is_not_followed(clients: Clients) -> None:
    client, exchange = clients(answer(302, "", location="https://elsewhere.example/steal"))
    with pytest.raises(ServiceError, match="redirect"):
        CALLS["search"](client)
    assert len(exchange.requests) == 1


def test_uris_in_responses_are_not_followed(clients: Clients) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["pageNumber"])
        body: dict[str, Any] = {"message": "OK", "page": {"data": [{"id": number}]}}
        if number < 3:
            body["nextPageUri"] = "https://https://elsewhere.example/rest/itineraries88005?pageNumber=0"
        return answer(200, body)

    client, exchange = clients(serve)
    assert [found.id for found in client.itineraries.search(field_name="pnr", values=["A"])] == [1, 2, 3]
    assert {request.url.host for request in exchange.requests} == {"service.example"}
    assert [request.url.params["pageNumber"] for request in exchange.requests] == ["1", "2", "3"]


def test_an_endless_response_is_abandoned(clients: Clients) -> None:
    piece = b" " * 2**20
    served = 0

    class Endless(httpx.SyncByteStream):
        def __iter__(self) -> Any:
            nonlocal served
            while True:
                served += len(piece)
                yield piece

    client, _ = clients(lambda request: httpx.Response(200, stream=Endless()))
    with pytest.raises(UndecodableAnswer, match="too long"):
        CALLS["search"](client)
    assert served <= LONGEST_ANSWER + len(piece)


def test_a_damaged_response_to_a_read_is_undecodable(clients: Clients) -> None:
    client, _ = clients(httpx.Response(200, content=b"not gzip", headers={"X": "1"}))
    with pytest.raises(UndecodableAnswer):
        CALLS["search"](client)


# What is sent


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("https://service.example", "https://service.example/itineraries/query/8800"),
        ("https://service.example/", "https://service.example/itineraries/query/8800"),
        ("https://service.example/rest", "https://service.example/rest/itineraries/query/8800"),
        ("https://service.example/rest/", "https://service.example/rest/itineraries/query/8800"),
        (
            " https://service.example:8443/travel/rest ",
            "https://service.example:8443/travel/rest/itineraries/query/8800",
        ),
    ],
)
def test_urls_are_built_from_the_base_url(clients: Clients, base_url: str, expected: str) -> None:
    client, exchange = clients(success_response("search"), base_url=base_url)
    CALLS["search"](client)
    assert str(exchange.requests[0].url.copy_with(query=None)) == expected


@pytest.mark.parametrize("base_url", ["https://service.example", "https://service.example/rest"])
def test_paths_that_contain_rest_get_it_once(base_url: str) -> None:
    address = ServiceAddress.parse(base_url)
    assert address.url("/rest/v2/assets") == "https://service.example/rest/v2/assets"


@pytest.mark.parametrize(
    "base_url",
    [
        "service.example",
        "ftp://service.example",
        "https://",
        "https://ana:secret@service.example",
        "https://a.example?x=1",
        "",
    ],
)
def test_an_invalid_address_is_refused_with_a_message(base_url: str) -> None:
    with pytest.raises(ValueError, match="The address of the service") as caught:
        ServiceClient(base_url, 8800, "ana", "secret")
    assert "secret" not in str(caught.value)


def test_basic_credentials_are_sent_in_utf_8(clients: Clients) -> None:
    client, exchange = clients(success_response("search"), password="pässwörd:x")
    CALLS["search"](client)
    scheme, _, credentials = exchange.requests[0].headers["Authorization"].partition(" ")
    assert scheme == "Basic"
    assert base64.b64decode(credentials).decode() == "ana:pässwörd:x"


def test_a_user_name_with_a_colon_is_refused() -> None:
    with pytest.raises(Invalid) as caught:
        ServiceClient("https://service.example", 8800, "a:b", "secret")
    assert caught.value.sent is False


@pytest.mark.parametrize("organization_id", ["8800", 0, -1, 1.5, True, None])
def test_an_organization_must_be_a_number(organization_id: Any) -> None:
    with pytest.raises(ValueError, match="organization"):
        ServiceClient("https://service.example", organization_id, "ana", "secret")


# Secrets

SECRET = "correct horse"
ENCODED = base64.b64encode(f"ana:{SECRET}".encode()).decode()


def test_logs_reprs_and_errors_contain_no_secrets(clients: Clients, caplog: pytest.LogCaptureFixture) -> None:
    leak = f"user ana with {SECRET} sent Basic {ENCODED} and Bearer abc.def.ghi"
    with caplog.at_level(logging.DEBUG, logger="client"):
        client, _ = clients(
            answer(503, leak), answer(400, {"errors": [{"field": "pnr", "message": leak}], "message": leak})
        )
        with pytest.raises(Invalid) as caught:
            CALLS["search"](client)
    error = caught.value
    texts = [
        *traceback.format_exception(error),
        repr(error.request),
        repr(error.answer_text),
        repr(error.service_message),
        repr(error.field_errors),
        repr(client),
        repr(client.connection),
        caplog.text,
        repr([record.__dict__ for record in caplog.records]),
    ]
    for text in texts:
        assert SECRET not in text
        assert ENCODED not in text
        assert "abc.def" not in text


def test_attempts_are_logged_with_their_details(clients: Clients, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="client.transport"):
        client, _ = clients(httpx.ConnectError("refused"), success_response("search"))
        CALLS["search"](client)
    facts = [(record.levelname, record.__dict__["status"], record.__dict__["attempt"]) for record in caplog.records]
    assert facts == [("WARNING", None, 1), ("DEBUG", 200, 2)]
    assert caplog.records[0].__dict__["route"] == "/itineraries/query/{}"


def test_the_log_contains_routes_and_no_people(clients: Clients, caplog: pytest.LogCaptureFixture) -> None:
    client, _ = clients(lambda _: answer(404, {"status": 404, "message": "not found"}), token="a.b.c")
    with caplog.at_level(logging.DEBUG):
        for call in (
            lambda: client.contact_filters.retrieve_by_name("People of Jane Doe"),
            lambda: client.lookup_mappings.retrieve("jane-doe"),
            lambda: client.dynamic_locations.retrieve("jane-doe"),
            lambda: client.assets.delete_batch(["jane-doe"]),
        ):
            with contextlib.suppress(ServiceError):
                call()
    routes = [record.__dict__["route"] for record in caplog.records if record.name == "client.transport"]
    assert routes == [
        "/contactFilters/{}/{}",
        "/lookup/{}/mappings/{}",
        "/dynamicLocations/{}/{}",
        "/rest/v2/asset-management/assets/batch",
    ]
    ours = [record.__dict__ for record in caplog.records if record.name.startswith("client")]
    assert "jane" not in repr(ours).lower()


def test_an_error_contains_its_request(clients: Clients) -> None:
    client, _ = clients(answer(400, {"status": 400, "message": "no"}), base_url="https://service.example/rest")
    with pytest.raises(Invalid) as caught:
        client.itineraries.search(field_name="pnr", values=["A"], page_number=2)
    assert caught.value.request is not None
    assert caught.value.request.as_dict() == {
        "method": "POST",
        "path": "/rest/itineraries/query/8800",
        "query": {"pageNumber": "2"},
        "body": {"fieldName": "pnr", "fieldValues": ["A"]},
    }


def test_a_password_equal_to_the_user_name_does_not_redact_text(clients: Clients) -> None:
    client, _ = clients(answer(400, {"message": "the demo is over"}), username="demo", password="demo")
    with pytest.raises(Invalid, match="the demo is over"):
        CALLS["search"](client)


def test_fingerprints_distinguish_connections_without_revealing_them() -> None:
    first = Connection("https://a.example", 1, "ana", "one")
    others = [
        Connection("https://b.example", 1, "ana", "one"),
        Connection("https://a.example", 2, "ana", "one"),
        Connection("https://a.example", 1, "bob", "one"),
        Connection("https://a.example", 1, "ana", "two"),
        Connection("https://a.example", 1, "anao", "ne"),
    ]
    assert first.fingerprint == Connection("https://a.example", 1, "ana", "one").fingerprint
    assert first.fingerprint not in {other.fingerprint for other in others}
    assert len({other.fingerprint for other in others}) == len(others)
    assert "one" not in repr(first)


# The client as an object


def test_leaving_its_context_closes_a_client(clients: Clients) -> None:
    client, _ = clients(success_response("search"))
    with client as entered:
        assert entered is client
        CALLS["search"](client)
    with pytest.raises(ClientClosed):
        CALLS["search"](client)


@pytest.mark.parametrize(
    ("timeout", "total"), [(None, 390), (1, 419), (30, 390), (300, 390), (600, 690), (Timeouts(read=300, total=7), 7)]
)
def test_a_timeout_in_seconds_does_not_shorten_a_long_call(
    clients: Clients, monkeypatch: pytest.MonkeyPatch, timeout: Any, total: float
) -> None:
    totals: list[float] = []

    def record_limit(seconds: float) -> contextlib.AbstractContextManager[None]:
        totals.append(seconds)
        return contextlib.nullcontext()

    monkeypatch.setattr("client.transport.time_limit", record_limit)
    client, _ = clients(answer(body={"message": "OK", "code": 100}), timeout=timeout)
    client.itineraries.delete_batch([5])
    assert totals == [total]


def test_access_is_checked_by_one_cheap_read(clients: Clients) -> None:
    client, exchange = clients(success_response("search"))
    client.check_access()
    assert [request.method for request in exchange.requests] == ["POST"]
    assert exchange.requests[0].url.path == "/itineraries/query/8800"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, "{}"),
        (404, PAGE),
        (404, {"status": 404, "message": "No message available: not found"}),
        (410, ""),
        (401, {"code": 401, "message": "User not found"}),
        (200, {"message": "User not found"}),
        (200, "{}"),
    ],
)
def test_a_response_that_is_not_a_page_of_trips_means_no_access(clients: Clients, status: int, body: Any) -> None:
    client, _ = clients(answer(status, body))
    with pytest.raises(ServiceError):
        client.check_access()


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, "Invalid credentials: Get User failed", "NotAuthenticated"),
        (401, "Org 8800 not accessible to this user, or does not exist.", "NotAllowed"),
    ],
)
def test_denied_access_has_its_reason(clients: Clients, status: int, message: str, error: str) -> None:
    client, _ = clients(answer(status, {"status": status, "message": message}))
    with pytest.raises(ServiceError) as caught:
        client.check_access()
    assert type(caught.value).__name__ == error


def test_an_unreachable_service_is_reported_quickly(clients: Clients, clock: FakeClock) -> None:
    client, exchange = clients(lambda request: (_ for _ in ()).throw(httpx.ConnectError("[Errno 111] refused")))
    with pytest.raises(ConnectionFailed, match="the connection was refused"):
        client.check_access()
    assert len(exchange.requests) == 2
    assert sum(clock.waits) < 1


def test_an_exchange_records_the_request() -> None:
    # The test double itself.
    exchange = Exchange([answer()])
    exchange(httpx.Request("POST", "https://service.example", content=b'{"a": 1}'))
    assert exchange.body() == {"a": 1}
