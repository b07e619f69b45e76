"""Follow-ups of a sent alert: their recipients, levels, durations, and texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY
from domain.alerts.alert_events import outline_of, starting_wording, usual_levels_of
from domain.alerts.alert_problems import alert_problems
from domain.alerts.draft import (
    ALL_CLEAR,
    CORRECTION,
    EXTENSION,
    FALSE_ALARM,
    SECOND_LANGUAGE,
    UPGRADE,
    AlertDraft,
    FollowUp,
)
from domain.alerts.expiry import ends_at
from domain.alerts.wording.contradictions import advice
from domain.alerts.wording.follow_ups import KINDS, follow_up, follow_up_kinds, is_calm, upgraded
from domain.alerts.wording.wording_checks import FINISHED, HAZARD, PLACE, WHAT_TO_DO, wording_checks

REACH = ["groups", "jurisdiction", "regions", "zip_to_groups", "type", "category"]
SENT = AlertDraft(
    title="Flood",
    text="The river rises.",
    notification_event_id=2,
    category_id=7,
    category="Met",
    event="Flood Warning",
    urgency="Immediate",
    severity="Severe",
    certainty="Observed",
    hours=9,
    sms="Flint OEM: Flood in Flint. Move to higher ground. Stay there until 18:00.",
    instructions="Move cars.",
    type=2,
    groups=[3, 4],
    contact_division="Flint OEM",
    jurisdiction="some",
    regions=[2108],
    zip_to_groups=True,
    stage="review",
    checked=True,
    refused=[("a", "b")],
    goes_on=True,
    translation_of="a1b2",
    not_imported=["<note>: x"],
)
DETROIT = "America/Detroit"
NOON = datetime(2026, 11, 22, 17, tzinfo=UTC)
MORNING = NOON - timedelta(hours=2, minutes=55)  # 9:05 am in Detroit: an alert of 9 hours ends at 6:05 pm


@pytest.mark.parametrize("kind", KINDS)
def test_a_follow_up_is_a_new_draft_with_the_same_recipients(kind: FollowUp) -> None:
    before = SENT.model_copy(deep=True)
    fresh = follow_up(kind, SENT, follows=77, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert before == SENT
    assert {name: getattr(fresh, name) for name in REACH} == {name: getattr(SENT, name) for name in REACH}
    assert fresh.regions is not SENT.regions
    assert fresh.uid != SENT.uid
    assert (fresh.follows, fresh.follow_up) == (77, kind)
    assert (fresh.stage, fresh.checked, fresh.refused) == ("edit", False, [])
    assert fresh.goes_on == (kind in (CORRECTION, EXTENSION, UPGRADE)), (
        "a follow-up that continues the alert keeps its reminder"
    )
    assert (fresh.translation_of, fresh.not_imported) == ("", []), "a follow-up does not copy the links of its alert"
    assert (fresh.notification_event_id, fresh.category_id) == (2, 7)


def test_a_copy_is_a_new_draft() -> None:
    copy = SENT.model_copy(update={"follow_up": SECOND_LANGUAGE, "follows": 77}).copied()
    assert copy.uid != SENT.uid
    assert (copy.follow_up, copy.follows, copy.translation_of, copy.not_imported) == ("", None, "", [])
    assert (copy.sms, copy.goes_on, copy.stage) == (SENT.sms, True, "edit")


@pytest.mark.parametrize(
    ("kind", "title", "sms"),
    [
        (
            CORRECTION,
            "Correction: Flood",
            (
                "CORRECTION from Flint OEM: This replaces our 14:05 alert (Flood Warning). [What is true now.] "
                "Flood in Flint. Move to higher ground. Stay there until 18:00."
            ),
        ),
        (
            FALSE_ALARM,
            "Correction of a false alarm: Flood",
            (
                "CORRECTION from Flint OEM: Disregard our 14:05 alert (Flood Warning). It was a false alarm. "
                "There is no emergency. No action is needed."
            ),
        ),
        (
            ALL_CLEAR,
            "All clear: Flood",
            (
                "ALL CLEAR from Flint OEM: The emergency described in our 14:05 alert (Flood Warning) is over. "
                "No further action is needed."
            ),
        ),
        (
            EXTENSION,
            "Extension: Flood",
            (
                "EXTENSION from Flint OEM: Our 14:05 alert (Flood Warning) remains in effect. Flood in "
                "Flint. Move to higher ground. Stay there until Mon 4 AM EST."
            ),
        ),
    ],
)
def test_each_follow_up_starts_with_its_kind(kind: FollowUp, title: str, sms: str) -> None:
    fresh = follow_up(kind, SENT, follows=77, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert (fresh.title, fresh.sms, fresh.text) == (title, sms, sms)


def test_a_correction_cannot_be_sent_with_an_open_placeholder() -> None:
    fresh = follow_up(CORRECTION, SENT, follows=77)
    assert fresh.instructions == SENT.instructions
    assert fresh.placeholders == ["[What is true now.]"]
    assert alert_problems(fresh).at(fresh.uid, "sms")


@pytest.mark.parametrize("kind", [FALSE_ALARM, ALL_CLEAR])
def test_a_false_alarm_or_all_clear_does_not_look_like_a_second_alert(kind: FollowUp) -> None:
    """For every event: no urgency, no severity, and no instruction to act. It can be sent at once."""
    for category, events in EVENTS_BY_CATEGORY.items():
        if category == "Other":
            continue
        for event in events:
            usual = usual_levels_of(event)
            assert usual is not None
            sent = SENT.model_copy(update={"category": category, "event": event, **usual._asdict()})
            fresh = follow_up(kind, sent, follows=77)
            assert (fresh.urgency, fresh.severity) == ("Past", "Minor")
            assert is_calm(fresh)
            assert fresh.instructions == ""
            assert advice(fresh) == []
            assert not alert_problems(fresh)


def test_an_upgraded_watch_becomes_its_warning_with_its_text_and_levels() -> None:
    watch = SENT.model_copy(
        update={
            "event": "Tornado Watch",
            "title": "Tornado Watch",
            "text": "",
            "sms": outline_of(SENT.model_copy(update={"event": "Tornado Watch"}), "Lyons, CO", "11 AM MST").sms,
            "urgency": "Future",
            "severity": "Extreme",
            "certainty": "Possible",
        }
    )
    fresh = follow_up(UPGRADE, watch, follows=1, sent_at="14:05", place="Lyons, CO", now=NOON, zone="America/Denver")
    assert (fresh.event, fresh.urgency, fresh.severity, fresh.certainty, fresh.hours) == (
        *("Tornado Warning", "Immediate", "Extreme", "Likely"),
        1,
    )
    assert fresh.sms.startswith("UPGRADE from Flint OEM: ")
    assert "Lyons, CO" in fresh.sms
    assert "11 AM" in fresh.sms, "a warning lasts one hour"
    assert fresh.sms.endswith("This Tornado Warning replaces our 14:05 alert (Tornado Watch).")
    assert advice(fresh, now=NOON, zone="America/Denver") == []


def test_an_upgrade_keeps_the_text_and_updates_its_end() -> None:
    """Another event needs new instructions. The rest of the text stays, with the new end."""
    leak = {"event": "Gas Leak", "severity": "Moderate", "sms": "Flint OEM: Gas leak at 5 Elm Street. Use Oak Street."}
    worse = follow_up(UPGRADE, SENT.model_copy(update=leak), at=MORNING, sent_at="14:05", now=NOON, zone=DETROIT)
    assert worse.sms == (
        "UPGRADE from Flint OEM: Gas leak at 5 Elm Street. Use Oak Street. This replaces our 14:05 alert (Gas Leak)."
    )
    assert (worse.severity, worse.instructions, worse.hours) == ("Severe", "Move cars.", 7), (
        "the end of the alert stays"
    )
    watch = SENT.model_copy(update={"event": "Flood Watch", "sms": "Flint OEM: Flood Watch for Elm Park until 6 pm."})
    warning = follow_up(UPGRADE, watch, at=MORNING, sent_at="14:05", now=NOON, zone=DETROIT)
    end = ends_at(warning.hours, NOON, DETROIT)
    assert end is not None
    assert warning.sms == (
        f"UPGRADE from Flint OEM: [What to do now.] Flood Warning for Elm Park until {end.in_text}. This Flood Warning "
        "replaces our 14:05 alert (Flood Watch)."
    )


def test_a_correction_ends_when_its_alert_would_have_ended() -> None:
    assert follow_up(CORRECTION, SENT, at=MORNING, now=NOON, zone=DETROIT).hours == 7
    over = follow_up(CORRECTION, SENT, at=NOON - timedelta(hours=10), now=NOON, zone=DETROIT)
    assert over.hours == SENT.hours


@pytest.mark.parametrize("kind", KINDS)
def test_a_follow_up_stores_the_sent_alert(kind: FollowUp) -> None:
    texts = {"sms": SENT.sms, "instructions": SENT.instructions}
    fresh, is_new = follow_up(kind, SENT), kind == SECOND_LANGUAGE
    assert fresh.sent_texts == ({} if is_new else texts)
    assert (fresh.sent_event, fresh.sent_regions) == (("", []) if is_new else (SENT.event, SENT.regions))


def test_an_upgrade_without_a_matching_warning_raises_severity_and_certainty() -> None:
    leak = SENT.model_copy(update={"event": "Gas Leak", "severity": "Moderate", "certainty": "Possible"})
    assert upgraded(leak) == {
        "event": "Gas Leak",
        "urgency": "Immediate",
        "severity": "Severe",
        "certainty": "Likely",
        "type": 2,
    }


@pytest.mark.parametrize(
    ("event", "severity", "worse"),
    [
        ("Wildfire", "Unknown", "Severe"),
        ("Wildfire", "", "Severe"),
        ("Wildfire", "Minor", "Moderate"),
        ("Winter Storm Watch", "Extreme", "Extreme"),
        ("Winter Storm Watch", "Unknown", "Severe"),
    ],
)
def test_an_upgrade_never_lowers_the_severity(event: str, severity: str, worse: str) -> None:
    assert upgraded(SENT.model_copy(update={"event": event, "severity": severity}))["severity"] == worse


def test_a_watch_sent_as_an_advisory_is_upgraded_to_an_urgent_type() -> None:
    """It must reach people who turned advisories off, and also everyone who got the first alert."""
    watch = SENT.model_copy(update={"event": "Flood Watch", "type": 3})
    assert (upgraded(watch)["event"], upgraded(watch)["type"]) == ("Flood Warning", 2)
    loud = SENT.model_copy(update={"event": "Freeze Watch", "type": 2})
    assert upgraded(loud)["type"] == 2, "although a Freeze Warning is usually an advisory"
    assert upgraded(SENT.model_copy(update={"severity": "Moderate", "type": 5}))["type"] == 2


@pytest.mark.parametrize(
    ("kind", "hours"),
    [(FALSE_ALARM, 1), (ALL_CLEAR, 1), (CORRECTION, 9), (EXTENSION, 9), (SECOND_LANGUAGE, 9), (UPGRADE, 9)],
)
def test_a_false_alarm_or_all_clear_lasts_one_hour_and_others_as_long_as_before(kind: FollowUp, hours: int) -> None:
    assert follow_up(kind, SENT, follows=77).hours == hours


def test_a_corrected_test_has_the_shortest_duration() -> None:
    test = SENT.model_copy(
        update={
            "event": "Routine Weekly Test",
            "sms": "This is a test.",
            "title": "Test",
            "text": "",
            "instructions": "",
        }
    )
    assert follow_up(CORRECTION, test.model_copy(update={"urgency": "Past", "severity": "Minor"}), follows=1).hours == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != SECOND_LANGUAGE])
def test_every_follow_up_of_every_event_is_complete_except_for_its_placeholders(kind: FollowUp) -> None:
    """And free of contradictions, with the levels, hours, and text of its outline, at noon in Flint."""
    for category, events in EVENTS_BY_CATEGORY.items():
        for event in events:
            usual = usual_levels_of(event)
            if category == "Other" or usual is None:
                continue
            at = NOON - timedelta(minutes=30)
            end = ends_at(usual.hours, at, DETROIT)
            assert end is not None
            sms = f"Flint OEM: {event} in Flint. Go in. Until {end.in_text}."
            sent = SENT.model_copy(
                update={"category": category, "event": event, "title": event, "text": "", "sms": sms} | usual._asdict()
            )
            fresh = follow_up(kind, sent, follows=7, at=at, sent_at="11 am", place="Flint, MI", now=NOON, zone=DETROIT)
            assert advice(fresh, now=NOON, zone="America/Detroit") == [], event
            lacking = {check.name for check in wording_checks(fresh, ["Flint"]) if not check.ok}
            assert lacking <= ({FINISHED, HAZARD, WHAT_TO_DO} if fresh.placeholders else set()), (event, fresh.sms)


def test_an_alert_with_the_highest_levels_cannot_be_upgraded() -> None:
    worst = SENT.model_copy(update={"severity": "Extreme", "certainty": "Observed"})
    assert follow_up_kinds(worst) == [EXTENSION, ALL_CLEAR, CORRECTION, FALSE_ALARM, SECOND_LANGUAGE]


def test_an_extension_of_an_extension_names_its_end_once() -> None:
    once = follow_up(EXTENSION, SENT, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    later = NOON + timedelta(hours=8)
    twice = follow_up(EXTENSION, once, at=NOON, sent_at="20:30", now=later, zone="America/Detroit")
    assert twice.title == "Extension: Flood"
    assert twice.sms == (
        "EXTENSION from Flint OEM: Our 20:30 alert (Flood Warning) remains in effect. Flood in Flint. Move "
        "to higher ground. Stay there until Mon 8 PM EST."
    )


def test_an_extension_of_an_extension_names_a_sender_with_a_period_once() -> None:
    sent = SENT.model_copy(update={"contact_division": "St. Paul Fire", "sms": "St. Paul Fire: Flood. Move."})
    once = follow_up(EXTENSION, sent, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    twice = follow_up(EXTENSION, once, at=MORNING, sent_at="20:30", now=MORNING, zone="America/Detroit")
    assert twice.sms == once.sms.replace("14:05", "20:30").replace("Mon 4 AM EST", "Mon 9 AM EST")
    reworded = once.model_copy(update={"sms": "EXTENSION from St. Paul Fire: It lasts. Flood. Move."})
    assert follow_up(EXTENSION, reworded).sms.count("EXTENSION") == 1


def test_an_extension_updates_the_end_in_the_instructions() -> None:
    """If the time of sending or the time zone is unknown, the text stays and a placeholder gives the end."""
    sent = SENT.model_copy(update={"instructions": "Until 6 pm: move cars. Stay there until 18:00."})
    longer = follow_up(EXTENSION, sent, at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.instructions == "Until Mon 4 AM EST: move cars. Stay there until Mon 4 AM EST."
    unknown = follow_up(EXTENSION, sent, at=MORNING, now=NOON)
    assert unknown.instructions == sent.instructions
    assert unknown.placeholders == ["[time]"]


def test_an_extension_changes_only_the_end_of_the_alert_and_no_other_times() -> None:
    texts = {"sms": "Flint OEM: Boil water until 6 p.m. Free water until 20:00.", "instructions": "Clinic until 17:00."}
    longer = follow_up(EXTENSION, SENT.model_copy(update=texts), at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.sms.endswith(" remains in effect. Boil water until Mon 4 AM EST. Free water until 20:00.")
    assert longer.instructions == texts["instructions"]


def test_an_extension_of_a_spanish_alert_states_its_end_in_spanish() -> None:
    sent = SENT.model_copy(update={"sms": "Flint OEM: Hierva el agua hasta las 6 de la tarde."})
    longer = follow_up(EXTENSION, sent, at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.sms.endswith(" remains in effect. Hierva el agua hasta lun 4 AM EST.")


def test_an_extension_of_an_upgrade_does_not_mention_the_upgrade() -> None:
    """The event is the warning, not the earlier watch. The sender stays the same."""
    skeleton = starting_wording("Tornado Watch")
    assert skeleton is not None
    watch = SENT.model_copy(update={"event": "Tornado Watch", "sms": skeleton.sms, "title": "", "contact_division": ""})
    worse = follow_up(UPGRADE, watch, follows=1, sent_at="14:05", place="Lyons", now=NOON, zone="America/Denver")
    assert worse.title == "Upgrade: Tornado Warning"
    written = worse.model_copy(update={"sms": worse.sms.replace("[who]", "Flint OEM"), "text": ""})
    longer = follow_up(EXTENSION, written, follows=2, sent_at="10:30 am", now=NOON, zone="America/Denver")
    assert longer.title == "Extension: Tornado Warning"
    assert longer.sms == (
        "EXTENSION from Flint OEM: Our 10:30 am alert (Tornado Warning) remains in effect. Tornado near Lyons "
        "until 11 AM MST. Take shelter now: basement or interior room on the lowest floor, away from windows. Cover "
        "your head."
    )


def test_without_a_contact_the_sender_is_taken_from_the_text() -> None:
    """Only the recognizable name of an office counts. Otherwise the sender is a placeholder."""
    sent = SENT.model_copy(update={"contact_division": ""})
    longer = follow_up(EXTENSION, sent, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert longer.sms == (
        "EXTENSION from Flint OEM: Our 14:05 alert (Flood Warning) remains in effect. Flood in Flint. "
        "Move to higher ground. Stay there until Mon 4 AM EST."
    )
    assert longer.placeholders == []
    for head, speaker in {
        "City of Flint": "City of Flint",
        "Boulder Fire": "Boulder Fire",
        "Highway 36": "[who]",
        "Power is out": "[who]",
    }.items():
        other = sent.model_copy(update={"sms": f"{head}: Stay away until 18:00."})
        assert follow_up(EXTENSION, other).sms.startswith(f"EXTENSION from {speaker}: "), head


def test_the_name_of_a_wildfire_is_not_used_as_the_sender() -> None:
    sms = "Dixie Fire: evacuate Greenville now. Until 18:00."
    sent = AlertDraft(category="Fire", event="Wildfire", sms=sms)
    assert follow_up(ALL_CLEAR, sent).sms.startswith("ALL CLEAR from [who]: ")
    assert follow_up(ALL_CLEAR, sent.model_copy(update={"contact_name": "Ana"})).sms.startswith("ALL CLEAR from Ana: ")


def test_an_alert_in_another_language_starts_without_a_text() -> None:
    fresh = follow_up(SECOND_LANGUAGE, SENT, follows=77)
    assert (fresh.title, fresh.sms, fresh.instructions, fresh.text) == ("", "", "", "")
    assert (fresh.event, fresh.severity, fresh.hours) == ("Flood Warning", "Severe", 9)


def test_an_all_clear_can_be_corrected_but_not_upgraded() -> None:
    assert follow_up_kinds(follow_up(ALL_CLEAR, SENT)) == [CORRECTION, SECOND_LANGUAGE]


def test_every_kind_of_follow_up_is_declared() -> None:
    assert set(KINDS) == set(get_args(FollowUp)) - {""}


def test_a_correction_of_a_correction_has_one_prefix() -> None:
    twice = follow_up(CORRECTION, follow_up(FALSE_ALARM, SENT, follows=1), follows=2)
    assert twice.title == "Correction: Flood"
    assert twice.follows == 2


def test_a_correction_of_an_empty_alert_has_whole_sentences() -> None:
    fresh = follow_up(CORRECTION, AlertDraft(), follows=1)
    assert fresh.title == "Correction"
    assert fresh.sms.startswith("CORRECTION from [who]: This replaces our alert. ")


def test_a_correction_of_a_test_is_a_test() -> None:
    test = {"category": "Other", "event": "Routine Weekly Test", "sms": "This is a test.", "title": "Test", "text": ""}
    levels = {"urgency": "Past", "severity": "Minor", "certainty": "Unknown", "instructions": ""}
    sent = SENT.model_copy(update=test | levels)
    assert follow_up_kinds(sent) == [CORRECTION]
    fresh = follow_up(CORRECTION, sent, follows=1)
    assert fresh.sms.startswith("CORRECTION from Flint OEM: Our alert (Routine Weekly Test) was a test.")
    assert fresh.is_test
    warned = follow_up(CORRECTION, sent.model_copy(update={"sms": "Move to higher ground."}), follows=1)
    assert "It was a test" not in warned.sms, "the text of the alert is not that of a test"
    assert "[What is true now.]" in warned.sms


@pytest.mark.parametrize("kind", [CORRECTION, FALSE_ALARM, ALL_CLEAR])
def test_a_correction_or_all_clear_names_the_place_of_its_alert(kind: FollowUp) -> None:
    fresh = follow_up(kind, SENT, follows=77, sent_at="14:05", place="Flint, MI", now=NOON)
    assert "our 14:05 alert (Flood Warning) for Flint, MI" in fresh.sms
    assert PLACE not in {check.name for check in wording_checks(fresh, ["Flint"]) if not check.ok}


def test_an_extension_starts_at_the_end_of_its_alert() -> None:
    """Sent at 9:05 for 9 hours and extended at noon: 6 h 5 min remain, and 9 more hours follow."""
    longer = follow_up(EXTENSION, SENT, at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.extends_until == MORNING + timedelta(hours=9)
    assert longer.hours == 7 + 9
    assert longer.end_written is not None, "the end in the text follows the duration"
    now = datetime.now(UTC)
    running = longer.model_copy(update={"extends_until": now + timedelta(hours=6, minutes=5)})
    for hours, is_too_short in ((6, True), (7, False)):
        problems = alert_problems(running.model_copy(update={"hours": hours})).at(running.uid, "hours")
        assert any("Select 7 hours or more" in words for words in problems) is is_too_short
    assert follow_up(EXTENSION, SENT, at=MORNING, now=MORNING + timedelta(hours=10), zone="America/Detroit").hours == 9
