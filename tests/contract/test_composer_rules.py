"""The rules of public alerts in the document: composer, client, and service apply them equally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import pytest

from client import Invalid
from client.classify import classify
from client.models.notifications import PublicAlert
from client.models.public_alert_rules import ALERT_PATH, public_alert_problems
from domain.alerts.alert_problems import alert_problems, field_of_path
from domain.alerts.draft import AlertDraft
from tests.running_service import RunningService
from tests.service.interface_document import events_by_category, exact_words, fields

Payload = dict[str, Any]

VALID: dict[str, Any] = {
    "category": "Met",
    "event": "Flood Warning",
    "urgency": "Immediate",
    "severity": "Severe",
    "certainty": "Observed",
    "hours": 12,
    "sms": "Flint OEM: Flood in Flint. Move to high ground until 18:00.",
    "type": 2,
}
EVENTS = events_by_category()
PHONE_LENGTHS = {2: False, 3: True, 4: False, 9: False, 10: True, 11: False}


@dataclass(frozen=True)
class Case:
    """A draft, and the field of the interface with its error, or None for a valid draft."""

    changes: dict[str, Any]
    error_field: str | None = None

    @property
    def draft(self) -> AlertDraft:
        return AlertDraft(**(VALID | self.changes))

    def payload(self, group: int) -> Payload:
        """Return the payload of this draft, built without the code that sends it."""
        values = VALID | self.changes
        payload = {name: values[name] for name in ("category", "event", "urgency", "severity", "certainty", "type")}
        payload |= {"action": "create", "smsMessage": values["sms"], "expire": str(values["hours"])}
        community = {
            name: values[field]
            for name, field in (
                ("contactName", "contact_name"),
                ("contactPhone", "contact_phone"),
                ("jurisdictionType", "jurisdiction"),
            )
            if values.get(field)
        }
        if community:
            payload["community"] = community
        if values.get("groups"):
            payload["eventGroups"] = [group]
        if values.get("zip_to_groups"):
            payload["applyZipCodeToEventGroups"] = True
        return payload


def list_values(field: str) -> list[str]:
    """Return the values that the document lists for a field."""
    return exact_words(fields("Public-alert message")[field][3])


def vary_case(word: str) -> Iterator[str]:
    yield from sorted({word.lower(), word.upper(), word.swapcase(), word.capitalize()} - {word})


@pytest.fixture(scope="module")
def group(demo_copy: RunningService) -> int:
    """An event group that the service offers."""
    return int(demo_copy.http.get(f"/publicEventGroups/{demo_copy.organization_id}").json()[0]["id"])


def assert_all_agree(service: RunningService, group: int, cases: Iterable[Case]) -> None:
    """Assert that composer, client, and service find the expected error of each case."""
    cases = list(cases)
    assert cases

    def check_with_service(case: Case) -> Exception | None:
        body = {"publicMessages": {"publicAlertMessage": case.payload(group)}}
        answer = service.http.post("/notifications", json=body)
        return classify(answer.status_code, answer.content)

    with ThreadPoolExecutor(8) as threads:
        errors = list(threads.map(check_with_service, cases))
    wrong = []
    for case, error in zip(cases, errors, strict=True):
        draft = case.draft.model_copy(update={"groups": [group] if case.draft.groups else []})
        path = f"{ALERT_PATH}.{case.error_field}" if case.error_field else None
        expected = [path] if path else []
        by_client = [
            problem.field for problem in public_alert_problems(PublicAlert.model_validate(case.payload(group)))
        ]
        at_service = [problem.field for problem in error.field_errors] if isinstance(error, Invalid) else error
        # Only the composer refuses an alert without recipients.
        in_composer = {slot for slot, words in alert_problems(draft).of(draft.uid) if "no recipients" not in words}
        if (by_client, at_service or [], in_composer) != (
            expected,
            expected,
            {field_of_path(each) for each in expected},
        ):
            wrong.append((case, by_client, at_service, in_composer))
    assert wrong == []


def test_the_document_has_twelve_categories() -> None:
    assert len(EVENTS) == 12
    assert sorted(list_values("category")) == sorted(EVENTS)


def test_every_event_is_accepted_under_each_category_that_lists_it(demo_copy: RunningService, group: int) -> None:
    assert_all_agree(
        demo_copy,
        group,
        (
            Case({"category": category, "event": event, "groups": [1]})
            for category, events in EVENTS.items()
            for event in events
        ),
    )


def test_every_event_is_refused_under_a_category_that_does_not_list_it(demo_copy: RunningService, group: int) -> None:
    # Another test compares the table of events with the document, so one case per event and category is enough.
    categories = cycle(EVENTS)
    refused = {
        event: next(category for category in categories if event not in EVENTS[category])
        for event in sorted({event for events in EVENTS.values() for event in events})
    }
    assert {*refused.values()} == {*EVENTS}
    assert_all_agree(
        demo_copy,
        group,
        (Case({"category": category, "event": event}, error_field="event") for event, category in refused.items()),
    )


@pytest.mark.parametrize("field", ["category", "urgency", "severity", "certainty"])
def test_every_value_is_accepted_as_written_and_refused_in_the_wrong_case(
    demo_copy: RunningService, group: int, field: str
) -> None:
    words = list_values(field)
    assert len(words) == (12 if field == "category" else 5)
    if field != "category":
        assert_all_agree(demo_copy, group, (Case({field: word}) for word in words))
    # With an unknown category, the event is not checked.
    assert_all_agree(
        demo_copy, group, (Case({field: wrong}, error_field=field) for word in words for wrong in vary_case(word))
    )


def test_an_event_is_refused_in_the_wrong_case(demo_copy: RunningService, group: int) -> None:
    assert_all_agree(
        demo_copy,
        group,
        (
            Case({"category": category, "event": wrong}, error_field="event")
            for category, events in EVENTS.items()
            for event in (events[0], events[-1])
            for wrong in (event.upper(), event.lower())
            if wrong not in events
        ),
    )


def test_the_jurisdiction_is_refused_in_the_wrong_case(demo_copy: RunningService, group: int) -> None:
    assert_all_agree(demo_copy, group, [Case({"jurisdiction": "all"})])
    assert_all_agree(
        demo_copy,
        group,
        (
            Case({"jurisdiction": wrong}, error_field="community.jurisdictionType")
            for word in ("all", "some")
            for wrong in (*vary_case(word), "none")
        ),
    )


def test_only_the_types_of_the_document_are_accepted(demo_copy: RunningService, group: int) -> None:
    numbers = [int(word) for word in list_values("type")]
    assert numbers == [2, 3, 5]
    assert_all_agree(demo_copy, group, (Case({"type": number}) for number in numbers))
    assert_all_agree(
        demo_copy,
        group,
        (Case({"type": number}, error_field="type") for number in range(-1, 8) if number not in numbers),
    )


def test_an_alert_lasts_1_to_24_hours(demo_copy: RunningService, group: int) -> None:
    assert_all_agree(demo_copy, group, (Case({"hours": hours}) for hours in (1, 24)))
    assert_all_agree(demo_copy, group, (Case({"hours": hours}, error_field="expire") for hours in (-1, 0, 25, 240)))


def test_a_contact_phone_has_3_or_10_digits(demo_copy: RunningService, group: int) -> None:
    at = "community.contactPhone"
    assert_all_agree(
        demo_copy,
        group,
        (
            Case({"contact_phone": "5" * length}, error_field=None if allowed else at)
            for length, allowed in PHONE_LENGTHS.items()
        ),
    )
    letters = ("abc", "91a", "555123456x", "555-123456", "+15551234", "٩١١", "5 1")
    assert_all_agree(demo_copy, group, (Case({"contact_phone": phone}, error_field=at) for phone in letters))


@pytest.mark.parametrize("is_requested", [True, False])
def test_the_zip_flag_is_allowed_only_with_community_and_event_groups(
    demo_copy: RunningService, group: int, is_requested: bool
) -> None:
    at = "applyZipCodeToEventGroups"
    assert_all_agree(
        demo_copy,
        group,
        (
            Case(
                {"groups": groups, **community, "zip_to_groups": is_requested},
                error_field=at if is_requested and not (groups and community) else None,
            )
            for groups in ([], [1])
            for community in ({}, {"contact_name": "Ana Silva"}, {"jurisdiction": "all"})
        ),
    )


def test_composer_client_and_service_report_a_missing_required_field(demo_copy: RunningService, group: int) -> None:
    empty = {"category": "", "event": "", "urgency": "", "severity": "", "certainty": "", "sms": "  ", "type": None}
    names = {"sms": "smsMessage"}
    required = {name for name, row in fields("Public-alert message").items() if row[2] == "yes"}
    assert {names.get(name, name) for name in empty} | {"expire", "action"} == required
    assert_all_agree(
        demo_copy, group, (Case({name: value}, error_field=names.get(name, name)) for name, value in empty.items())
    )
