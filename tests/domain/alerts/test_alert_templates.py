"""Alert templates: what they store, how a new alert starts from one, and their placeholders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from domain.alerts.alert_events import PLACE, TIME, WHO
from domain.alerts.alert_problems import alert_problems
from domain.alerts.alert_templates import (
    KIND,
    alert_templates,
    delete_template,
    demo_templates,
    fill_placeholders,
    open_placeholders,
    remember_sender,
    save_template,
    start_from_template,
    versions,
    with_sender,
)
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.contradictions import advice
from domain.alerts.wording.wording_checks import wording_checks
from journal import Actor, JournalError, NameTaken
from tests.prepared_journal import new_journal

_VALUES = {WHO: "Boulder OEM", PLACE: "Boulder, CO", TIME: "6:15 pm"}
WHOLE = AlertDraft(
    category="Infra",
    event="Gas Leak",
    urgency="Immediate",
    severity="Severe",
    certainty="Observed",
    hours=6,
    type=2,
    sms="City: gas leak at [street]. Leave. Until [time].",
    instructions="Leave [street] on foot.",
    notification_event_id=7,
    category_id=8,
    jurisdiction="some",
    regions=[80302],
    groups=[3],
    goes_on=True,
    stage="review",
    checked=True,
    follows=5,
    follow_up="correction",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Any]:
    """Return a workspace that has only a journal."""
    with new_journal(tmp_path / "journal.sqlite") as journal:
        yield SimpleNamespace(journal=journal, actor=Actor("s", 8800, "ana"), is_demo=False)


def test_a_template_stores_a_whole_alert_and_starts_a_new_draft(workspace: Any) -> None:
    save_template(workspace, WHOLE, "Gas leak")
    (template,) = alert_templates(workspace)
    fresh = start_from_template(template)
    same = set(AlertDraft.model_fields) - {
        *(
            "uid",
            "stage",
            "checked",
            "refused",
            "written_at",
            "follows",
            "follow_up",
            "translation_of",
            "template",
            "placeholders",
        ),
        "template_saved_at",
    }
    assert fresh.template_saved_at == template.saved_at
    assert {name: getattr(fresh, name) for name in same} == {name: getattr(WHOLE, name) for name in same}
    assert (fresh.stage, fresh.checked, fresh.follows, fresh.follow_up) == ("edit", False, None, "")
    assert fresh.uid != WHOLE.uid
    assert fresh.template == ("Gas leak", 1)


def test_saving_a_draft_from_a_template_replaces_the_template(workspace: Any) -> None:
    save_template(workspace, WHOLE, "Gas leak")
    (template,) = alert_templates(workspace)
    first, second = start_from_template(template), start_from_template(template)
    assert save_template(workspace, first.model_copy(update={"hours": 2}), "gas  leak") == 2
    with pytest.raises(NameTaken):
        save_template(workspace, second, "Gas leak")
    with pytest.raises(NameTaken):
        save_template(workspace, WHOLE, "Gas leak")
    assert [each.payload["hours"] for each in versions(workspace, "Gas leak")] == [2, 6]
    older = start_from_template(versions(workspace, "Gas leak")[1], version=2)
    assert save_template(workspace, older, "Gas leak") == 3, "an older version is saved as the newest one"
    with pytest.raises(JournalError, match="has changed since"):
        delete_template(workspace, template)
    delete_template(workspace, *alert_templates(workspace))
    assert alert_templates(workspace) == []


def test_a_template_of_another_version_of_muster_gives_an_error(workspace: Any) -> None:
    workspace.journal.versioned_records.save(workspace.actor, KIND, "Storm", {"event": {"of": "another version"}})
    with pytest.raises(JournalError, match="cannot read"):
        start_from_template(alert_templates(workspace)[0])


def test_a_template_needs_an_event(workspace: Any) -> None:
    with pytest.raises(JournalError, match="event"):
        save_template(workspace, AlertDraft(sms="x"), "Storm")


def test_an_alert_with_open_placeholders_cannot_be_sent(workspace: Any) -> None:
    """Including placeholders of the organization."""
    save_template(workspace, WHOLE, "Gas leak")
    draft = start_from_template(alert_templates(workspace)[0])
    assert open_placeholders(draft) == ["[street]", "[time]"]
    assert "[street]" in str(alert_problems(draft).at(draft.uid, "sms"))
    draft = fill_placeholders(draft, {"[street]": "12th [Avenue]", "[time]": "  "})
    assert (draft.sms, draft.instructions) == (
        "City: gas leak at 12th [Avenue]. Leave. Until [time].",
        "Leave 12th [Avenue] on foot.",
    )
    draft = fill_placeholders(draft, {"[time]": "18:00"})
    assert not alert_problems(draft).at(draft.uid, "sms"), "brackets in an entered value are not a placeholder"


def test_only_whole_names_are_replaced() -> None:
    draft = AlertDraft(sms="In Colorado, not in Colorado Springs or Colorados. Leave Colorado NOW.")
    assert (
        fill_placeholders(draft, {"Colorado": "Utah"}).sms
        == "In Utah, not in Colorado Springs or Colorados. Leave Utah NOW."
    )


def test_the_demo_organization_gets_its_templates_only_once(workspace: Any) -> None:
    workspace.is_demo = True
    found = alert_templates(workspace)
    assert {each.name for each in found} == set(demo_templates())
    for each in found:
        delete_template(workspace, each)
    assert alert_templates(workspace) == []


def test_demo_templates_are_complete_except_for_their_placeholders() -> None:
    found = demo_templates()
    assert len(found) >= 5
    for name, draft in found.items():
        whole = fill_placeholders(draft, dict.fromkeys(open_placeholders(draft), "Main Street"))
        assert not alert_problems(whole), name
        assert advice(whole) == [], name
        filled = fill_placeholders(
            draft, {blank: _VALUES.get(blank, "Main Street") for blank in open_placeholders(draft)}
        )
        assert [check for check in wording_checks(filled, ["Boulder, CO", "Boulder"]) if not check.ok] == [], name


def test_the_sender_defaults_to_the_last_one_of_the_user_or_else_of_a_colleague(workspace: Any) -> None:
    sender = AlertDraft(event="Gas Leak", contact_division="Flint OEM", contact_phone="311")
    assert with_sender(workspace, AlertDraft()).contact_division == ""
    remember_sender(workspace, AlertDraft(event="Gas Leak"))
    remember_sender(workspace, sender)
    remember_sender(workspace, sender.model_copy(update={"contact_phone": "911"}))
    fresh = with_sender(workspace, AlertDraft())
    assert (fresh.contact_division, fresh.contact_phone) == ("Flint OEM", "911")
    ben, cem = (
        SimpleNamespace(journal=workspace.journal, actor=Actor("s", 8800, name), is_demo=False)
        for name in ("ben", "cem")
    )
    assert with_sender(ben, AlertDraft()).contact_division == "Flint OEM"
    remember_sender(ben, AlertDraft(contact_division="Ben's office"))
    assert with_sender(workspace, AlertDraft()).contact_division == "Flint OEM", (
        "the last sender of the user comes before a later one of a colleague"
    )
    assert with_sender(cem, AlertDraft()).contact_division == "Ben's office"
    with_contact = AlertDraft(contact_name="Ben")
    assert with_sender(workspace, with_contact) == with_contact
