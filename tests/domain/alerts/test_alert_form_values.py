"""The values of the composer's fields and of its draft, and the labels around them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box

from client.models.public_lookups import Region, Regions
from client.vocabulary.public_alerts import EVENTS_BY_CATEGORY, JURISDICTION_ALL
from domain.alerts.alert_form import ALERT_FORM, LABELS, categories_of
from domain.alerts.alert_templates import texts_in, texts_of
from domain.alerts.draft import AlertDraft, excerpt
from domain.alerts.filing_names import names_by_id
from domain.alerts.recipients.place_names import name_places, place_names, place_words
from domain.alerts.recipients.reach import reach_of
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_counties, us_places
from domain.alerts.wording.sms import measure
from domain.forms.form import Place

FULL: dict[str, Any] = {
    "title": "Storm",
    "text": "Take care.",
    "sms": "City: storm.",
    "instructions": "Stay inside.",
    "contact_name": "Desk",
    "contact_email": "desk@city.example",
    "contact_division": "OEM",
    "contact_phone": "311",
    "category": "Met",
    "event": "Tornado Warning",
    "urgency": "Immediate",
    "severity": "Extreme",
    "certainty": "Observed",
    "hours": 4,
    "type": 2,
    "notification_event_id": 2**60 + 1,
    "category_id": 7,
    "groups": [3, 1],
    "zip_to_groups": True,
    "goes_on": True,
}


def values(draft: AlertDraft, **fields: Any) -> dict[Place, Any]:
    """Return the values of these fields on the screen."""
    return {(draft.uid, name): value for name, value in fields.items()}


def read_field(draft: AlertDraft, name: str) -> Any:
    """Return the value that the field shows."""
    return ALERT_FORM.root.by_path[name].to_widget(getattr(draft, name))


def test_every_field_is_stored_and_shown_again() -> None:
    """Including IDs that a float cannot represent."""
    draft = AlertDraft()
    changed = ALERT_FORM.apply_input(draft, values(draft, **FULL))
    assert {name: getattr(changed, name) for name in FULL} == FULL
    assert {name: read_field(changed, name) for name in FULL} == FULL


def test_the_composer_and_the_region_picker_have_all_fields_of_a_draft() -> None:
    """A new field of the draft must be added to the screen."""
    picker = {"regions", "jurisdiction"}
    other_fields = {
        *(
            "uid",
            "follows",
            "follow_up",
            "translation_of",
            "template",
            "areas",
            "placeholders",
            "inserted_place",
            "words_after_place",
            "not_imported",
        ),
        *("end_written", "extends_until", "source", "template_saved_at"),
        *("sent_texts", "sent_event", "sent_regions"),
        *("stage", "checked", "refused", "written_at"),
    }
    assert set(AlertDraft.model_fields) == set(LABELS) | other_fields
    assert set(LABELS) == set(FULL) | picker


def test_fields_that_are_not_shown_stay_and_cleared_fields_become_empty() -> None:
    """Fields of another draft are ignored."""
    draft = AlertDraft(**FULL)
    assert ALERT_FORM.apply_input(draft, {}) == draft
    assert ALERT_FORM.apply_input(draft, values(AlertDraft(), sms="other")) == draft
    emptied = ALERT_FORM.apply_input(
        draft, values(draft, sms="", event=None, hours=None, groups=[], notification_event_id=None)
    )
    assert (emptied.sms, emptied.event, emptied.hours, emptied.groups) == ("", "", None, [])
    assert emptied.notification_event_id is None
    assert emptied.zip_to_groups is False, "the ZIP code flag needs groups"


def test_a_new_category_keeps_the_event_only_if_it_contains_it() -> None:
    """Wildfire is in Fire and Geo, Gas Leak in Infra and Safety."""
    for before, category in product(EVENTS_BY_CATEGORY, repeat=2):
        for event in EVENTS_BY_CATEGORY[before]:
            draft = AlertDraft(category=before, event=event)
            changed = ALERT_FORM.apply_input(draft, values(draft, category=category, event=event))
            expected = event if event in EVENTS_BY_CATEGORY[category] else ""
            assert (changed.category, changed.event) == (category, expected)


def test_an_event_outside_its_category_stays_until_the_category_changes() -> None:
    """The field shows an error until then."""
    draft = AlertDraft(category="Met", event="Earthquake")
    assert ALERT_FORM.apply_input(draft, values(draft, category="Met", event="Earthquake")).event == "Earthquake"
    assert categories_of("Wildfire") == ["Fire", "Geo"]
    assert categories_of("nothing") == []


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("303-555-0123", "3035550123"),
        ("(303) 555-0123", "3035550123"),
        ("303.555.0123", "3035550123"),
        ("303–555–0123", "3035550123"),
        ("+1 303 555 0123", "3035550123"),
        ("1-303-555-0123", "3035550123"),
        ("311", "311"),
        ("", ""),
        ("555-1234", "5551234"),
        ("30355501234", "30355501234"),
        ("303-555-0123 ext 4", "303-555-0123 ext 4"),
        ("３０３", "３０３"),
    ],
)
def test_a_phone_number_loses_its_dashes(typed: str, stored: str):
    """The service accepts digits only. Other text stays as typed and gets an error."""
    draft = AlertDraft()
    field = ALERT_FORM.field(draft, draft.uid, "contact_phone")
    assert field is not None
    assert field.from_widget(typed) == stored


@pytest.mark.parametrize(
    ("community", "groups", "is_kept"),
    [({}, [], False), ({}, [1], False), ({"contact_name": "Desk"}, [], False), ({"regions": [5]}, [1], True)],
)
def test_the_zip_flag_stays_only_with_a_community_and_groups(
    community: dict[str, Any], groups: list[int], is_kept: bool
) -> None:
    """All four combinations."""
    draft = AlertDraft(**community, groups=groups, zip_to_groups=True)
    assert ALERT_FORM.apply_input(draft, {}).zip_to_groups is is_kept


def test_an_outdated_option_name_changes_nothing() -> None:
    """The browser may still show the names of a list that was reloaded."""
    draft = AlertDraft(groups=[1, 2], category_id=4)
    assert ALERT_FORM.apply_input(draft, values(draft, groups=["Group 1"], category_id="Category 4")) == draft


def test_the_stage_of_a_draft_is_not_content() -> None:
    """A draft stays untouched when its review is opened."""
    draft = AlertDraft()
    assert draft.is_untouched
    assert draft.model_copy(update={"checked": True, "stage": "review", "refused": [("a", "b")]}).is_untouched
    assert not draft.model_copy(update={"jurisdiction": JURISDICTION_ALL}).is_untouched
    assert not draft.model_copy(update={"sms": " "}).is_untouched


@given(st.builds(AlertDraft, sms=st.text(), title=st.text(), hours=st.none() | st.integers(0, 99)))
def test_storing_the_shown_values_changes_nothing(draft: AlertDraft) -> None:
    """For every draft."""
    assert ALERT_FORM.apply_input(draft, values(draft, **{name: read_field(draft, name) for name in FULL})) == draft


def test_a_saved_text_has_only_the_texts_and_changes_nothing_else() -> None:
    """Levels and recipients are not part of it."""
    draft = AlertDraft(**FULL)
    texts = texts_of(draft)
    assert texts == {
        "sms": "City: storm.",
        "instructions": "Stay inside.",
        "title": "Storm",
        "text": "Take care.",
    }
    assert texts_in({**texts, "title": " ", "hours": 3, "sms": 5}) == {
        "instructions": "Stay inside.",
        "text": "Take care.",
    }
    assert excerpt("a\n b  c", 4) == "a b…"
    assert AlertDraft().subject == "No event yet"
    assert draft.subject == "Tornado Warning"


def isolate(character: str) -> str:
    """Return a character isolated from the text direction of its line."""
    return f"\u2068{character}\u2069"


def test_the_meter_gives_a_summary_and_names_special_characters() -> None:
    """Each kind of character once, with its name, first position, and count."""
    assert measure("Take shelter now.").words.endswith("plain characters")
    typed = measure("“Now”, “now”")
    assert typed.words.endswith("special characters")
    assert typed.costly_words == (
        f"Special characters reduce a message part from 160 to 70 characters: {isolate('“')} (left double "
        "quotation mark, "
        f"position 1 and 1 more) and {isolate('”')} (right double quotation mark, position 5 and 1 more)."
    )
    assert "from 153 to 67 characters" in measure("é—" * 50).costly_words
    assert measure("a\u200bb").costly_words.endswith(": zero width space (position 2).")
    assert measure("👨‍👩‍👧 safe").costly_words.endswith(f": {isolate('👨‍👩‍👧')} (man, 5 characters, position 1).")
    assert measure("5 €").doubled_words == f"Characters that count as 2: {isolate('€')} (euro sign, position 3)."


def test_places_are_listed_by_name_and_state() -> None:
    """Of many places the first, which are the largest if sizes are known. Readers know their place by these names."""
    catalog = RegionCatalog(
        Regions(
            cities=[Region(id=number, name=name, state="CO") for number, name in enumerate(["Lyons", "Erie", "Ward"])],
            zipcodes=[Region(id=80302, name="80302", state="CO")],
            counties=[Region(id=90, name="Laramie", state="WY")],
        )
    )
    two = AlertDraft(regions=[0, 1])
    assert place_names(two, catalog) == ["Lyons, CO", "Erie, CO", "Lyons", "Erie", "CO", "Colorado"]
    assert place_words(two, catalog) == "Lyons and Erie, CO"
    assert place_words(AlertDraft(regions=[0, 1, 80302]), catalog) == "Lyons, Erie, and 80302, CO"
    assert (
        place_words(AlertDraft(regions=[0, 1, 90, 80302]), catalog) == "Lyons, CO, Erie, CO, Laramie, WY, and 80302, CO"
    )
    assert place_names(two, None) == []
    assert place_words(AlertDraft(), catalog) == ""


def test_many_zip_codes_are_listed_by_their_cities() -> None:
    """A text to the ZIP codes of a city names the city, which is enough to say where."""
    zip_codes = [Region(id=int(code), name=code, state="CO") for code in ("80301", "80302", "80303", "80304", "80540")]
    catalog = RegionCatalog(
        Regions(
            cities=[Region(id=1, name="Boulder", state="CO"), Region(id=2, name="Lyons", state="CO")],
            zipcodes=zip_codes,
            counties=[],
        ),
        us_places(),
    )
    of_boulder = AlertDraft(regions=[80301, 80302, 80303, 80304])
    assert place_words(of_boulder, catalog) == "Boulder, CO"
    assert place_words(AlertDraft(regions=[*of_boulder.regions, 80540]), catalog) == "Boulder and Lyons, CO"
    assert place_words(AlertDraft(regions=[80302]), catalog) == "80302, CO"
    assert name_places([*of_boulder.regions, 80540], catalog).in_short == "Boulder and Lyons, CO"
    assert "Boulder" in place_names(AlertDraft(regions=[80302]), catalog)
    recipients = reach_of(AlertDraft(jurisdiction="some", regions=[80302, 1]), catalog, {})
    assert recipients.headline.details == ("80302, CO · ZIP code · Boulder", "Boulder, CO · city")


def test_the_largest_of_many_counties_are_named_and_a_whole_state_by_its_name() -> None:
    counties = ["Adams County", "Boulder County", "Denver County", "El Paso County", "Gilpin County", "Weld County"]
    of_delaware = ["Kent County", "New Castle County", "Sussex County"]
    catalog = RegionCatalog(
        Regions(
            cities=[],
            zipcodes=[],
            counties=[
                *(Region(id=at, name=name, state="CO") for at, name in enumerate(counties)),
                *(Region(id=10 + at, name=name, state="UT") for at, name in enumerate(["Utah County", "Wayne County"])),
                *(Region(id=20 + at, name=name, state="DE") for at, name in enumerate(of_delaware)),
            ],
        ),
        us_places(),
    )
    five, both = name_places(range(5), catalog), name_places([0, 1, 2, 3, 10, 11], catalog)
    assert five.in_text == "Denver County, El Paso County, Adams County, and 2 more in Colorado"
    assert five.in_short == "Denver County, CO and 4 more"
    assert both.in_text == "Denver County, CO, El Paso County, CO, Utah County, UT, and 3 more in Colorado and Utah"
    assert name_places(range(6), catalog).in_short == "Denver County, CO and 5 more", (
        "Colorado has more counties than the list"
    )
    assert name_places(range(20, 23), catalog)[:2] == ("Delaware", "Delaware")
    assert name_places([*range(20, 23), 10], catalog)[:2] == (
        "Delaware and Utah County, UT",
        "Delaware and Utah County, UT",
    )


def test_whole_states_that_are_not_named_are_counted_with_the_other_states() -> None:
    whole = {"DE": 3, "HI": 5, "NH": 10, "RI": 5, "VT": 14}
    offered = [county for county in us_counties().touched_by(box(-180, -90, 180, 90)) if county.state in {*whole, "UT"}]
    catalog = RegionCatalog(
        Regions(
            cities=[],
            zipcodes=[],
            counties=[Region(id=at, name=each.name, state=each.state) for at, each in enumerate(offered)],
        ),
        us_places(),
    )
    ids = {state: [at for at, each in enumerate(offered) if each.state == state] for state in [*whole, "UT"]}
    assert {state: len(ids[state]) for state in whole} == whole
    five = [at for state in whole for at in ids[state]]
    begin = "Delaware, Hawaii, New Hampshire, and"
    assert name_places(five, catalog).in_text == f"{begin} 2 more states"
    assert name_places([*five, ids["UT"][0]], catalog).in_text == f"{begin} 3 more in Rhode Island, Utah, and Vermont"


def test_names_are_sorted_and_equal_names_show_their_ids() -> None:
    """Records without a name are last."""
    assert list(names_by_id([(3, "b"), (2, None), (1, "A"), (5, "b"), (None, "lost")]).items()) == [
        (1, "A"),
        (3, "b (ID 3)"),
        (5, "b (ID 5)"),
        (2, "No name (ID 2)"),
    ]


def test_a_name_that_already_contains_an_id_stays_unique() -> None:
    names = names_by_id([(1, "Flood"), (2, "Flood"), (3, "Flood (ID 2)")])
    assert len(set(names.values())) == 3
