"""Contradictions between levels, event, and text, and alerts without any."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY
from domain.alerts.alert_events import starting_wording
from domain.alerts.draft import AlertDraft
from domain.alerts.wording.contradictions import advice, looks_live
from domain.alerts.wording.follow_ups import follow_up, follow_up_kinds

DEMO = Path(__file__).resolve().parents[4] / "service" / "demo" / "notifications.csv"
NOW = datetime(2026, 11, 20, 19, 5, tzinfo=UTC)  # 14:05 in New York
NEW_YORK = "America/New_York"


def draft(event: str = "Gas Leak", sms: str = "", **fields: Any) -> AlertDraft:
    category = next(name for name, events in EVENTS_BY_CATEGORY.items() if event in events)
    return AlertDraft(category=category, event=event, sms=sms, **({"written_at": NOW} | fields))


def contradictions(alert: AlertDraft, **at: Any) -> list[str]:
    return [each.words for each in advice(alert, **at)]


# Texts and levels, and a part of the expected advice.
WRONG = [
    (draft(sms="This is a drill. Gas leak, leave now."), "a live event"),
    (draft(sms="This is only a test of our alert system."), "a live event"),
    (draft(sms="EXERCISE EXERCISE EXERCISE Gas leak at Main Street"), "a live event"),
    (draft(sms="TEST: gas leak at Main Street."), "a live event"),
    (draft("Campus Lockdown", sms="Lockdown drill on campus. Lock your doors now."), "a live event"),
    (draft("Earthquake", sms="Ciudad de Calexico: SIMULACRO de terremoto. Agáchese y cúbrase."), "a live event"),
    (draft("Tornado Warning", sms="Prueba de las sirenas de tornado. Busque refugio."), "a live event"),
    (draft(sms="Gas leak", instructions="This is an exercise."), "a live event"),
    (draft("Routine Weekly Test", "This is a test. THIS IS NOT A DRILL."), "Select a live event"),
    (draft("Routine Weekly Test", "City of Flint: sirens will sound at noon."), "does not say that this is a test"),
    (
        draft("Routine Monthly Test", "Ballistic missile inbound. Test."),
        "must not report a danger or tell people to act. Remove these words: “missile”",
    ),
    (draft("Routine Monthly Test", "Test: take shelter now."), "must not report a danger or tell people to act"),
    (draft("Routine Monthly Test", "This is a test.", severity="Extreme"), "Other systems may treat a test"),
    (draft("Routine Monthly Test", "A test.", urgency="Immediate", certainty="Observed"), "like a live alert"),
    (draft(sms="Leave the area now.", urgency="Past"), "“Leave the area now”, but the urgency is Past"),
    (draft(sms="Take shelter.", urgency="Past"), "but the urgency is Past"),
    (draft(sms="Evacuate immediately.", urgency="Future"), "but the urgency is Future"),
    (draft(urgency="Immediate", certainty="Unlikely"), "nothing is expected"),
    (draft(severity="Extreme", certainty="Unlikely"), "none is expected"),
    (draft(urgency="Past", certainty="Possible"), "Check the certainty"),
    (draft(urgency="Future", certainty="Observed"), "still to come"),
    (draft(type=2, severity="Minor"), "little or no threat"),
    (draft(type=5, severity="Extreme", urgency="Immediate"), "For a warning, use Alert"),
    (draft(sms="Life-threatening: evacuate", severity="Minor"), "but the severity is Minor"),
    (draft(sms="The gas leak is over. You may return.", urgency="Immediate"), "but the urgency is"),
    (draft(sms="ALL CLEAR at Main Street.", urgency="Expected"), "but the urgency is"),
    (draft(sms="The evacuation order has been lifted.", urgency="Immediate"), "but the urgency is"),
    (draft("Missing Child", "The girl was found safe.", urgency="Immediate"), "but the urgency is"),
    (draft(sms="There is no danger to people.", severity="Extreme"), "the severity is Extreme"),
    (draft("Winter Storm Warning", "Snow is expected tomorrow.", urgency="Immediate"), "but the urgency is Immediate"),
    (draft("Tornado Watch", urgency="Immediate"), "A watch means"),
    (draft("Flood Watch", certainty="Observed"), "A watch means"),
    (draft("Flood Warning", certainty="Unlikely"), "A warning means"),
    (draft("Frost Advisory", severity="Extreme"), "less serious than a warning"),
    (draft("Evacuation Immediate", urgency="Future"), "but the urgency is Future"),
    (draft("Tornado Warning", "NWS: Tornado Watch for Moore."), "“Tornado Watch”, but the event is Tornado Warning"),
    (draft("Tornado Watch", "NWS: Tornado Warning for Moore."), "the event is Tornado Watch"),
    (draft(sms="Stay inside for the next 2 hours.", hours=6), "“for the next 2 hours”, but the alert lasts 6 hours"),
    (draft(sms="Stay inside.", follow_up="correction", follows=7), "does not say so"),
]

RIGHT = [
    draft(sms="City: Gas leak at Main Street. Leave now. This is not a drill.", urgency="Immediate"),
    draft(sms="THIS IS NOT A TEST. Leave now.", urgency="Immediate"),
    draft(sms="Testing site at Main Street is closed. Do not use the test center.", urgency="Immediate"),
    draft("Boil Order", "Water tests found germs. Boil water until tests are clean.", urgency="Immediate"),
    draft("Virus or Contagious Disease Outbreak", "It is a test result of concern. Free tests at the school."),
    draft("Routine Weekly Test", "TEST. In a real emergency you would be told to take shelter.", urgency="Past"),
    draft("Routine Weekly Test", "This is a test. There is no emergency.", severity="Minor", certainty="Unlikely"),
    draft(sms="Stay away until the all clear is given.", urgency="Immediate"),
    draft(sms="Do not return until police say it is over.", urgency="Immediate"),
    draft(sms="Do not go back before the order has been lifted.", urgency="Immediate"),
    draft("Excessive Heat Warning", "It is over 110 F in Phoenix. Drink water.", urgency="Immediate"),
    draft("Police Activity", "There is no threat to the public. Avoid Main Street.", urgency="Immediate"),
    draft(sms="The road is now open, and the leak has ended.", urgency="Past", certainty="Observed"),
    draft("Hurricane Watch", "Get ready to leave now.", urgency="Future", certainty="Possible"),
    draft("Tornado Watch", "Be ready to take shelter.", urgency="Future", certainty="Possible"),
    draft("Hurricane Watch", "Be prepared to evacuate at once.", urgency="Future", certainty="Possible"),
    draft("Flood Warning", "Flood warning until tomorrow. Keep away.", urgency="Immediate"),
    draft("Tornado Warning", "The Tornado Watch of noon is now a Tornado Warning.", urgency="Immediate"),
    draft(
        "Road Closure", "Main Street is closed.", urgency="Immediate", severity="Minor", certainty="Observed", type=3
    ),
    draft(sms="Stay inside for the next two hours.", hours=2),
    draft(
        sms="CORRECTION: there is no threat.", follow_up="correction", follows=7, urgency="Immediate", severity="Severe"
    ),
    draft(
        sms="CORRECTION: the alert of 14:05 was a test. It was a drill. No emergency.",
        follow_up="correction",
        follows=7,
        urgency="Immediate",
    ),
    draft("Earthquake", "Earthquake of 5.9. Expect aftershocks.", urgency="Past", certainty="Observed", type=2),
]


@pytest.mark.parametrize(("alert", "says"), WRONG, ids=[f"{d.event}: {says}" for d, says in WRONG])
def test_a_contradiction_is_reported(alert: AlertDraft, says: str) -> None:
    found = contradictions(alert)
    assert len(found) == 1, found
    assert says in found[0]


@pytest.mark.parametrize("alert", [alert for alert, _ in WRONG], ids=[f"{d.event}: {says}" for d, says in WRONG])
def test_advice_with_one_possible_change_offers_a_fix_that_resolves_it(alert: AlertDraft) -> None:
    """A person decides if two changes are possible or a new text is needed."""
    (found,) = advice(alert)
    has_one_fix = re.search(
        r"Start the text with|Change them to|For a warning|Check the |Immediate, but the urgency|the urgency is Past"
        r"|“(?:Evacuate|is over|ALL CLEAR|has been|was found)|the alert lasts|the event is Tornado",
        found.words,
    )
    assert bool(found.fixes) is bool(has_one_fix), found.words
    for fix in found.fixes:
        assert found.words not in contradictions(alert.model_copy(update=dict(fix.changes)))


@pytest.mark.parametrize(
    ("alert", "label"),
    [
        (draft("Routine Weekly Test", "City of Flint: sirens will sound."), "Add “TEST:”"),
        (draft(type=5, severity="Extreme", urgency="Immediate"), "Change to Alert"),
        (draft("Tornado Watch", urgency="Immediate"), "Change to Tornado Warning"),
        (draft(sms="Stay inside.", follow_up="correction", follows=7), "Add “CORRECTION:”"),
        (draft("Routine Monthly Test", "A test.", urgency="Immediate"), "Change to Minor and Past"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_the_button_of_a_fix_names_its_change(alert: AlertDraft, label: str) -> None:
    assert [fix.label for fix in advice(alert)[0].fixes] == [label]


@pytest.mark.parametrize("alert", RIGHT, ids=lambda alert: alert.sms)
def test_an_alert_without_contradictions_is_not_reported(alert: AlertDraft) -> None:
    assert contradictions(alert) == []


def test_the_false_missile_alert_of_hawaii_is_reported_as_a_test_with_live_text() -> None:
    text = "BALLISTIC MISSILE THREAT INBOUND TO HAWAII. SEEK IMMEDIATE SHELTER. THIS IS NOT A DRILL."
    assert len(contradictions(draft("Routine Monthly Test", text))) == 2
    assert contradictions(draft("Nuclear Attack", text, urgency="Immediate", severity="Extreme")) == []


def test_the_outlines_contain_no_contradiction() -> None:
    for event in {event for events in EVENTS_BY_CATEGORY.values() for event in events}:
        wording = starting_wording(event)
        assert wording is not None, event
        alert = draft(event, wording.sms, title=wording.title, instructions=wording.instructions)
        assert contradictions(alert) == [], event


def test_the_demo_alerts_contain_no_contradiction() -> None:
    with DEMO.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["alert_event"]]
    for row in rows:
        alert = AlertDraft(
            title=row["title"],
            sms=row["text"],
            instructions=row["instructions"],
            category=row["alert_category"],
            event=row["alert_event"],
            urgency=row["urgency"],
            severity=row["severity"],
            certainty=row["certainty"],
            type=int(row["alert_type"]),
            hours=int(row["hours"]),
        )
        assert contradictions(alert, now=NOW, zone=NEW_YORK) == [], row["title"]
    assert len(rows) >= 12


@pytest.mark.parametrize(
    ("event", "text", "urgency"),
    [
        ("Gas Leak", "Leave now.", "Immediate"),
        ("Evacuation Immediate", "Leave now.", "Immediate"),
        ("Tornado Watch", "Be ready to go inside.", "Future"),
        ("Tornado Warning", "Take shelter now.", "Immediate"),
        ("Routine Weekly Test", "This is a test.", "Past"),
    ],
)
def test_a_new_follow_up_contains_no_contradiction(event: str, text: str, urgency: str) -> None:
    sent = draft(event, text, title=event, urgency=urgency, severity="Moderate", certainty="Unknown", hours=2)
    for kind in follow_up_kinds(sent):
        fresh = follow_up(kind, sent, follows=7)
        assert contradictions(fresh) == [], kind


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("Gas leak at Main Street. Go inside.", ("Unknown", "Unknown", "Unknown")),
        ("Water tests show lead. Boil water.", ("Unknown", "Unknown", "Unknown")),
        ("Test results are in: do not drink tap water.", ("Unknown", "Unknown", "Unknown")),
        ("This is not a test.", ("Unknown", "Unknown", "Unknown")),
        ("TEST: evacuate Main Street.", ("Unknown", "Unknown", "Unknown")),
        ("This is a test.", ("Immediate", "Unknown", "Unknown")),
        ("This is a test.", ("Unknown", "Severe", "Unknown")),
        ("This is a test.", ("Unknown", "Extreme", "Unknown")),
        ("This is a test.", ("Unknown", "Minor", "Observed")),
    ],
)
def test_a_routine_test_with_the_text_or_levels_of_a_warning_looks_live(
    text: str, levels: tuple[str, str, str]
) -> None:
    urgency, severity, certainty = levels
    test = draft("Routine Weekly Test", text, urgency=urgency, severity=severity, certainty=certainty)
    assert looks_live(test) != []
    assert set(looks_live(test)) <= set(contradictions(test))


@pytest.mark.parametrize(
    "text",
    [
        "This is a test.",
        "TEST. Nothing is to be done.",
        "City of Flint: monthly test of the sirens at noon. You do not need to do anything.",
        "Test of our alert system. Please ignore.",
        "Flint OEM is testing the alert system. Had this been real, you would have been told to take shelter.",
        "We will test our sirens at noon.",
        "",
    ],
)
def test_a_recognizable_routine_test_does_not_look_live(text: str) -> None:
    levels = {"urgency": "Past", "severity": "Minor", "certainty": "Observed"}
    assert looks_live(draft("Routine Monthly Test", text, **levels)) == []
    assert looks_live(draft("Gas Leak", text)) == [], "a live event is never sent as a test"


# Sent at 14:05 in New York: the text, the duration in hours, and the expected advice ("" for none).
ENDS = [
    ("Stay inside until 18:00.", 4, ""),
    ("Stay inside until 18:05.", 4, ""),
    ("Stay inside until 6 pm.", 4, ""),
    ("Stay inside until 6:00 p.m. today.", 4, ""),
    ("Stay inside until 6:00.", 4, ""),
    ("Stay inside until 18:00.", 6, "but the alert ends today at 8:05 PM EST. Change the text or the hours."),
    ("Stay inside until 18:00.", 2, "but the alert ends today at 4:05 PM EST. Change"),
    ("Stay inside until 6 pm.", 3, "but the alert ends"),
    ("Stay inside until midnight.", 10, ""),
    ("Stay inside until noon.", 22, ""),
    ("Stay inside till noon tomorrow.", 4, "but the alert ends"),
    ("Stay inside until tomorrow 8 am.", 18, ""),
    ("Stay inside until tomorrow, 20:00.", 24, "An alert can last at most 24 hours."),
    ("Stay inside through Sunday 8 am.", 24, "An alert can last at most 24 hours."),
    ("Stay inside until Saturday at 8 am.", 18, ""),
    ("Stay inside until 23:00 UTC.", 4, ""),
    ("Stay inside until 18:00 EST.", 4, ""),
    ("Stay inside until 23:00Z.", 4, ""),
    ("Stay inside until 16:00 MST.", 4, ""),
    ("Stay inside until 6 PM CT.", 4, "but the alert ends"),
    ("Stay inside until 6 PM EDT.", 4, "until 6 PM EDT”, but the alert ends today at 6:05 PM EST"),
    ("Stay inside until 6 PM.\nQuédese adentro hasta las 8 de la noche.", 4, "The text says “hasta las 8 de la noche”"),
    ("Stay inside until 6 PM.\nQuédese adentro hasta las 6 de la tarde.", 4, ""),
    ("Stay inside until 23:00.", 4, "but the alert ends"),
    ("Stay inside until 13:00 today.", 4, "time has passed"),
    ("Keep away until 18:00. Shelter open until 20:00.", 4, ""),
    ("Keep away until 18:00. Shelter open until 20:00.", 6, "The text says “until 18:00”"),
    ("Keep away until 18:00. Stay inside until 20:00.", 6, ""),
    ("Stay inside until further notice.", 4, ""),
    ("Open until 25:00 and 7:75.", 4, ""),
    ("Leaking since 13:00.", 4, ""),
]


@pytest.mark.parametrize(("text", "hours", "says"), ENDS)
def test_the_end_in_the_text_is_compared_with_the_end_of_the_alert(text: str, hours: int, says: str) -> None:
    found = contradictions(draft(sms=text, hours=hours), now=NOW, zone=NEW_YORK)
    assert (says in found[0]) if says else (found == [])
    assert contradictions(draft(sms=text, hours=hours)) == []


# Ends after 4 h, at 18:05: the text, the instructions, and the expected advice ("" for none).
INSTRUCTION_ENDS = [
    ("Leave now. Until 18:00.", "Stay away until 20:00.", "The instructions say “until 20:00”"),
    ("Go in now. Until 18:00.", "Shelter in place until 20:00.", "The instructions say “until 20:00”"),
    ("Leave now.", "Do not come back for the next 2 hours.", "The instructions say “for the next 2 hours”"),
    ("Leave now. Until 20:00.", "Stay away until 20:00.", "The text says “Until 20:00”"),
    ("Leave now. Until 18:00.", "Stay away until 18:00. Back home by 20:00.", ""),
    ("Leave now. Until 18:00.", "The shelter at the school is open until 22:00.", ""),
    ("Leave now. Until 18:00.", "Call 311 until 22:00. Buses run until midnight.", ""),
    ("Leave now. Shelter open until 22:00.", "", ""),
]


@pytest.mark.parametrize(("text", "instructions", "says"), INSTRUCTION_ENDS)
def test_an_end_in_the_instructions_is_compared_but_opening_hours_are_not(
    text: str, instructions: str, says: str
) -> None:
    found = contradictions(draft(sms=text, instructions=instructions, hours=4), now=NOW, zone=NEW_YORK)
    assert (len(found) == 1 and says in found[0]) if says else found == []


@pytest.mark.parametrize(
    ("letters", "zone"),
    [
        ("MST", "America/Phoenix"),
        ("CST", "America/Regina"),
        ("EST", "America/Panama"),
        ("PST", "America/Los_Angeles"),
    ],
)
def test_a_time_zone_abbreviation_is_read_as_that_of_the_place(letters: str, zone: str) -> None:
    """In summer, some zones use the abbreviation that others use in winter."""
    noon = datetime(2026, 7, 10, 12, 5, tzinfo=ZoneInfo(zone))
    alert = draft(sms=f"Stay inside until 6 PM {letters}.", hours=6, written_at=noon)
    assert contradictions(alert, now=noon, zone=zone) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Leave now. Until 6 pm.", "but that time has passed. Change the text."),
        ("Stay inside until tomorrow, 4 pm.", "but the alert ends"),
        ("Stay inside until tomorrow, 6 pm.", ""),
    ],
)
def test_times_in_an_old_draft_are_read_as_of_its_writing(text: str, says: str) -> None:
    """Yesterday's “until 6 pm” is not today's, and its “tomorrow” is today."""
    stale = draft(sms=text, hours=4, written_at=NOW - timedelta(days=1))
    found = "\n".join(contradictions(stale, now=NOW, zone=NEW_YORK))
    assert says in found
    assert bool(found) == bool(says)


FIXES: list[tuple[AlertDraft, dict[str, dict[str, Any]]]] = [
    (
        draft(sms="Gas leak. Leave now. Until 5 pm.", hours=8),
        {"Change to 3 h": {"hours": 3}, "Replace with “10 PM EST”": {"sms": "Gas leak. Leave now. Until 10 PM EST."}},
    ),
    (
        draft(sms="Fuga de gas. Salga hasta las 5 de la tarde de hoy.", hours=22),
        {
            "Change to 3 h": {"hours": 3},
            "Replace with “sáb 12 PM EST”": {"sms": "Fuga de gas. Salga hasta sáb 12 PM EST."},
        },
    ),
    (
        draft(sms="Gas leak. Leave now for the next 2 hours.", hours=8),
        {"Change to 2 h": {"hours": 2}, "Replace with “8 hours”": {"sms": "Gas leak. Leave now for 8 hours."}},
    ),
    (
        draft("Routine Weekly Test", "This is a test.", urgency="Immediate", severity="Severe"),
        {"Change to Minor and Past": {"severity": "Minor", "urgency": "Past"}},
    ),
    (draft(sms="Gas leak. Leave now.", urgency="Past"), {"Change to Immediate": {"urgency": "Immediate"}}),
    (
        draft("Flash Flood Warning", "Tornado near Moore. Take shelter now.", urgency="Immediate"),
        {"Change to Tornado Warning": {"event": "Tornado Warning"}},
    ),
    (
        draft("Evacuation Immediate", "Boil your water until told otherwise.", urgency="Immediate", hours=12),
        {"Change to Boil Order": {"event": "Boil Order", "category": "Health"}},
    ),
]


@pytest.mark.parametrize(("alert", "fixes"), FIXES, ids=[alert.sms for alert, _ in FIXES])
def test_each_offered_fix_resolves_its_advice(alert: AlertDraft, fixes: dict[str, dict[str, Any]]) -> None:
    [found] = [each for each in advice(alert, now=NOW, zone=NEW_YORK) if each.fixes]
    assert [fix.label for fix in found.fixes] == list(fixes)
    for fix in found.fixes:
        assert dict(fix.changes) | fixes[fix.label] == dict(fix.changes)
        fixed = alert.model_copy(update=dict(fix.changes))
        assert found.words not in contradictions(fixed, now=NOW, zone=NEW_YORK)


def test_another_hazard_in_the_text_is_reported_in_english_and_spanish() -> None:
    """One example of each kind. The list of texts has all wordings."""
    other = "The event is Evacuation Immediate, but the text says “Hierva”"
    assert other in contradictions(draft("Evacuation Immediate", "Hierva el agua antes de beberla."))[0]
    assert contradictions(draft("Evacuation Immediate", "Evacúe ahora: incendio forestal.")) == []


def test_an_unchanged_outline_of_another_event_can_be_replaced() -> None:
    flood, tornado = starting_wording("Flash Flood Warning"), starting_wording("Tornado Warning")
    assert flood is not None
    assert tornado is not None
    sms = flood.sms.replace("[who]", "Flint OEM").replace("[place]", "Flint").replace("[time]", "6 pm")
    changed = draft("Tornado Warning", sms, instructions=flood.instructions, inserted_place="Flint", hours=4)
    [found] = advice(changed)
    [fix] = found.fixes
    assert found.words == "The text is the outline for Flash Flood Warning, but the event is Tornado Warning."
    after = changed.model_copy(update=dict(fix.changes))
    assert (after.sms, after.instructions, after.inserted_place) == (tornado.sms, tornado.instructions, "")
    assert "[place]" in after.placeholders
    assert "outline" not in "".join(contradictions(changed.model_copy(update={"sms": f"{sms} Hurry."})))
