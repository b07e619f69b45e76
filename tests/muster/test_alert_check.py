"""`python -m muster check-alert`: the drafts of a file, the output, and the exit code."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.bundled_places import bundled_catalog
from domain.alerts.sending.hints import find_hints
from muster.commands import main

TORNADO: dict[str, Any] = {
    "event": "Tornado Warning",
    "sms": "City of Lyons: Tornado near Lyons. Take shelter now, in a basement. Until 7 PM.",
    "places": ["Lyons, CO"],
    "hours": 1,
    "now": "2026-11-20T18:05",
}
WRONG: dict[str, Any] = {**TORNADO, "sms": "City of Lyons: Flooding in Lyons. Move uphill now. Until 9 PM."}


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], document: Any, *options: str) -> tuple[int, str, str]:
    """Run the command on a file with this content, and return its exit code and output."""
    path = tmp_path / "drafts.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    code = main(["check-alert", str(path), *options])
    out, err = capsys.readouterr()
    return code, out, err


def test_each_draft_is_listed_with_the_hints_of_the_composer(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(tmp_path, capsys, [TORNADO, WRONG], "--json")
    quiet, hinted = map(json.loads, out.splitlines())
    assert (code, quiet["hints"], quiet["missing"]) == (4, [], [])
    lyons = bundled_catalog().search.find_exact("Lyons", ["CO"])[0].id
    at = datetime(2026, 11, 21, 1, 5, tzinfo=UTC)
    draft = AlertDraft(event="Tornado Warning", sms=WRONG["sms"], jurisdiction="some", regions=[lyons], hours=1)
    draft = draft.model_copy(
        update={"urgency": "Immediate", "severity": "Extreme", "certainty": "Likely", "type": 2, "written_at": at}
    )
    hints = find_hints(draft, bundled_catalog(), now=at, zone="America/Denver")
    assert len(hints.advice) == 2
    assert hinted["hints"] == [
        {"message": each.words, "fixes": [fix.label for fix in each.fixes]} for each in hints.advice
    ]


def test_the_text_for_people_lists_hints_below_their_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(tmp_path, capsys, {**WRONG, "sms": TORNADO["sms"]})
    assert (code, out.splitlines()) == (
        0,
        ["1. Tornado Warning: City of Lyons: Tornado near Lyons. Take shelter now, in a b…", "   - No hints."],
    )


def test_a_follow_up_has_the_place_and_levels_of_the_alert_that_it_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    clear = {
        "event": "Tornado Warning",
        "sms": "ALL CLEAR from City of Lyons: The tornado near Lyons is over. No further action is needed.",
        "now": "2026-11-20T18:50",
        "follows": {"kind": "all clear", **TORNADO},
    }
    assert run(tmp_path, capsys, clear)[0] == 0
    code, out, _ = run(tmp_path, capsys, {**clear, "urgency": "Immediate"}, "--json")
    assert (code, [each["fixes"] for each in json.loads(out)["hints"]]) == (4, [["Change to Past"]])


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, out, err = run(tmp_path, capsys, "{")
    assert (code, out) == (2, "")
    assert "drafts.json is not JSON in UTF-8. Check its brackets and quotation marks." in err


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("Tornado", "The entry is not a draft. Write an object in braces: {…}."),
        ({**TORNADO, "place": "Lyons, CO"}, "“place” is not a key of a draft. Remove it, or correct its spelling."),
        ({"sms": "Go inside."}, "The draft has no “event”. Add the key."),
        ({**TORNADO, "hours": "two"}, "“hours” needs a whole number."),
        ({**TORNADO, "follows": TORNADO | {"kind": "end"}}, "“kind” of “follows” needs one of the values"),
        ({**TORNADO, "event": "Tornado"}, "“Tornado” is not one of the values of “event”."),
        ({**TORNADO, "places": ["Atlantis, CO"]}, "No place is called “Atlantis, CO”."),
        ({**TORNADO, "places": ["Springfield"]}, "“Springfield” is in "),
        ({**TORNADO, "zone": "Mars"}, "“Mars” is not a time zone. Use a name such as America/Denver."),
        ({**TORNADO, "live": False}, "“live” is false, but Tornado Warning is a live event."),
    ],
)
def test_a_draft_that_cannot_be_checked_is_reported_and_the_others_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: Any, message: str
):
    code, out, _ = run(tmp_path, capsys, [entry, TORNADO], "--json")
    unchecked, checked = map(json.loads, out.splitlines())
    assert (code, unchecked.keys(), checked["draft"], checked["hints"]) == (4, {"draft", "error"}, 2, [])
    assert unchecked["error"].startswith(message)
    code, out, _ = run(tmp_path, capsys, [entry, TORNADO])
    assert (code, out.startswith(f"1. Not checked: {message}")) == (4, True)


def test_a_file_without_drafts_has_its_own_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path, capsys, [])[0] == 3
