"""Follow-ups of a sent alert: the same people, the levels that are true now, and words that say how it goes on."""

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
    beside="a1b2",
    lost=["<note>: x"],
)
DETROIT = "America/Detroit"
NOON = datetime(2026, 11, 22, 17, tzinfo=UTC)
MORNING = NOON - timedelta(hours=2, minutes=55)  # 9:05 am in Detroit: of nine hours, the end is 6:05 pm


@pytest.mark.parametrize("kind", KINDS)
def test_a_follow_up_reaches_the_same_people_and_is_a_draft_of_its_own(kind: FollowUp) -> None:
    before = SENT.model_copy(deep=True)
    fresh = follow_up(kind, SENT, follows=77, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert before == SENT
    assert {name: getattr(fresh, name) for name in REACH} == {name: getattr(SENT, name) for name in REACH}
    assert fresh.regions is not SENT.regions
    assert fresh.uid != SENT.uid
    assert (fresh.follows, fresh.follow_up) == (77, kind)
    assert (fresh.stage, fresh.checked, fresh.refused) == ("edit", False, [])
    assert fresh.goes_on == (kind in (CORRECTION, EXTENSION, UPGRADE)), "what takes its place and is not over"
    assert (fresh.beside, fresh.lost) == ("", []), "what it was beside, and opened from, is its own"
    assert (fresh.notification_event_id, fresh.category_id) == (2, 7), "filed beside it"


def test_a_copy_is_a_draft_of_its_own() -> None:
    copy = SENT.model_copy(update={"follow_up": SECOND_LANGUAGE, "follows": 77}).copied()
    assert copy.uid != SENT.uid
    assert (copy.follow_up, copy.follows, copy.beside, copy.lost) == ("", None, "", [])
    assert (copy.sms, copy.goes_on, copy.stage) == (SENT.sms, True, "edit")


@pytest.mark.parametrize(
    ("kind", "title", "sms"),
    [
        (
            CORRECTION,
            "Correction: Flood",
            (
                "CORRECTION from Flint OEM: This replaces our alert of 14:05 (Flood Warning). [What is true now.] "
                "Flood in Flint. Move to higher ground. Stay there until 18:00."
            ),
        ),
        (
            FALSE_ALARM,
            "Correction of a false alarm: Flood",
            (
                "CORRECTION from Flint OEM: Disregard our alert of 14:05 (Flood Warning). It was sent by mistake. "
                "There is no emergency. You need not do anything."
            ),
        ),
        (
            ALL_CLEAR,
            "All clear: Flood",
            (
                "ALL CLEAR from Flint OEM: What our alert of 14:05 (Flood Warning) warned of is over. You need not do "
                "anything more."
            ),
        ),
        (
            EXTENSION,
            "Extension: Flood",
            (
                "EXTENDED from Flint OEM: Our alert of 14:05 (Flood Warning) goes on until Mon 4 AM EST. Flood in "
                "Flint. Move to higher ground. Stay there until Mon 4 AM EST."
            ),
        ),
    ],
)
def test_each_says_in_its_first_word_what_it_is(kind: FollowUp, title: str, sms: str) -> None:
    fresh = follow_up(kind, SENT, follows=77, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert (fresh.title, fresh.sms, fresh.text) == (title, sms, sms)


def test_a_correction_cannot_go_out_before_it_says_what_is_true() -> None:
    fresh = follow_up(CORRECTION, SENT, follows=77)
    assert fresh.instructions == SENT.instructions
    assert fresh.blanks == ["[What is true now.]"], "it has a field to be filled in"
    assert alert_problems(fresh).at(fresh.uid, "sms")


@pytest.mark.parametrize("kind", [FALSE_ALARM, ALL_CLEAR])
def test_what_takes_an_alarm_back_neither_reads_nor_counts_as_a_second_one(kind: FollowUp) -> None:
    """For every event: no urgency, no severity, no word that tells people to act; and it can go out at once."""
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


def test_a_watch_becomes_its_warning_with_its_words_and_levels() -> None:
    watch = SENT.model_copy(
        update={
            "event": "Tornado Watch",
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
    assert "11 AM" in fresh.sms, "of the hour that a warning lasts"
    assert fresh.sms.endswith("This Tornado Warning replaces our alert of 14:05 (Tornado Watch).")
    assert advice(fresh, now=NOON, zone="America/Denver") == []


def test_an_upgrade_keeps_the_text_and_changes_what_changed() -> None:
    """Another event asks for what to do now; the rest of what was known stays, with the end that is true now."""
    leak = {"event": "Gas Leak", "severity": "Moderate", "sms": "Flint OEM: Gas leak at 5 Elm Street. Use Oak Street."}
    worse = follow_up(UPGRADE, SENT.model_copy(update=leak), at=MORNING, sent_at="14:05", now=NOON, zone=DETROIT)
    assert worse.sms == (
        "UPGRADE from Flint OEM: Gas leak at 5 Elm Street. Use Oak Street. This replaces our alert of 14:05 (Gas Leak)."
    )
    assert (worse.severity, worse.instructions, worse.hours) == ("Severe", "Move cars.", 7), "it ends as it would have"
    watch = SENT.model_copy(update={"event": "Flood Watch", "sms": "Flint OEM: Flood Watch for Elm Park until 6 pm."})
    warning = follow_up(UPGRADE, watch, at=MORNING, sent_at="14:05", now=NOON, zone=DETROIT)
    end = ends_at(warning.hours, NOON, DETROIT)
    assert end is not None
    assert warning.sms == (
        f"UPGRADE from Flint OEM: [What to do now.] Flood Warning for Elm Park until {end.in_text}. This Flood Warning "
        "replaces our alert of 14:05 (Flood Watch)."
    )


def test_a_correction_ends_when_the_alert_would_have_so_that_its_text_stays_true() -> None:
    assert follow_up(CORRECTION, SENT, at=MORNING, now=NOON, zone=DETROIT).hours == 7
    over = follow_up(CORRECTION, SENT, at=NOON - timedelta(hours=10), now=NOON, zone=DETROIT)
    assert over.hours == SENT.hours


@pytest.mark.parametrize("kind", KINDS)
def test_a_follow_up_knows_the_text_that_was_sent(kind: FollowUp) -> None:
    texts = {"sms": SENT.sms, "instructions": SENT.instructions}
    assert follow_up(kind, SENT).sent_texts == ({} if kind == SECOND_LANGUAGE else texts)


def test_what_has_no_warning_of_its_own_becomes_more_severe_and_more_certain() -> None:
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


def test_a_watch_sent_as_an_advisory_becomes_a_warning_that_phones_let_through() -> None:
    """Who turned advisories off has to hear that it happens; who heard the first is not left out."""
    watch = SENT.model_copy(update={"event": "Flood Watch", "type": 3})
    assert (upgraded(watch)["event"], upgraded(watch)["type"]) == ("Flood Warning", 2)
    loud = SENT.model_copy(update={"event": "Freeze Watch", "type": 2})
    assert upgraded(loud)["type"] == 2, "though a freeze warning is an advisory by itself"
    assert upgraded(SENT.model_copy(update={"severity": "Moderate", "type": 5}))["type"] == 2


@pytest.mark.parametrize(
    ("kind", "hours"),
    [(FALSE_ALARM, 1), (ALL_CLEAR, 1), (CORRECTION, 9), (EXTENSION, 9), (SECOND_LANGUAGE, 9), (UPGRADE, 9)],
)
def test_what_is_over_lasts_as_short_as_may_be_and_what_goes_on_as_long_as_before(kind: FollowUp, hours: int) -> None:
    assert follow_up(kind, SENT, follows=77).hours == hours


def test_the_corrected_test_is_as_short() -> None:
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
def test_every_follow_up_of_every_event_contradicts_nothing_and_lacks_nothing_but_its_blanks(kind: FollowUp) -> None:
    """Levels, hours and words of the beginning itself, at noon in Flint."""
    for category, events in EVENTS_BY_CATEGORY.items():
        for event in events:
            usual = usual_levels_of(event)
            if category == "Other" or usual is None:
                continue
            at = NOON - timedelta(minutes=30)
            end = ends_at(usual.hours, at, DETROIT)
            assert end is not None
            sms = f"Flint OEM: {event} in Flint. Go in. Until {end.in_text}."
            sent = SENT.model_copy(update={"category": category, "event": event, "sms": sms} | usual._asdict())
            fresh = follow_up(kind, sent, follows=7, at=at, sent_at="11 am", place="Flint, MI", now=NOON, zone=DETROIT)
            assert advice(fresh, now=NOON, zone="America/Detroit") == [], event
            lacking = {check.name for check in wording_checks(fresh, ["Flint"]) if not check.ok}
            assert lacking <= ({FINISHED, HAZARD, WHAT_TO_DO} if fresh.blanks else set()), (event, fresh.sms)


def test_an_alert_at_its_worst_is_not_offered_to_be_upgraded() -> None:
    worst = SENT.model_copy(update={"severity": "Extreme", "certainty": "Observed"})
    assert follow_up_kinds(worst) == [EXTENSION, ALL_CLEAR, CORRECTION, FALSE_ALARM, SECOND_LANGUAGE]


def test_an_extension_of_an_extension_names_its_end_once() -> None:
    once = follow_up(EXTENSION, SENT, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    later = NOON + timedelta(hours=8)
    twice = follow_up(EXTENSION, once, at=NOON, sent_at="20:30", now=later, zone="America/Detroit")
    assert twice.title == "Extension: Flood"
    assert twice.sms == (
        "EXTENDED from Flint OEM: Our alert of 20:30 (Flood Warning) goes on until Mon 8 PM EST. Flood in Flint. Move "
        "to higher ground. Stay there until Mon 8 PM EST."
    )


def test_an_extension_of_an_extension_names_whoever_speaks_once_where_a_full_stop_is_in_the_name() -> None:
    sent = SENT.model_copy(update={"contact_division": "St. Paul Fire", "sms": "St. Paul Fire: Flood. Move."})
    once = follow_up(EXTENSION, sent, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    twice = follow_up(EXTENSION, once, at=MORNING, sent_at="20:30", now=MORNING, zone="America/Detroit")
    assert twice.sms == once.sms.replace("14:05", "20:30").replace("Mon 4 AM EST", "Mon 9 AM EST")
    reworded = once.model_copy(update={"sms": "EXTENDED from St. Paul Fire: It lasts. Flood. Move."})
    assert follow_up(EXTENSION, reworded).sms.count("EXTENDED") == 1


def test_an_extension_names_its_own_end_in_the_instructions_too() -> None:
    """Where it is not known when the alert was sent, or on which clocks, its text stays and a blank tells the end."""
    sent = SENT.model_copy(update={"instructions": "Until 6 pm: move cars. Stay there until 18:00."})
    longer = follow_up(EXTENSION, sent, at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.instructions == "Until Mon 4 AM EST: move cars. Stay there until Mon 4 AM EST."
    unknown = follow_up(EXTENSION, sent, at=MORNING, now=NOON)
    assert unknown.instructions == sent.instructions
    assert unknown.blanks == ["[time]"]


def test_an_extension_extends_the_alert_and_not_what_else_its_texts_tell_an_end_of() -> None:
    texts = {"sms": "Flint OEM: Boil water until 6 p.m. Free water until 20:00.", "instructions": "Clinic until 17:00."}
    longer = follow_up(EXTENSION, SENT.model_copy(update=texts), at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.sms.endswith(" goes on until Mon 4 AM EST. Boil water until Mon 4 AM EST. Free water until 20:00.")
    assert longer.instructions == texts["instructions"]


def test_an_extension_of_an_upgrade_says_neither_that_it_is_one_nor_what_that_replaced() -> None:
    """Nor is a warning called by the watch that it was made of; who spoke last speaks again."""
    skeleton = starting_wording("Tornado Watch")
    assert skeleton is not None
    watch = SENT.model_copy(update={"event": "Tornado Watch", "sms": skeleton.sms, "title": "", "contact_division": ""})
    worse = follow_up(UPGRADE, watch, follows=1, sent_at="14:05", place="Lyons", now=NOON, zone="America/Denver")
    assert worse.title == "Upgrade: Tornado Warning"
    written = worse.model_copy(update={"sms": worse.sms.replace("[who]", "Flint OEM"), "text": ""})
    longer = follow_up(EXTENSION, written, follows=2, sent_at="10:30 am", now=NOON, zone="America/Denver")
    assert longer.title == "Extension: Tornado Warning"
    assert longer.sms == (
        "EXTENDED from Flint OEM: Our alert of 10:30 am (Tornado Warning) goes on until 11 AM MST. Tornado near Lyons "
        "until 11 AM MST. Take shelter now: basement or inside room on the lowest floor, away from windows. Cover your "
        "head."
    )


def test_who_spoke_in_the_text_speaks_again_where_no_contact_is_named() -> None:
    """An office by its word; what is no office by any word stays a blank, for the writer to fill in."""
    sent = SENT.model_copy(update={"contact_division": ""})
    longer = follow_up(EXTENSION, sent, at=MORNING, sent_at="14:05", now=NOON, zone="America/Detroit")
    assert longer.sms == (
        "EXTENDED from Flint OEM: Our alert of 14:05 (Flood Warning) goes on until Mon 4 AM EST. Flood in Flint. "
        "Move to higher ground. Stay there until Mon 4 AM EST."
    )
    assert longer.blanks == []
    for head, speaker in {
        "City of Flint": "City of Flint",
        "Boulder Fire": "Boulder Fire",
        "Highway 36": "[who]",
        "Power is out": "[who]",
    }.items():
        other = sent.model_copy(update={"sms": f"{head}: Stay away until 18:00."})
        assert follow_up(EXTENSION, other).sms.startswith(f"EXTENDED from {speaker}: "), head


def test_what_a_fire_is_called_is_not_named_as_who_speaks() -> None:
    sms = "Dixie Fire: evacuate Greenville now. Until 18:00."
    sent = AlertDraft(category="Fire", event="Wildfire", sms=sms)
    assert follow_up(ALL_CLEAR, sent).sms.startswith("ALL CLEAR from [who]: ")
    assert follow_up(ALL_CLEAR, sent.model_copy(update={"contact_name": "Ana"})).sms.startswith("ALL CLEAR from Ana: ")


def test_the_same_in_another_language_waits_for_its_words() -> None:
    fresh = follow_up(SECOND_LANGUAGE, SENT, follows=77)
    assert (fresh.title, fresh.sms, fresh.instructions, fresh.text) == ("", "", "", "")
    assert (fresh.event, fresh.severity, fresh.hours) == ("Flood Warning", "Severe", 9)


def test_what_has_given_the_all_clear_can_still_be_corrected_but_not_upgraded() -> None:
    assert follow_up_kinds(follow_up(ALL_CLEAR, SENT)) == [CORRECTION, SECOND_LANGUAGE]


def test_every_kind_of_follow_up_is_declared() -> None:
    assert set(KINDS) == set(get_args(FollowUp)) - {""}


def test_a_correction_of_a_correction_is_named_once() -> None:
    twice = follow_up(CORRECTION, follow_up(FALSE_ALARM, SENT, follows=1), follows=2)
    assert twice.title == "Correction: Flood"
    assert twice.follows == 2


def test_a_correction_of_little_begins_in_whole_words() -> None:
    fresh = follow_up(CORRECTION, AlertDraft(), follows=1)
    assert fresh.title == "Correction"
    assert fresh.sms.startswith("CORRECTION from [who]: This replaces our alert. ")


def test_a_test_that_went_wrong_is_corrected_as_a_test() -> None:
    test = {"category": "Other", "event": "Routine Weekly Test", "sms": "This is a test.", "title": "Test", "text": ""}
    levels = {"urgency": "Past", "severity": "Minor", "certainty": "Unknown", "instructions": ""}
    sent = SENT.model_copy(update=test | levels)
    assert follow_up_kinds(sent) == [CORRECTION]
    fresh = follow_up(CORRECTION, sent, follows=1)
    assert fresh.sms.startswith("CORRECTION from Flint OEM: Our alert (Routine Weekly Test) was a test.")
    assert fresh.is_test
    warned = follow_up(CORRECTION, sent.model_copy(update={"sms": "Move to higher ground."}), follows=1)
    assert "It was a test" not in warned.sms, "by its words it was none, whatever it was filed under"
    assert "[What is true now.]" in warned.sms


@pytest.mark.parametrize("kind", [CORRECTION, FALSE_ALARM, ALL_CLEAR])
def test_what_takes_an_alarm_back_names_the_place_it_was_for(kind: FollowUp) -> None:
    fresh = follow_up(kind, SENT, follows=77, sent_at="14:05", place="Flint, MI", now=NOON)
    assert "our alert of 14:05 (Flood Warning) for Flint, MI" in fresh.sms
    assert PLACE not in {check.name for check in wording_checks(fresh, ["Flint"]) if not check.ok}


def test_an_extension_counts_from_the_end_of_what_it_extends_and_cannot_end_before_it() -> None:
    """Sent at 9:05 for 9 hours, extended at noon: 6 h 5 min are left, and 9 more begin after them."""
    longer = follow_up(EXTENSION, SENT, at=MORNING, now=NOON, zone="America/Detroit")
    assert longer.extends_until == MORNING + timedelta(hours=9)
    assert longer.hours == 7 + 9
    assert longer.end_written is not None, "its end follows the hours"
    now = datetime.now(UTC)
    running = longer.model_copy(update={"extends_until": now + timedelta(hours=6, minutes=5)})
    for hours, is_too_short in ((6, True), (7, False)):
        problems = alert_problems(running.model_copy(update={"hours": hours})).at(running.uid, "hours")
        assert any("Select 7 hours or more" in words for words in problems) is is_too_short
    assert follow_up(EXTENSION, SENT, at=MORNING, now=MORNING + timedelta(hours=10), zone="America/Detroit").hours == 9
