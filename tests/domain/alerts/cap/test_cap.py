"""Export of alerts as valid CAP, and import of CAP files of Muster and of other agencies."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st

from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY
from domain.alerts.alert_events import events_by_code
from domain.alerts.cap.cap_reading import MOST_BYTES, CodedArea, NotCap, OpenedCap, cap_parts, gravest_part, read_cap
from domain.alerts.cap.cap_writing import CapArea, Issue, to_cap
from domain.alerts.draft import AlertDraft, CapSource
from domain.alerts.request import zip_flag_is_offered
from tests.alerts import CERTAINTIES, SEVERITIES, URGENCIES, texts

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER / "public_examples"
CASES = FOLDER.parents[2] / "cases"
SCHEMA = xmlschema.XMLSchema(FOLDER / "CAP-v1.2.xsd")
NOW = datetime(2026, 11, 22, 18, tzinfo=UTC)
ISSUE = Issue("8800-1", "desk@city.example", NOW)
BOULDER = CapArea(
    "Boulder, CO", ("40.1,-105.3 40.1,-105.2 40.0,-105.2 40.1,-105.3",), (), (("FIPS6", "008013"), ("SAME", "008013"))
)
ids = st.integers(1, 2**63 - 1)


@st.composite
def drafts(draw: st.DrawFn) -> AlertDraft:
    """Generate complete alerts with every field that the service accepts."""
    category = draw(st.sampled_from(sorted(EVENTS_BY_CATEGORY)))
    maybe = st.one_of(st.just(""), texts)
    jurisdiction = draw(st.sampled_from(["some", "all", ""]))
    draft = AlertDraft(
        category=category,
        event=draw(st.sampled_from(EVENTS_BY_CATEGORY[category])),
        urgency=draw(st.sampled_from(URGENCIES)),
        severity=draw(st.sampled_from(SEVERITIES)),
        certainty=draw(st.sampled_from(CERTAINTIES)),
        hours=draw(st.integers(1, 24)),
        type=draw(st.sampled_from([2, 3, 5])),
        sms=draw(texts),
        instructions=draw(maybe),
        title=draw(maybe),
        text=draw(maybe),
        contact_name=draw(maybe),
        contact_email=draw(maybe),
        contact_division=draw(maybe),
        contact_phone=draw(st.sampled_from(["", "311", "3035550123"])),
        notification_event_id=draw(st.one_of(st.none(), ids)),
        category_id=draw(st.one_of(st.none(), ids)),
        groups=draw(st.lists(ids, max_size=3, unique=True)),
        jurisdiction=jurisdiction,
        regions=draw(st.lists(ids, max_size=3, unique=True)) if jurisdiction == "some" else [],
        goes_on=draw(st.booleans()),
    )
    return draft.model_copy(update={"zip_to_groups": zip_flag_is_offered(draft) and draw(st.booleans())})


@given(drafts())
def test_an_exported_alert_is_valid_cap_and_can_be_imported_unchanged(draft: AlertDraft) -> None:
    written = to_cap(draft, ISSUE, dict.fromkeys(draft.regions, BOULDER))
    SCHEMA.validate(written)
    opened = read_cap(written, now=NOW)
    back = opened.draft.model_copy(update={"uid": draft.uid, "regions": list(opened.regions), "source": None})
    assert back.has_same_payload(draft)
    assert set(opened.regions.values()) <= {"Boulder, CO"}
    assert (opened.places, opened.coded) == ([], [])
    assert [line for line in opened.omitted if "status" not in line] == []


def test_every_event_has_a_code_of_the_emergency_alert_system() -> None:
    """Its own, or else that of the kind of emergency."""
    # 47 CFR 11.31(e), the codes for public alerts and tests.
    eas = (
        "ADR AVA AVW BLU BZW CAE CDW CEM CFA CFW DMO DSW EAN EQW EVI EWW FFA FFS FFW FLA FLS FLW FRW HLS HMW HUA HUW "
        "HWA HWW LAE LEW MEP NIC NMN NPT NUW RHW RMT RWT SMW SPS SPW SQW SSA SSW SVA SVR SVS TOA TOE TOR TRA TRW TSA "
        "TSW VOW WSA WSW"
    )
    codes = {}
    for event in {event for events in EVENTS_BY_CATEGORY.values() for event in events}:
        info = SCHEMA.to_dict(to_cap(AlertDraft(event=event), ISSUE))["info"][0]
        (code,) = info["eventCode"]
        assert (code["valueName"], code["value"] in eas.split()) == ("SAME", True), event
        codes[event] = code["value"]
    assert (codes["Tornado Warning"], codes["Missing Child"], codes["Boil Order"]) == ("TOR", "MEP", "CEM")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Boulder OEM: Tornado near Boulder. Take shelter now until 6 PM MST.", "en-US"),
        ("EVACUATE LOS ANGELES AND EL MONTE NOW", "en-US"),
        ("Gas leak", "en-US"),
        ("[who]: Incendio en [place]. Evacúe ya.", "es-US"),
        ("ALERTA: TORNADO CERCA DE BOULDER. BUSQUE REFUGIO AHORA", "es-US"),
        ("Avis d'évacuation : quittez la zone avec vos papiers.", "fr-US"),
        ("Cảnh báo lũ lụt. Hãy di tản ngay.", "vi-US"),
        ("龙卷风警告", "und"),
    ],
)
def test_an_exported_alert_states_the_language_of_its_text(text: str, language: str) -> None:
    info = SCHEMA.to_dict(to_cap(AlertDraft(event="Tornado Warning", sms=text), ISSUE))["info"][0]
    assert info["language"] == language


@pytest.mark.parametrize(
    ("fields", "responses"),
    [
        ({"sms": "Wildfire. Evacuate now."}, ["Evacuate"]),
        ({"sms": "Tornado. Quédese adentro. Permanezca en casa."}, ["Shelter"]),
        ({"sms": "Zone A: evacuate now.", "instructions": "Zone B: get ready to leave."}, ["Evacuate", "Prepare"]),
        ({"sms": "Boil all water before drinking."}, ["Execute"]),
        ({"sms": "Gas leak on Elm Street. Avoid the area."}, ["Avoid"]),
        ({"sms": "No use el agua ni aunque la hierva. No regrese a la zona."}, ["Avoid"]),
        ({"sms": "The fire is out.", "follow_up": "all clear"}, ["AllClear"]),
        ({"sms": "This is a test. Evacuate now.", "event": "Routine Weekly Test"}, ["None"]),
        ({"sms": "Road closed."}, None),
    ],
)
def test_the_orders_in_the_text_give_the_response_types(fields: dict[str, Any], responses: list[str] | None) -> None:
    document = SCHEMA.to_dict(to_cap(AlertDraft(**{"event": "Wildfire", **fields}), ISSUE))
    assert document["info"][0].get("responseType") == responses


def test_an_exported_alert_has_the_outline_and_the_codes_of_each_place() -> None:
    draft = AlertDraft(event="Wildfire", sms="Wildfire. Evacuate now.", jurisdiction="some", regions=[1, 2])
    boulder, unknown = SCHEMA.to_dict(to_cap(draft, ISSUE, {1: BOULDER}))["info"][0]["area"]
    assert (boulder["areaDesc"], boulder["polygon"]) == (BOULDER.name, list(BOULDER.polygons))
    assert [(each["valueName"], each["value"]) for each in boulder["geocode"]] == [
        *BOULDER.codes,
        ("muster:regionId", "1"),
    ]
    assert (unknown["areaDesc"], "polygon" in unknown) == ("Region 2", False)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_gives_a_valid_cap_document(sms: str, name: str) -> None:
    """Including markup, control characters, and unpaired surrogates."""
    draft = AlertDraft(event="Gas Leak", category="Infra", sms=sms, contact_name=name, contact_division=name)
    SCHEMA.validate(to_cap(draft, Issue(name or "x", name or "y", NOW)))


@pytest.mark.parametrize(
    ("follow_up", "kind"), [("", "Alert"), ("extension", "Update"), ("false alarm", "Cancel"), ("all clear", "Update")]
)
def test_a_follow_up_has_the_cap_message_type_and_reference_of_its_alert(follow_up: Any, kind: str) -> None:
    issue = Issue("2", "desk@city.example", NOW, references="desk@city.example,1,2026-11-22T17:00:00-00:00")
    document = SCHEMA.to_dict(to_cap(AlertDraft(event="Gas Leak", category="Infra", follow_up=follow_up), issue))
    assert document["msgType"] == kind
    assert document["references"] == issue.references


@pytest.mark.parametrize(
    ("is_sent", "event", "status"),
    [(False, "Gas Leak", "Draft"), (True, "Gas Leak", "Actual"), (True, "Routine Weekly Test", "Test")],
)
def test_drafts_and_tests_have_their_own_cap_status(is_sent: bool, event: str, status: str) -> None:
    written = to_cap(AlertDraft(event=event), Issue("2", "desk@city.example", NOW, is_sent=is_sent))
    assert SCHEMA.to_dict(written)["status"] == status


# File, event, category, levels, hours, places or their codes, and the expected list of lost values.
EXPECTED: dict[str, tuple[str, str, str, int | None, list[str], list[str]]] = {
    "weather-flash-flood-watch-1.1": (
        *("Flash Flood Watch", "Met", "Expected Severe Possible", 1),
        ["030049"],
        ["<note>", "too long for a text message", "1 polygon or circle", "<effective>", "VTEC"],
    ),
    "weather-tornado-warning-wireless": (
        *("Tornado Warning", "Met", "Immediate Extreme Observed", 1),
        ["040027"],
        ["<code>: IPAWSv1.0", "<responseType>: Shelter", "SAME TOR"],
    ),
    "weather-tsunami-update": (
        *("Tsunami Warning", "Geo", "Immediate Extreme Likely", 1),
        ["Coasts of Alaska"],
        ["type “Update”", "<references>", "<incidents>", "<onset>", "<web>", "1 resource: Map"],
    ),
    "weather-thunderstorm-two-languages": (
        *("Severe Thunderstorm Warning", "Met", "Past Minor Observed", 1),
        ["Windsor - Leamington - Essex County"],
        ["1 other part: ", "fr-CA · ended", "event “thunderstorm”. Based on the code", "<audience>"],
    ),
    "civil-structure-fire-prefixed": (
        *("Structure Fire", "Fire", "Expected Minor Observed", 24),
        ["Yerong Creek Structure Fire"],
        ["The category Met. Muster selected Fire", "FuelType House"],
    ),
    "geology-earthquake": (
        *("Earthquake", "Geo", "Past Unknown Likely", 24),
        ["185 miles (298 km) NNE of Neiafu, Tonga", "186 miles (299 km) SSW of Apia, Samoa"],
        ["ends in 48 hours", "<contact>"],
    ),
    "civil-amber-alert": (
        *("Amber Alert", "Safety", "Immediate Severe Likely", 8),
        ["006037"],
        ["The event “Child Abduction”", "The category Rescue. Muster selected Safety", "<contact>"],
    ),
    "civil-boil-water-no-event": (
        *("", "Health", "Expected Moderate Observed", 22),
        ["80301", "80302"],
        ["The event “Civil Emergency Message”, which the service does not have", "The category Safety"],
    ),
    "civil-weekly-test": (
        *("Routine Weekly Test", "Other", "Unknown Minor Unknown", 1),
        ["Texas"],
        ["status “Test”", "scope “Restricted”", "<restriction>"],
    ),
    "civil-hazmat-1.0": (
        *("Chemical Emergency", "CBRNE", "Immediate Severe Likely", None),
        ["006037"],
        ["has no end", "SPILL chlorine"],
    ),
    "civil-road-closure-wrapped": (
        *("Road Closure", "Transport", "Immediate Minor Observed", 5),
        ["Lyons, CO", "Estes Park, CO"],
        [],
    ),
    "weather-wind-yellow": (
        *("", "Met", "Immediate Moderate Likely", 8),
        ["Kreis Flensburg"],
        ["“STURMBÖEN”", "WARNCELLID", "<altitude>", "<ceiling>", "GROUP WIND", "<contact>: Deutscher Wetterdienst"],
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_of_another_agency_opens_as_a_draft_and_lists_what_is_lost(name: str) -> None:
    event, category, levels, hours, places, lost = EXPECTED[name]
    opened = read_cap((EXAMPLES / f"{name}.xml").read_bytes(), now=NOW)
    draft = opened.draft
    assert (draft.event, draft.category, draft.hours) == (event, category, hours)
    assert f"{draft.urgency} {draft.severity} {draft.certainty}" == levels
    assert [*opened.places, *(code for area in opened.coded for code in area.codes)] == places
    assert draft.sms
    notes = "\n".join(opened.omitted)
    assert [line for line in lost if line not in notes] == []
    assert (draft.type, draft.jurisdiction, draft.stage) == (None, "some", "edit")


def test_every_example_file_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.iterdir()} == {*EXPECTED, "civil-evacuation-over"}


def test_a_cancellation_does_not_open_as_a_new_alert() -> None:
    with pytest.raises(NotCap, match=r"cancels an earlier one, so Muster cannot import it as a new alert"):
        read_cap((EXAMPLES / "civil-evacuation-over.xml").read_bytes(), now=datetime(2026, 11, 20, 15, tzinfo=UTC))


def test_an_expired_alert_does_not_open_as_a_new_one() -> None:
    with pytest.raises(NotCap, match=r"This CAP alert expired 2026-11-22 18:00 UTC\. Ask its sender for a newer one"):
        read_alert("<expires>2026-11-22T11:00:00-07:00</expires>")


def test_the_most_severe_active_part_of_a_file_opens_without_the_ended_parts() -> None:
    data, now = (CASES / "cap-ended-and-active.xml").read_bytes(), datetime(2026, 11, 26, 15, tzinfo=UTC)
    parts = cap_parts(data, now=now)
    assert [(part.event, part.urgency, part.areas, part.is_ended) for part in parts] == [
        ("Tornado Warning", "Past", ("Davidson County, TN",), True),
        ("Tornado Warning", "Immediate", ("Rutherford County, TN",), False),
        ("tornade", "Past", ("Davidson",), True),
    ]
    assert gravest_part(parts) == 1
    active = read_cap(data, now=now)
    draft = active.draft
    assert (draft.event, draft.urgency, draft.severity, draft.hours) == ("Tornado Warning", "Immediate", "Extreme", 5)
    assert draft.sms == "A tornado is on the ground near Murfreesboro moving east. Take shelter now."
    assert [area.codes for area in active.coded] == [("047149",)]
    assert draft.source == CapSource("Weather Office", datetime(2026, 11, 26, 14, tzinfo=UTC), is_over=False)
    ended = read_cap(data, now=now, part=0)
    assert ended.draft.sms == "The tornado warning for Davidson County has ended."
    assert ended.draft.source is not None
    assert ended.draft.source.is_over
    assert [area.codes for area in ended.coded] == [("047037",)]


def test_html_in_a_text_becomes_plain_text_and_comparison_signs_stay() -> None:
    written = "<p>Gas leak.<br/>Leave&nbsp;now.</p><ul><li>No flames</li></ul>"
    assert read_alert(f"<description>{escape(written)}</description>").draft.sms == "Gas leak.\nLeave now.\nNo flames"
    assert read_alert("<description><p>Leave <b>now</b></p></description>").draft.sms == "Leave now"
    plain = "Winds &lt; 50 mph, gusts &gt; 60 mph at AT&amp;T"
    assert read_alert(f"<description>{plain}</description>").draft.sms == "Winds < 50 mph, gusts > 60 mph at AT&T"


@pytest.mark.parametrize("nothing", ["None", "not applicable", "N/A."])
def test_a_text_such_as_none_is_read_as_empty(nothing: str) -> None:
    texts = "".join(f"<{name}>{nothing}</{name}>" for name in ("instruction", "contact", "description", "senderName"))
    draft = read_alert(texts).draft
    assert (draft.instructions, draft.contact_division, draft.sms) == ("", "", "Gas on Main Street")


@pytest.mark.parametrize(
    ("sent", "hours", "zone"),
    [("2026-11-22T10:30:00-07:00", 3, "UTC offset of the alert’s “sent” time"), ("2026-11-22T13:30:00", 0, "UTC")],
)
def test_an_end_without_a_utc_offset_gets_the_offset_of_the_sent_time_and_a_note(
    sent: str, hours: int, zone: str
) -> None:
    document = (
        f"<alert><identifier>1</identifier><sent>{sent}</sent><info><event>Gas Leak</event>"
        "<expires>2026-11-22T14:00:00</expires></info></alert>"
    )
    if not hours:
        with pytest.raises(NotCap, match="expired 2026-11-22 14:00 UTC"):
            read_cap(document, now=NOW)
        return
    opened = read_cap(document, now=NOW)
    assert opened.draft.hours == hours
    assert any(zone in line for line in opened.omitted)


def test_a_file_that_starts_with_a_blank_line_opens() -> None:
    data = (EXAMPLES / "civil-road-closure-wrapped.xml").read_bytes()
    for start in (b"\n", b"\xef\xbb\xbf\r\n  "):
        assert read_cap(start + data, now=NOW).draft.event == "Road Closure"


def test_the_text_for_wireless_alerts_becomes_the_text_message() -> None:
    opened = read_cap((EXAMPLES / "weather-tornado-warning-wireless.xml").read_bytes(), now=NOW)
    assert opened.draft.sms.startswith("Weather Service: TORNADO WARNING in this area until 12:30 PM CST.")
    assert opened.draft.text.startswith("At 1139 AM CST")


def test_an_email_address_or_phone_number_is_read_from_the_contact() -> None:
    draft = read_cap((EXAMPLES / "civil-boil-water-no-event.xml").read_bytes(), now=NOW).draft
    assert (draft.contact_email, draft.contact_phone) == ("desk@county.example", "3035550123")


def read_alert(parts: str) -> OpenedCap:
    alert = "<alert><identifier>1</identifier><info><event>Gas Leak</event><headline>Gas on Main Street</headline>"
    return read_cap(f"{alert}{parts}</info></alert>", now=NOW)


@pytest.mark.parametrize(
    ("contact", "phone", "is_listed"),
    [
        ("303-555-0123", "3035550123", False),
        ("(303) 555-0123", "3035550123", False),
        ("911", "911", False),
        ("desk@county.example, 311", "311", False),
        ("Jane Doe, 303-555-0123", "3035550123", True),
        ("Jane Doe, +1 303 555 0123, 303 555 0124", "3035550123", True),
        ("Room 204, Emergency Desk", "", True),
        ("Room 204, 555-0123", "", True),
        ("Emergency Desk", "", True),
        ("555-0123", "", True),
        ("desk@county.example", "", False),
    ],
)
def test_a_contact_that_cannot_be_read_is_listed_and_a_room_number_is_not_a_phone(
    contact: str, phone: str, is_listed: bool
) -> None:
    opened = read_alert(f"<contact>{contact}</contact>")
    assert opened.draft.contact_phone == phone
    assert (f"<contact>: {contact}" in opened.omitted) is is_listed


def read_area(parts: str) -> OpenedCap:
    return read_alert(f"<area><areaDesc>Cleveland, OK; McClain, OK</areaDesc>{parts}</area>")


def geocode(name: str, value: str) -> str:
    return f"<geocode><valueName>{name}</valueName><value>{value}</value></geocode>"


def test_area_codes_take_precedence_over_the_area_description() -> None:
    opened = read_area(geocode("SAME", "040027") + geocode("SAME", "040087") + geocode("UGC", "OKC027"))
    assert opened.coded == [CodedArea("Cleveland, OK; McClain, OK", ("040027", "040087", "OKC027"))]
    assert (opened.places, opened.draft.jurisdiction) == ([], "some")
    assert "Codes of" not in str(opened.omitted)


@pytest.mark.parametrize("codes", ["", geocode("SAME", ""), geocode("EMMA_ID", "DE012")])
def test_without_county_codes_the_area_description_gives_the_places(codes: str) -> None:
    opened = read_area(codes)
    assert (opened.places, opened.coded) == (["Cleveland, OK", "McClain, OK"], [])


def test_zip_codes_give_the_places_of_an_area_and_its_other_codes_are_stored() -> None:
    opened = read_area(geocode("SAME", "040027") + geocode("ZIP", "73069") + geocode("EMMA_ID", "DE012"))
    assert opened.places == ["73069"]
    assert opened.coded == [CodedArea("Cleveland, OK; McClain, OK", ("040027",), goes_by_zip=True)]
    assert opened.omitted[-1] == "Codes of “Cleveland, OK; McClain, OK”: EMMA_ID."


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_zip_code_is_ignored(value: str) -> None:
    assert read_area(geocode("ZIP", value)).places == ["Cleveland, OK", "McClain, OK"]
    assert read_area(geocode("ZIP", value) + geocode("SAME", "040027")).coded[0].goes_by_zip is False


def test_invalid_values_in_a_file_of_muster_are_reported() -> None:
    values = {"type": "9", "jurisdictionType": "ALL", "categoryId": "x", "eventGroup": "7", "zipToGroups": "true"}
    parts = "".join(
        f"<parameter><valueName>muster:{name}</valueName><value>{value}</value></parameter>"
        for name, value in [*values.items(), ("eventGroup", "7"), ("eventGroup", "8.0")]
    )
    opened = read_alert(parts)
    assert (opened.draft.type, opened.draft.jurisdiction, opened.draft.category_id) == (None, "", None)
    assert (opened.draft.groups, opened.draft.zip_to_groups) == ([7], False)
    assert opened.omitted[-5:-1] == [
        "The type “9” is not allowed.",
        "The jurisdiction “ALL” is not allowed.",
        "The notification category “x” is not allowed.",
        "The event group “8.0” is not allowed.",
    ]
    assert "ZIP codes" in opened.omitted[-1]


def test_without_a_description_the_headline_becomes_the_text() -> None:
    for none in ("", "<description/>"):
        opened = read_alert(none)
        assert (opened.draft.sms, opened.draft.text) == ("Gas on Main Street", "")
        assert "description" not in str(opened.omitted)


def test_every_event_code_maps_to_an_event_of_the_service() -> None:
    events = {event for events in EVENTS_BY_CATEGORY.values() for event in events}
    assert set(events_by_code().values()) <= events


BOMB = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><alert><identifier>&c;</identifier></alert>'
EXTERNAL_ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><alert><identifier>&x;</identifier></alert>'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "not valid XML"),
        ("hello", "not valid XML"),
        (b"\xff\xfe\x00", "not valid XML"),
        ("<alert/>", "no CAP alert"),
        ("<rss><channel/></rss>", "no CAP alert"),
        ("<a><alert><identifier>1</identifier></alert><alert><identifier>2</identifier></alert></a>", "2 CAP alerts"),
        ("<alert><identifier>1</identifier></alert>", "no <info>"),
        (BOMB, "document type"),
        (EXTERNAL_ENTITY, "document type"),
        ("<alert>" + " " * MOST_BYTES + "</alert>", "larger than"),
        (b'<?xml version="1.0" encoding="no-such"?><alert/>', "not valid XML"),
    ],
)
def test_a_file_that_is_not_an_alert_is_rejected_with_a_reason(data: bytes | str, words: str) -> None:
    with pytest.raises(NotCap, match=words):
        read_cap(data)


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_invalid_bytes_raise_no_other_error(data: bytes | str) -> None:
    with suppress(NotCap):
        read_cap(data)


@pytest.mark.parametrize("minutes", [1, 59, 60, 61])
def test_the_duration_is_rounded_up_to_full_hours(minutes: int) -> None:
    """An alert ends no sooner than the file says."""
    written = to_cap(AlertDraft(event="Gas Leak", hours=1), Issue("1", "s", NOW))
    opened = read_cap(written, now=NOW + timedelta(hours=1) - timedelta(minutes=minutes))
    assert opened.draft.hours == -(-minutes // 60)


def test_a_very_long_contact_is_read_quickly() -> None:
    """Quadratic time took hours at the size limit and blocked all sessions."""
    contact = "a" * (MOST_BYTES // 2)
    opened = read_cap(
        f"<alert><identifier>x</identifier><info><event>Wildfire</event><contact>{contact}</contact></info></alert>"
    )
    assert opened.draft.event == "Wildfire"


@pytest.mark.parametrize("expires", ["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-05:00"])
def test_an_end_outside_the_calendar_is_reported_as_unreadable(expires: str) -> None:
    opened = read_cap(
        f"<alert><identifier>x</identifier><info><event>Wildfire</event><expires>{expires}</expires></info></alert>"
    )
    assert opened.draft.hours is None
    assert any(expires in each for each in opened.omitted)
