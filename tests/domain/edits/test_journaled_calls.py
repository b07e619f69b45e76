"""Every call is recorded before and after it is made, with any outcome."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import SQLAlchemyError

from client import (
    ConnectionFailed,
    Duplicate,
    Invalid,
    ModificationResult,
    NotAuthenticated,
    OutcomeUnknown,
    TimedOut,
    UndecodableAnswer,
)
from domain.edits.journaled_calls import call_with_journal
from journal import Actor, Entry, Journal, RosterNameTaken
from tests.journal.conftest import ANA
from tests.prepared_journal import new_journal


@dataclass
class Context:
    journal: Journal
    actor: Actor = ANA


@pytest.fixture
def context(tmp_path: Path) -> Any:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield Context(journal)


def make_call(context: Context, call: Any, **more: Any) -> Any:
    details = {"subject_kind": "itinerary", "subject_id": None, "subject_name": "WSVM7K", "request": {"a": 1}}
    return call_with_journal(context, "itinerary.create", **{**details, **more}, call=call)


def read_only_entry(context: Context) -> Entry:
    [entry] = context.journal.audit.list(ANA.service, ANA.organization_id)
    return entry


def build_failing_call(error: BaseException) -> Any:
    def call() -> None:
        raise error

    return call


def test_the_entry_is_written_before_the_call(context: Context) -> None:
    def call() -> str:
        assert read_only_entry(context).state == "started"
        return "done"

    assert make_call(context, call) == "done"
    assert read_only_entry(context).state == "succeeded"


def test_a_success_records_the_response_and_the_new_id(context: Context) -> None:
    result = ModificationResult.model_validate(
        {"message": "OK", "id": 2**60, "baseUri": "http://s/i/8800/", "instanceUri": f"http://s/i/8800/{2**60}"}
    )
    assert make_call(context, lambda: result) is result
    entry = read_only_entry(context)
    assert entry.subject_id == str(2**60)
    assert entry.answer is not None
    assert entry.answer["id"] == 2**60


def test_the_id_of_a_known_subject_is_unchanged(context: Context) -> None:
    make_call(context, lambda: ModificationResult.model_validate({"message": "OK", "id": 9}), subject_id="7")
    assert read_only_entry(context).subject_id == "7"


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (NotAuthenticated("no", sent=True), "refused"),
        (Invalid("no", sent=True), "refused"),
        (Duplicate("no", sent=True), "refused"),
        (RosterNameTaken("x"), "refused"),
        (Invalid("seen here", sent=False), "not sent"),
        (ConnectionFailed("no way", sent=False), "not sent"),
        (OutcomeUnknown("lost"), "unknown"),
        (TimedOut("late"), "unknown"),
        (UndecodableAnswer("what?", sent=True), "unknown"),
        (ValueError("a bug"), "unknown"),
        (KeyboardInterrupt(), "unknown"),
    ],
)
def test_an_exception_is_recorded_and_raised_again(context: Context, error: BaseException, state: str) -> None:
    with pytest.raises(type(error)) as raised:
        make_call(context, build_failing_call(error))
    assert raised.value is error
    entry = read_only_entry(context)
    assert entry.state == state
    assert entry.message
    assert entry.finished_at is not None


def test_a_rejection_records_the_http_status_and_the_text(context: Context) -> None:
    with pytest.raises(Invalid):
        make_call(
            context,
            build_failing_call(Invalid("Field pnr is empty.", status=400, answer_text='{"message": "…"}', sent=True)),
        )
    entry = read_only_entry(context)
    assert entry.answer == {"status": 400, "text": '{"message": "…"}'}
    assert entry.message == "Field pnr is empty."


def test_no_call_is_made_if_the_journal_cannot_be_written(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(context.journal.audit, "begin", build_failing_method(SQLAlchemyError("disk full")))
    with pytest.raises(SQLAlchemyError):
        make_call(context, lambda: calls.append(1))
    assert calls == []


def test_a_change_succeeds_even_if_its_outcome_cannot_be_recorded(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context.journal.audit, "finish", build_failing_method(SQLAlchemyError("disk full")))
    assert make_call(context, lambda: "made") == "made"
    assert read_only_entry(context).state == "started"


def test_a_roster_is_recorded_without_its_database_access(context: Context) -> None:
    make_call(context, lambda: context.journal.rosters.create(ANA, "Sales", []), subject_kind="roster")
    answer = read_only_entry(context).answer
    assert answer is not None
    assert answer["name"] == "Sales"
    assert "_read_entries" not in answer


def build_failing_method(error: Exception) -> Any:
    def method(*_: Any, **__: Any) -> None:
        raise error

    return method
