"""The checks that name missing parts of a text, for realistic texts and for the outlines of Muster."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, ROUTINE_TESTS
from domain.alerts.alert_events import placeholders_in, starting_wording
from domain.alerts.draft import AlertDraft
from domain.alerts.sending.hints import find_hints
from domain.alerts.wording.wording_checks import (
    FINISHED,
    HAZARD,
    PLACE,
    SAYS_TEST,
    SAYS_WHO,
    UNTIL_WHEN,
    WHAT_TO_DO,
    Check,
    wording_checks,
)

ORDER = [SAYS_WHO, HAZARD, PLACE, WHAT_TO_DO, UNTIL_WHEN, FINISHED]

COMPLETE = [
    ("Tornado Warning", "NWS: Tornado near Moore, moving east. Take shelter now in a basement. Until 6:15 PM."),
    (
        "Boil Order",
        "City of Flint: Tap water in 48502 and 48503 may be unsafe. Boil it for 1 minute until further notice.",
    ),
    ("Gas Leak", "Cambridge Fire: Gas leak at Kendall Square. Leave on foot, use no switches. Stay away until 15:00."),
    (
        "Wildfire",
        "Boulder County Sheriff: Wildfire west of Boulder. Leave now by Hwy 36. Evacuation in force until 8 am Sunday.",
    ),
    (
        "Flash Flood Warning",
        "Flash flooding on Cherry Creek until 9:45 PM. Move to high ground now, do not drive. -Denver OEM",
    ),
    (
        "Missing Child",
        "Portland Police: missing girl of 7, red coat, last seen at Pioneer Square. Seen? Call 911. Search until 10pm.",
    ),
    (
        "Campus Shooting",
        "State University: shots fired at Miller Hall. Run, hide, fight. Call 911 when safe. Next update by 14:30.",
    ),
    (
        "Evacuation Immediate",
        (
            "This is the Ventura County Fire Department. Fire is moving to Santa Paula. Evacuate now on Route 126. "
            "Shelters are open until tomorrow 8 am."
        ),
    ),
    (
        "Power Outage",
        "PG&E: power is out in parts of Oakland, back by 23:00. Keep fridges shut and stay away from lines.",
    ),
    (
        "Excessive Heat Warning",
        "Maricopa County Public Health: 115 F in Phoenix through Thursday. Drink water, check on neighbors.",
    ),
    ("Road Closure", "CDOT: I-70 closed at Exit 205 until noon. Use US 6."),
    (
        "Hurricane Warning",
        "Miami-Dade Emergency Management: Hurricane hits the coast by 2 am. Zone B leave now by US 1.",
    ),
    ("Air Pollution", "Denver Public Health: unhealthy air in Denver all day. Stay inside and keep windows shut."),
    (
        "Amber Alert",
        "AMBER Alert: CHP looks for a blue Honda, 7ABC123, taken on Hwy 99 near Fresno. Seen? Call 911. Until 9 pm.",
    ),
    (
        "Chemical Emergency",
        (
            "Message from the Baltimore City Fire Department: chlorine spill at the harbor. People in 21224: go "
            "inside and close windows for the next two hours."
        ),
    ),
    ("Snow Emergency", "Buffalo Public Works: snow emergency citywide till Friday 7 am. Move cars off even sides."),
    (
        "Earthquake",
        "Anchorage OEM: earthquake of 5.9 near Girdwood. Expect aftershocks today. Drop, cover, hold on.",
    ),
    (
        "Silver Alert",
        "Mesa PD: Silver Alert, Ruth Lane, 81, gray coat, left Main Street on foot. Call 911 if seen. Until midnight.",
    ),
    ("Routine Weekly Test", "City of Flint: TEST. This is a test of the alert system. No action is needed."),
    ("Routine Monthly Test", "This is a test by the Pueblo County Sheriff's Office. You do not need to do anything."),
]

COMPLETE += [
    ("Wildfire", "Boulder OEM: Evacuation ORDER for all of Superior & Louisville. Leave NOW. In force until lifted."),
    ("Chemical Emergency", "Chemical release at 1234 Shell Dr. Close windows. Stay in until told by Deer Park OEM."),
    ("Boil Order", "CITY OF JACKSON BOIL WATER NOTICE in effect until further notice. Boil water for one minute."),
    ("Power Outage", "Duke Energy reports an outage in North Raleigh until 11 PM. Use generators outside."),
    ("Gas Leak", "GAS LEAK - 5th and Pine. Evacuate within 2 blocks. SFD on scene. Avoid area til 3pm"),
    ("Road Closure", "I-80 WB closed at Exit 12 for a crash, to reopen around 5 PM. Seek alternate routes. - PennDOT"),
    ("Snow Emergency", "The City of Rochester has declared a snow emergency thru 6pm Wednesday. No on-street parking."),
    ("Water Pollution", "Do not use tap water in Toledo. Do not boil it. Wait for an all clear. City of Toledo"),
    ("Tornado Watch", "Tornado Watch for Tulsa and Creek counties until 10 PM. Have a plan. Tulsa Area EMA"),
    ("Vehicle Accident", "Troopers working a crash at mile marker 42 near Stafford. Expect delays through 8am."),
    ("Avalanche", "CAIC: HIGH avalanche danger for Vail through Sunday evening. Travel there is not recommended."),
    ("Air Pollution", "BAAQMD: Wildfire smoke across the Bay Area for Saturday. Limit time outdoors."),
]

# Real failures and near misses, each with exactly the missing parts.
INCOMPLETE = [
    # Sent to 10 million people in January 2025, in nearly these words.
    (
        "Evacuation Immediate",
        (
            "This is an emergency message from the Los Angeles County Fire Department. An EVACUATION WARNING has been "
            "issued in your area. Remain vigilant of any threats and be ready to evacuate. Gather loved ones, pets, "
            "and supplies."
        ),
        {PLACE, UNTIL_WHEN},
    ),
    # Hawaii, January 2018.
    (
        "Nuclear Attack",
        "BALLISTIC MISSILE THREAT INBOUND TO HAWAII. SEEK IMMEDIATE SHELTER. THIS IS NOT A DRILL.",
        {SAYS_WHO, UNTIL_WHEN},
    ),
    ("Tornado Warning", "Tornado Warning in this area til 6:15 PM. Take shelter now.", {SAYS_WHO, PLACE}),
    ("Flood Warning", "Flood Warning: water is rising.", {SAYS_WHO, PLACE, WHAT_TO_DO, UNTIL_WHEN}),
    ("Boil Order", "City of Flint: Boil water before you drink it until further notice.", {PLACE}),
    ("Power Outage", "Power is out in parts of Queens. Crews are on their way.", {SAYS_WHO, WHAT_TO_DO, UNTIL_WHEN}),
    ("Police Activity", "Cambridge Police: avoid the area of Main Street.", {HAZARD, UNTIL_WHEN}),
    ("Gas Leak", "Gas leak at Kendall Square until 15:00. If you smell gas, call the fire department.", {SAYS_WHO}),
    ("Wildfire", "Boulder OEM: Wildfire near Nederland. More at noon.", {WHAT_TO_DO, UNTIL_WHEN}),
    ("Missing Person", "Call the police.", {SAYS_WHO, HAZARD, PLACE, UNTIL_WHEN}),
    ("Routine Weekly Test", "City of Flint: sirens will sound. You do not need to do anything.", {SAYS_TEST}),
    ("Routine Weekly Test", "This is a test.", {SAYS_WHO, WHAT_TO_DO}),
    (
        "Tornado Warning",
        "National Weather Service: TORNADO WARNING in this area until 4:30 PM. Take shelter now.",
        {PLACE},
    ),
    (
        "Amber Alert",
        "AMBER Alert Houston, TX: White 2015 Ford TX LIC ABC1234. Call 911 if seen.",
        {SAYS_WHO, UNTIL_WHEN},
    ),
    ("Weapons on Campus", "Man with a gun reported near the library. Run. Hide. Fight.", {SAYS_WHO, UNTIL_WHEN}),
    ("Earthquake", "USGS ShakeAlert: Earthquake detected! Drop, Cover, Hold On.", {PLACE, UNTIL_WHEN}),
    ("Suspect Wanted", "Shelter in place: suspect near Elm St. Lock doors until 9pm.", {SAYS_WHO}),
    ("Suspect Wanted", "Mount Vernon residents: armed suspect at large. Lock doors until 9pm.", {SAYS_WHO, PLACE}),
    (
        "Missing Person",
        "Please help find John Doe, last seen 2pm at Walmart. Call Howell Police.",
        {SAYS_WHO, UNTIL_WHEN},
    ),
    ("", "", {SAYS_WHO, HAZARD, PLACE, WHAT_TO_DO, UNTIL_WHEN}),
]


def list_missing(event: str, text: str, places: tuple[str, ...] = ()) -> set[str]:
    return {check.name for check in wording_checks(AlertDraft(event=event, sms=text), places) if not check.ok}


def check(name: str, draft: AlertDraft, places: tuple[str, ...] = ()) -> Check:
    return next(each for each in wording_checks(draft, places) if each.name == name)


@pytest.mark.parametrize(("event", "text"), COMPLETE)
def test_a_complete_text_passes_all_checks(event: str, text: str) -> None:
    assert list_missing(event, text) == set()


@pytest.mark.parametrize(("event", "text", "lacks"), INCOMPLETE)
def test_missing_parts_of_a_text_are_named(event: str, text: str, lacks: set[str]) -> None:
    assert list_missing(event, text) == lacks


def test_the_outlines_are_complete_once_their_placeholders_are_replaced() -> None:
    values = {"[who]": "City of Flint", "[place]": "Burton", "[time]": "18:00", "[distance]": "300 yards"}
    values |= {"[Storm, wind, ice]": "Ice", "[crimes]": "Burglaries"}
    lacks = {"[What to do now.]": {WHAT_TO_DO}, "[hazard]": {HAZARD}}
    for event in {event for events in EVENTS_BY_CATEGORY.values() for event in events}:
        wording = starting_wording(event)
        assert wording is not None, event
        filled = re.sub(r"\[[^\]]+\]", lambda gap: values.get(gap.group(), "Grand Traverse"), wording.sms)
        may_lack = {name for gap in placeholders_in(wording.sms) for name in lacks.get(gap, set())}
        assert list_missing(event, filled) <= may_lack, event


def test_the_checks_are_in_the_order_of_a_good_message() -> None:
    assert [each.name for each in wording_checks(AlertDraft(), [])] == ORDER


def test_the_place_check_accepts_the_names_of_the_selected_regions() -> None:
    draft = AlertDraft(event="Power Outage", sms="Grid: no power for le roy, back by 18:00.")
    assert not check(PLACE, draft).ok
    assert check(PLACE, draft, ("Genesee County", "Le Roy")).ok
    assert "Genesee County" in check(PLACE, draft, ("Genesee County",)).words


def test_the_name_of_an_office_does_not_count_as_a_place() -> None:
    draft = AlertDraft(
        event="Evacuation Immediate", sms="Message from the Los Angeles County Fire Department: leave now."
    )
    assert not check(PLACE, draft, ("Los Angeles County",)).ok


def test_the_contact_counts_as_a_sender() -> None:
    text = "Gas leak at Kendall Square. Leave now. Desk of Riverside. Until 15:00."
    assert SAYS_WHO in list_missing("Gas Leak", text)
    assert check(SAYS_WHO, AlertDraft(event="Gas Leak", sms=text, contact_division="Desk of Riverside")).ok


@pytest.mark.parametrize("contact", ["", "Ana Silva"])
def test_the_name_of_a_wildfire_does_not_count_as_a_sender(contact: str) -> None:
    """It names the hazard. A fire department that reports a fire is a sender, and so is the contact."""

    def check_sender_and_hazard(sms: str, contact: str) -> tuple[bool, bool]:
        draft = AlertDraft(event="Wildfire", sms=sms, contact_name=contact)
        checks = {check.name: check.ok for check in wording_checks(draft)}
        return checks["Sender"], checks["Hazard"]

    evacuate = "Dixie Fire: evacuate Greenville now by Highway 89. Until 18:00."
    assert check_sender_and_hazard(evacuate, contact) == (False, True)
    assert check_sender_and_hazard(f"Plumas County Sheriff: {evacuate}", contact) == (True, True)
    assert check_sender_and_hazard(evacuate, "Dixie Fire")[0]
    assert check_sender_and_hazard("Boulder Fire: wildfire near Boulder. Leave now.", contact) == (True, True)


def test_a_check_shows_the_matched_text() -> None:
    draft = AlertDraft(event="Gas Leak", sms="Cambridge Fire: Gas leak at Kendall Square. Leave on foot. Until 15:00.")
    assert check(SAYS_WHO, draft).words == "“Cambridge Fire”"
    assert check(WHAT_TO_DO, draft).words == "“Leave on foot”"
    assert "15:00" in check(UNTIL_WHEN, draft).words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Missing girl, red coat. If you see her call 911.", "“call 911”"),
        ("Gas leak at Main Street. If you smell gas leave on foot.", "“leave on foot”"),
        ("Missing man. Anyone with information call 311.", "“call 311”"),
    ],
)
def test_an_instruction_can_follow_a_condition_without_a_comma(text: str, words: str) -> None:
    assert check(WHAT_TO_DO, AlertDraft(event="Missing Child", sms=text)).words == words
    assert not check(WHAT_TO_DO, AlertDraft(sms="Missing girl. If you see smoke it is steam.")).ok


def test_placeholders_in_all_texts_of_the_alert_are_listed_until_they_are_replaced() -> None:
    draft = AlertDraft(sms="[who]: fire", instructions="Call [number] or [number].", text="[more]", title="Fire")
    found = check(FINISHED, draft)
    assert not found.ok
    assert found.words == "Fill in the placeholders: [more], [who], [number]."
    assert check(FINISHED, AlertDraft(sms="City: fire (see map) [", instructions="]")).ok


@pytest.mark.parametrize(
    "text",
    [
        "The water in Denver is contaminated so do NOT drink the water.",
        "Tap water is unsafe and should not be used.",
        "Water advisory for Denver (do NOT drink it).",
        "Standoff on Colfax. The public must not enter the area.",
        "Under no circumstances drive through water.",
        "I-70 is closed. Trucks are not allowed to enter.",
        "Agua contaminada. No la use ni para bañarse.",
        "Operativo policial. Nadie debe acercarse.",
        "Fuga de gas. NO encienda luces ni cerillos.",
    ],
)
def test_an_order_not_to_do_something_is_what_to_do(text: str) -> None:
    assert check(WHAT_TO_DO, AlertDraft(event="Water Pollution", sms=text)).ok


@pytest.mark.parametrize(
    "text",
    ["Tap water is not safe.", "Crews do not know the cause.", "Power will not be back.", "No hay heridos."],
)
def test_what_does_not_happen_is_no_order(text: str) -> None:
    assert not check(WHAT_TO_DO, AlertDraft(event="Water Pollution", sms=text)).ok


def test_the_hints_about_what_is_missing_fit_tests_placeholders_and_ends() -> None:
    test = wording_checks(AlertDraft(event="Routine Weekly Test", sms="City of Flint: sirens. ____"))
    assert [each.hint for each in test if not each.ok] == [
        "Missing: test wording. Say that this is a test: “TEST. There is no emergency.”",
        "Missing: what to do. Say that no action is needed.",
        "Fill in the placeholders: ____.",
    ]
    over = check(WHAT_TO_DO, AlertDraft(sms="The flood is over.", follow_up="all clear"))
    hint = "Missing: what to do. Say what people can now do again, or that no action is needed."
    also_over = check(WHAT_TO_DO, AlertDraft(event="Flood Warning", sms="ALL CLEAR. The flood is over."))
    assert (over.hint, also_over.hint) == (hint, hint), "never “Go inside now.”"


@pytest.mark.parametrize("event", ROUTINE_TESTS)
def test_a_test_needs_no_place_and_no_end(event: str) -> None:
    assert list_missing(event, "City of Flint: this is only a test. You do not need to do anything.") == set()


def test_an_all_clear_needs_no_end() -> None:
    text = "Boulder Fire: ALL CLEAR. The gas leak in Boulder is over. You do not need to do anything."
    alert = AlertDraft(event="Gas Leak", sms=text)
    assert check(UNTIL_WHEN, alert).ok is False
    assert check(UNTIL_WHEN, alert.model_copy(update={"follow_up": "all clear"})).ok


@pytest.mark.parametrize(
    "text",
    [
        "The flood is over. You may leave your shelter.",
        "Flood over. It is safe to go outside.",
        "Ya pueden regresar a casa.",
        "Power is back. Everyone may use appliances again.",
        "Ya volvió la luz. Puede usar sus aparatos.",
    ],
)
def test_a_permission_to_return_is_what_people_do_after_an_all_clear(text: str) -> None:
    assert check(WHAT_TO_DO, AlertDraft(event="Flood Warning", sms=text, follow_up="all clear")).ok
    assert not check(WHAT_TO_DO, AlertDraft(sms="The flood is over.", follow_up="all clear")).ok


def test_the_example_of_an_end_is_the_end_of_the_alert() -> None:
    """Its time zone is that of the alert. Without it, the example has none."""
    draft = AlertDraft(event="Gas Leak", sms="Gas leak.", hours=2)
    now = datetime(2026, 11, 28, 20, tzinfo=UTC)
    for zone, shown in (("America/New_York", "“Until 5 PM EST.”"), (None, "“Until 6 PM.”")):
        (end,) = [each for each in find_hints(draft, None, now=now, zone=zone).missing if each.name == UNTIL_WHEN]
        assert end.words == f"Give the end time: {shown}"


def test_the_name_of_a_selected_place_at_the_start_is_the_place() -> None:
    draft = AlertDraft(event="Winter Storm Warning", sms="Casper: heavy snow. Stay off the roads.")
    assert check(PLACE, draft, ("Casper, WY", "Casper")).ok
    assert not check(PLACE, draft, ("Laramie",)).ok
    clear = draft.model_copy(update={"sms": "All clear, Casper: the snow has ended.", "follow_up": "all clear"})
    assert check(PLACE, clear, ("Casper, WY", "Casper")).ok


def test_a_text_in_another_language_is_checked_for_names_but_not_for_english_words() -> None:
    """Readers ignore a check that always fails, and then miss a real problem."""
    sms = "Bomberos de Boulder: incendio en 80302. Salga AHORA por la autopista 36. Hasta las 9:15 pm."
    event = {"category": "Safety", "event": "Evacuation Immediate"}
    spanish = AlertDraft(**event, sms=sms, follow_up="second language", follows=24)
    assert [check.name for check in wording_checks(spanish, ["80302"]) if not check.ok] == []
    poor = spanish.model_copy(update={"sms": "x [time]"})
    assert [check.name for check in wording_checks(poor, ["80302"]) if not check.ok] == [SAYS_WHO, PLACE, FINISHED]
    english = poor.model_copy(update={"follow_up": "", "follows": None})
    assert HAZARD in {check.name for check in wording_checks(english, ["80302"]) if not check.ok}


def test_a_spanish_test_is_recognized_as_a_test() -> None:
    test = {"category": "Other", "event": "Routine Weekly Test"}
    sms = "Prueba de los Bomberos de Boulder: no hay emergencia."
    assert check(SAYS_TEST, AlertDraft(**test, sms=sms)).ok
    assert not check(SAYS_TEST, AlertDraft(**test, sms="Bomberos de Boulder: no hay emergencia.")).ok


def test_a_complete_spanish_text_passes_all_checks() -> None:
    """One check reads the end of a Spanish text. No other may say that the text has no end."""
    sms = "Bomberos de Boulder: inundación en 80302. Busque refugio ahora. Termina a las 9 de la noche."
    alert = AlertDraft(category="Met", event="Flash Flood Warning", sms=sms)
    assert [check.name for check in wording_checks(alert, ["80302"]) if not check.ok] == []
    lacking = alert.model_copy(update={"sms": "Bomberos de Boulder: aviso para 80302."})
    assert [check.name for check in wording_checks(lacking, ["80302"]) if not check.ok] == [
        HAZARD,
        WHAT_TO_DO,
        UNTIL_WHEN,
    ]
