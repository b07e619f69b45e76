"""Advice about a text that names a place far from the recipients of the alert."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

from client.models.public_lookups import Regions
from domain.alerts.draft import CORRECTION, AlertDraft
from domain.alerts.recipients.place_contradictions import (
    find_smaller_area,
    followed_place_advice,
    place_advice,
    smaller_area_advice,
    unnamed_place_advice,
)
from domain.alerts.recipients.place_names import place_names
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.alerts.sending.facts import questions_before_sending
from domain.alerts.sending.hints import find_hints
from domain.alerts.wording.follow_ups import follow_up
from domain.alerts.wording.wording_checks import wording_checks
from tests.domain.alerts.recipients.sample_regions import CATALOG, region

CITIES = {
    1: ("Norman", "OK"),
    2: ("Dallas", "TX"),
    3: ("Dallas", "GA"),
    4: ("Fort Worth", "TX"),
    5: ("Normal", "IL"),
    6: ("Effect", "TX"),
    7: ("Oklahoma City", "OK"),
    8: ("New York", "NY"),
    9: ("Nashville", "IN"),
    10: ("Nashville", "TN"),
    11: ("Hazard", "KY"),
    12: ("Broadway", "VA"),
    13: ("California", "MD"),
    14: ("Moore", "ID"),
}


@cache
def build_catalog() -> RegionCatalog:
    """Return a catalog with the positions of its places."""
    regions = Regions(
        cities=[region(at, name, state) for at, (name, state) in CITIES.items()],
        counties=[region(101, "Dallas County", "TX"), region(102, "Cleveland County", "OK")],
        zipcodes=[region(73071, "73071", "OK"), region(10001, "10001", "NY")],
    )
    return RegionCatalog(regions, us_places())


def list_advice(text: str, *regions: int, jurisdiction: str = "some") -> list[str]:
    """Return the advice for a text that is sent to these places."""
    return [
        each.words
        for each in place_advice(
            AlertDraft(jurisdiction=jurisdiction, regions=list(regions), sms=text), build_catalog()
        )
    ]


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("Tornado in Dallas. Take shelter now.", [1]),
        ("TORNADO IN DALLAS TAKE SHELTER NOW", [1]),
        ("TORNADO WARNING FOR DALLAS COUNTY TX UNTIL 9 PM", [1]),
        ("Tornado near downtown Dallas until 9 pm.", [73071]),
        ("Flooding in Dallas County, TX.", [102]),
        ("Fire in Dallas, Texas.", [3]),
        ("Police activity in New York. Stay inside.", [10]),
        ("Wildfire in California. Leave now.", [1]),
        ("Boil water in 10001 until noon.", [73071]),
    ],
)
def test_a_text_that_names_a_place_far_from_the_recipients_is_reported(text: str, regions: list[int]):
    found = list_advice(text, *regions)
    assert len(found) == 1
    assert "Change one of them." in found[0]


def test_the_advice_names_the_place_in_the_text_the_recipients_and_the_distance():
    (found,) = list_advice("Tornado in Dallas. Take shelter now.", 1)
    assert found.startswith("The text says “in Dallas”, but the alert goes to Norman, OK, ")
    assert " km (" in found


@pytest.mark.parametrize(
    "text",
    [
        "CORRECTION from City of Dallas: This replaces our alert for Dallas. Gas leak in Fort Worth. Leave now.",
        "CORRECTION: The gas leak is in Fort Worth, not in Dallas. Leave now.",
        "CORRECTION: Gas leak on Elm Street, Fort Worth. Leave now.",
        "CORRECCIÓN: La fuga de gas es en Fort Worth, no en Dallas. Salga ahora.",
        "CORRECTION: The gas leak is near downtown Fort Worth. Leave now.",
    ],
)
def test_a_correction_that_moves_the_danger_to_a_near_town_is_reported(text: str):
    sent = {"sms": "Gas leak on Elm Street in Dallas. Leave now."}
    draft = AlertDraft(jurisdiction="some", regions=[2], follow_up=CORRECTION, sms=text, sent_texts=sent)
    (found,) = place_advice(draft, build_catalog())
    assert "Fort Worth”, but the alert goes to Dallas, TX" in found.words
    same = "CORRECTION: The gas leak is on Elm Street, Dallas, not Main Street. Shelter: Oak School, Fort Worth."
    assert place_advice(draft.model_copy(update={"sms": same}), build_catalog()) == []


def test_the_advice_names_selected_places():
    (found,) = list_advice("Tornado in Dallas. Take shelter now.", 1, 7)
    assert "the alert goes to Oklahoma City and Norman, OK, " in found


@pytest.mark.parametrize("text", ["Wildfire in Oklahoma. Leave now.", "WILDFIRE IN OKLAHOMA LEAVE NOW"])
def test_a_text_that_names_a_state_is_reported_if_only_part_of_it_is_selected(text: str):
    (found,) = list_advice(text, 1, 102)
    assert "but the alert goes to only part of it. Name Norman and Cleveland County, OK." in found


def test_a_place_outside_the_selected_places_fails_the_place_check():
    """The check fails and names the place to write."""
    draft = AlertDraft(
        jurisdiction="some", regions=[1], sms="City of Norman: Tornado in Dallas. Go inside. Until 9 pm."
    )
    checks = {each.name: each for each in wording_checks(draft, place_names(draft, build_catalog()))}
    assert checks["Place"].ok
    checked = wording_checks(
        draft, place_names(draft, build_catalog()), is_elsewhere=bool(place_advice(draft, build_catalog()))
    )
    (place,) = [each for each in checked if each.name == "Place"]
    assert (place.ok, place.words) == (False, "Name the place that receives the alert. You selected Norman, OK.")


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        ("Tornado in Norman. Take shelter now.", [1]),
        ("TORNADO IN NORMAN TAKE SHELTER NOW", [1]),
        ("Tornado near Oklahoma City.", [1]),
        ("Storm moving from Dallas toward Norman.", [1]),
        ("Storm in Dallas, heading for Norman.", [1, 2]),
        ("Tornado in Dallas.", [3]),
        ("Tornado in Dallas.", [101]),
        ("Shelters for Fort Worth are open.", [101]),
        ("Tornado in Nashville.", [9]),
        ("Stay inside. In Monday's storm trees fell.", [1]),
        ("WARNING IN EFFECT UNTIL 9 PM", [1]),
        ("CHEMICAL HAZARD. STAY INSIDE", [1]),
        ("Back to normal in town. Thanks for all.", [1]),
        ("Take shelter now.", [1]),
        ("Tornado in Dallas.", []),
        ("Tornado in Atlantis.", [1]),
        ("Boil water in 73071 until noon.", [73071]),
        ("Norman: wildfire in Oklahoma. Leave now.", [1]),
        ("Power is out in New York.", [8]),
        ("Flood on the creek at Broadway.", [1]),
        ("Tornado in Moore.", [1]),
        ("PRAY FOR ME", [1]),
    ],
)
def test_nearby_places_namesakes_and_ordinary_words_are_not_reported(text: str, regions: list[int]):
    """A neighbor, a namesake, one of several places, or an ordinary word."""
    assert list_advice(text, *regions) == []


def test_without_places_or_place_data_nothing_is_reported():
    assert list_advice("Tornado in Dallas.", 1, jurisdiction="all") == []
    draft = AlertDraft(jurisdiction="some", regions=[1], sms="Tornado in Dallas.")
    assert place_advice(draft, None) == place_advice(draft, CATALOG) == []


def list_unnamed_place_advice(text: str, *regions: int) -> list[str]:
    draft = AlertDraft(jurisdiction="some", regions=list(regions), sms=text)
    return [each.words for each in unnamed_place_advice(draft, build_catalog())]


def test_a_far_selected_place_that_the_text_does_not_name_can_be_removed():
    draft = AlertDraft(jurisdiction="some", regions=[1, 7, 10001], sms="Tornado near Norman. Go inside.")
    (found,) = unnamed_place_advice(draft, build_catalog())
    assert found.words == (
        "The alert goes to 10001, NY (New York), far from its other places. The text does not name it."
    )
    assert [(fix.label, fix.changes) for fix in found.fixes] == [("Remove 10001, NY (New York)", {"regions": [1, 7]})]


@pytest.mark.parametrize(
    ("text", "regions", "far"),
    [
        ("Tornado near Norman and Dallas.", [1, 2], None),
        ("Tornado near Norman.", [1, 2], "Dallas, TX"),
        ("Tornado near Dallas, Georgia, and Dallas, TX.", [2, 3], None),
        ("Tornado near you.", [1, 7, 102], None),
        ("Power is out in New York.", [1, 10001], "Norman, OK"),
        ("Tornado near you.", [1], None),
        ("Tornado near you.", [1, 999], None),
    ],
)
def test_a_far_place_is_listed_unless_the_text_names_it(text: str, regions: list[int], far: str | None):
    """Far places that are close to each other form one group."""
    found = list_unnamed_place_advice(text, *regions)
    assert len(found) == (far is not None)
    assert far is None or f"goes to {far}, far from" in found[0]


def test_each_of_several_far_places_that_the_text_does_not_name_can_be_removed():
    """The largest place may be the mistake, so Muster offers to remove each."""
    draft = AlertDraft(jurisdiction="some", regions=[1, 2], sms="Tornado near you.")
    (found,) = unnamed_place_advice(draft, build_catalog())
    assert found.words == (
        "The alert goes to Dallas, TX and Norman, OK, which are far from each other. The text does not "
        "say which place it is about."
    )
    assert [(fix.label, fix.changes) for fix in found.fixes] == [
        ("Remove Dallas, TX", {"regions": [1]}),
        ("Remove Norman, OK", {"regions": [2]}),
    ]
    (of_one_name,) = list_unnamed_place_advice("Tornado near Dallas.", 2, 3)
    assert "does not say which place" in of_one_name, "a name that several places share identifies none of them"


def test_of_places_with_the_same_name_the_used_one_is_first_then_the_largest():
    def first(*used: int) -> str:
        return build_catalog().search.find("dallas", "city", used=used).places[0].label

    assert first(3) == "Dallas, GA"
    assert first() == "Dallas, TX"


def test_each_language_of_a_text_must_name_a_place_of_the_recipients() -> None:
    english = "Tornado warning for Dallas County, TX. Take shelter.\n"
    spanish = "Aviso de tornado en el condado de {}, TX. Busque refugio ahora."
    other, own = (
        place_advice(
            AlertDraft(jurisdiction="some", regions=[101], text=english + spanish.format(name)), build_catalog()
        )
        for name in ("Tarrant", "Dallas")
    )
    assert "Tarrant" in other[0].words
    assert own == []


def test_a_correction_that_leaves_out_places_of_its_alert_is_reported():
    sent = AlertDraft(jurisdiction="some", regions=[1, 2], event="Tornado Warning", sms="Norman Police: tornado.")
    correction = follow_up(CORRECTION, sent, follows=7).model_copy(update={"regions": [1]})
    (found,) = followed_place_advice(correction, build_catalog())
    assert found.words.startswith("The alert that this one follows also went to Dallas, TX.")
    assert found.fixes[0].changes == {"regions": [1, 2]}
    assert followed_place_advice(correction.model_copy(update={"regions": [2, 1]}), build_catalog()) == []


@pytest.mark.parametrize(("regions", "is_found"), [([1, 2], False), ([2], False), ([8], True)])
def test_an_extension_that_goes_to_none_of_the_places_of_its_alert_is_reported(regions: list[int], is_found: bool):
    sent = AlertDraft(jurisdiction="some", regions=[1, 2], event="Tornado Warning", sms="Norman Police: tornado.")
    extension = follow_up("extension", sent, follows=7).model_copy(update={"regions": regions})
    assert bool(followed_place_advice(extension, build_catalog())) == is_found


def test_a_correction_that_names_another_place_is_reported_although_it_names_the_earlier_one():
    sent = AlertDraft(jurisdiction="some", regions=[1], event="Tornado Warning", sms="Tornado in Norman.")
    text = "CORRECTION from Norman Police: This replaces the alert sent at 14:05 for Norman. Tornado in Dallas, Texas."
    correction = follow_up(CORRECTION, sent, follows=7).model_copy(update={"sms": text})
    (found,) = place_advice(correction, build_catalog())
    assert "Dallas, Texas" in found.words


def test_the_office_that_sends_a_spanish_correction_does_not_name_its_place():
    sent = AlertDraft(jurisdiction="some", regions=[1], event="Gas Leak", sms="Norman Fire: gas leak in Norman.")
    text = "CORRECCIÓN de Bomberos de Norman: la fuga de gas es en Edmond, no en Norman. Salga ahora."
    correction = follow_up(CORRECTION, sent, follows=7).model_copy(update={"sms": text})
    (found,) = place_advice(correction, build_catalog())
    assert "en Edmond" in found.words


@pytest.mark.parametrize(
    ("text", "regions", "words"),
    [
        ("Evacuate Zone B now.", [1], "Evacuate Zone B"),
        ("Norman: the Larsh Park neighborhood must leave now.", [1], "Larsh Park neighborhood"),
        ("Tornado in Norman. Shelter now.", [102], "in Norman"),
        ("Boil water in 73071 until noon.", [1], "in 73071"),
        ("Tornado in Norman. Shelter now.", [1], ""),
        ("Tornado in Norman, Cleveland County. All of Cleveland County must shelter.", [102], ""),
        ("Leave the construction zone 5 area.", [1], ""),
        ("Tornado near you.", [102], ""),
        ("Gas leak at 412 Mason St. Leave the building now.", [102], "412 Mason St"),
        ("Gas leak at 412 Mason St. Leave the building now.", [1], ""),
        ("Flooding. Shelter at 412 Mason St.", [102], ""),
        ("Gas leak in the 1500 block of Pearl Street.", [102], "the 1500 block of Pearl"),
        ("Gas leak at 9th and Pine.", [102], "9th and Pine"),
        ("Fuga de gas en la esquina de la calle Main y la 4.", [102], "la esquina de la calle Main"),
        ("Fuga de gas en la calle Main 412.", [102], "la calle Main 412"),
        ("Inundación. Albergue en la calle Main 412.", [102], ""),
        ("Snow on the 9th and 10th of December.", [102], ""),
    ],
)
def test_a_text_about_a_smaller_area_than_the_recipients_is_found(text: str, regions: list[int], words: str):
    draft = AlertDraft(jurisdiction="some", regions=regions, sms=text)
    assert find_smaller_area(draft, build_catalog()) == words


@pytest.mark.parametrize(
    ("text", "words"), [("Gas leak at 412 Mason St.", "412 Mason St"), ("Zone 7: evacuate.", "Zone 7"), ("Snow.", "")]
)
def test_the_entire_jurisdiction_is_larger_than_a_street_or_a_zone(text: str, words: str):
    draft = AlertDraft(jurisdiction="all", sms=text)
    assert find_smaller_area(draft, build_catalog()) == words
    question = f"The text says “{words}”, but the alert goes to the entire jurisdiction."
    assert questions_before_sending(draft, build_catalog()) == ([question] if words else [])


def test_an_evacuation_zone_is_pointed_out_while_the_text_is_written():
    draft = AlertDraft(jurisdiction="some", regions=[1], sms="Norman Police: evacuate zone 7 now.")
    (found,) = smaller_area_advice(draft, build_catalog())
    assert found.words == (
        "The text says “evacuate zone 7”, but the alert goes to all of Norman, OK. Say what everyone else should do."
    )


def test_before_a_place_is_selected_no_place_is_compared():
    draft = AlertDraft(event="Wildfire", jurisdiction="some", sms="Wildfire near Dallas. Zone A: leave now.")
    hints = find_hints(draft, build_catalog(), now=datetime(2026, 11, 20, 21, 5, tzinfo=UTC), zone=None)
    assert [each.words for each in hints.advice] == []


def test_a_county_says_which_town_of_a_name_is_meant():
    """Without a state: Nashville in Indiana is in no Davidson County."""
    text = "Tornado in Nashville, Davidson County. Take shelter now."
    (found,) = list_advice(text, 9)
    assert found.startswith("The text says “Davidson County”, but the alert goes to Nashville, IN")
    assert list_advice(text, 10) == []
