"""The region picker and the recipients card under AppTest, on their own page with a running service."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextArea

from client import ServiceClient
from client.models.public_lookups import Regions
from client.resources.public_lookups import PublicLookups
from components.alerts.alert_session import DRAFT
from components.alerts.recipients import reach_map_view
from components.alerts.recipients.reach_map import COUNTIES
from components.alerts.recipients.reach_map_view import MAP_OPEN
from components.alerts.recipients.region_actions import (
    AREA_CORNERS,
    AREA_KIND,
    AREA_RING,
    KIND,
    STATE,
    TEXT,
)
from components.shell.session import OWNER, TOKEN
from components.streamlit_workarounds.icon_name import icon_name
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import RegionLookups, region_lookups
from domain.alerts.recipients.saved_areas import save_area, saved_areas
from domain.runtime.workspace import Workspace
from tests.app.form_fields import key_of
from tests.domain.alerts.recipients.sample_regions import REGIONS
from tests.running_service import RunningService

REFUSE_REGIONS_ONCE = {"fault": [{"kind": "status", "status": 401, "path": "/publicRegionIds/*", "times": 1}]}
BOULDER_CO = "Boulder, CO · city"
AREA_NAME = "public_alerts.areas.keep-name"
PASTED = """80301, 80302
Denver\tCO
2134
Springfield
Nowhere at all"""


def page() -> None:
    """Draw the picker, the recipients, and the undo button like the composer."""
    from components.alerts.alert_session import DRAFT, IS_PAGE_OUTDATED
    from components.alerts.recipients.reach_card import reach_card
    from components.alerts.recipients.region_picker import region_picker
    from components.alerts.sending.alert_editor import ALERT_EDITOR
    from components.edits.send_status_view import draw_undo
    from components.forms.form_view import FormView, sync_from_widgets
    from components.shell.session import require_workspace
    from domain.alerts.alert_form import ALERT_FORM
    from domain.alerts.alert_problems import alert_problems
    from domain.alerts.recipients.region_catalog import region_lookups

    workspace = require_workspace()
    IS_PAGE_OUTDATED.clear()
    draft = sync_from_widgets(ALERT_FORM, DRAFT)
    assert draft is not None
    region_picker(workspace, FormView(ALERT_FORM, draft, alert_problems(draft) if draft.checked else None))
    reach_card(draft, region_lookups(workspace))
    draw_undo(ALERT_EDITOR)


@dataclass
class Screen:
    """The page in a session, and its data."""

    app: AppTest
    workspace: Workspace

    @property
    def lookups(self) -> RegionLookups:
        return region_lookups(self.workspace)

    @property
    def draft(self) -> AlertDraft:
        draft = self.app.session_state[DRAFT.name]
        assert isinstance(draft, AlertDraft)
        return draft

    @property
    def page_text(self) -> str:
        """Return all text on the page."""
        kinds: list[Any] = [self.app.markdown, self.app.caption, self.app.error]
        return "\n".join(str(each.value) for kind in kinds for each in kind).replace("\\", "")

    @property
    def matches(self) -> list[str]:
        """Return the visible matches that can be added."""
        return [each.label.replace("\\", "") for each in self._match_buttons]

    @property
    def selected_labels(self) -> list[str]:
        """Return the labels of the visible selected places, whose buttons remove them."""
        name = f"{icon_name('Remove')} "
        labels = [each.label for each in self.app.button if str(each.key).startswith("public_alerts.chosen/")]
        return [each.removeprefix(name).replace("\\", "") for each in labels if each.startswith(name)]

    def run(self) -> Screen:
        self.app.run()
        assert not self.app.exception
        return self

    def choose(self, jurisdiction: str) -> Screen:
        self.app.radio(key=key_of(self.app, ALERT_FORM.name, self.draft.uid, "jurisdiction")).set_value(jurisdiction)
        return self.run()

    def search(self, text: str) -> Screen:
        self.app.text_input(key=TEXT.widget_key).set_value(text)
        return self.run()

    @property
    def _match_buttons(self) -> list[Any]:
        return [each for each in self.app.button if re.fullmatch(r"public_alerts\.region/\d+/add", str(each.key))]

    def add(self, label: str) -> Screen:
        next(each for each in self._match_buttons if each.label.replace("\\", "") == label).click()
        return self.run()

    @property
    def state_key(self) -> str:
        """Return the key of the field that selects a state with selected places."""
        return f"public_alerts.chosen/{self.draft.uid}/state"

    def show_state(self, state: str) -> Screen:
        self.app.selectbox(key=self.state_key).set_value(state)
        return self.run()

    def undo(self, step: str) -> Screen:
        button = self.app.button(key="public_alert.undo")
        assert button.label.replace("\\", "") == f"Undo: {step}"
        button.click()
        return self.run()

    def press(self, key: str) -> Screen:
        self.app.button(key=f"public_alerts.{key}").click()
        return self.run()


OpenPage = Callable[..., Screen]


@pytest.fixture
def open_page(use_service: Any) -> OpenPage:
    """Return a factory: `open_page(service, regions=[...])` is the page in a session after one run."""

    def open_picker(service: RunningService, *, is_loaded: bool = True, **fields: Any) -> Screen:
        used_server = use_service(service)
        client = ServiceClient(service.url, service.organization_id, service.username, service.password)
        workspace = used_server.workspace(client)
        app = AppTest.from_function(page, default_timeout=60)
        app.session_state[TOKEN.name] = used_server.sessions.open(workspace)
        app.session_state[OWNER.name] = None
        app.session_state[DRAFT.name] = AlertDraft(type=2, **fields)
        if is_loaded:
            assert region_lookups(workspace).wait()
        return Screen(app, workspace).run()

    return open_picker


@pytest.fixture(scope="module")
def demo() -> Iterator[RunningService]:
    """The demo organization: every region of the United States."""
    with RunningService(demo=True) as running:
        yield running


def test_places_are_found_during_typing_selected_and_removed(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo)
    assert "No recipients yet" in screen.page_text
    # No errors are shown before any input.
    assert "no place selected" not in screen.page_text
    assert not screen.app.text_input
    screen.choose("some")
    assert "No recipients: no place selected" in screen.page_text
    assert "73,934 places available, loaded just now" in screen.page_text
    screen.search("boulder")
    assert screen.matches[0] == BOULDER_CO
    assert len(screen.matches) == 8
    screen.search("boulder, co")
    assert screen.matches == [BOULDER_CO, "Boulder County, CO · county"]
    screen.add(BOULDER_CO)
    place = screen.draft.regions
    assert len(place) == 1
    screen.search("80302")
    screen.add("80302, CO · ZIP code")
    assert screen.draft.regions == [*place, 80302]
    assert "Selected places: 1 city, 1 ZIP code in Colorado" in screen.page_text
    # Next to its match, and with the icon at its name in the list.
    screen.press("region/80302/remove")
    assert screen.draft.regions == place
    assert screen.selected_labels == [BOULDER_CO]
    screen.press(f"chosen/{screen.draft.uid}/{place[0]}")
    assert screen.draft.regions == []
    screen.choose("all")
    assert "Entire jurisdiction" in screen.app.error[0].value
    assert not screen.app.text_input
    # The search restores its matches.
    screen.choose("some")
    assert screen.app.text_input(key=TEXT.widget_key).value == "80302"
    assert screen.matches == ["80302, CO · ZIP code"]


def test_the_largest_place_with_a_name_is_first_and_the_rest_is_counted_by_state(
    open_page: OpenPage, demo: RunningService
):
    screen = open_page(demo, jurisdiction="some").search("nashville")
    assert screen.matches[0] == "Nashville, TN · city"
    assert len(screen.matches) == 8
    left = screen.page_text.partition("Not shown: ")[2]
    assert re.match(r"([A-Z]{2} \d+(, )?)+\.", left)
    screen.add("Nashville, TN · city")
    assert "Selected places: Nashville, TN" in screen.page_text


def test_a_place_listed_twice_by_the_service_is_offered_once_with_both_ids(
    open_page: OpenPage, demo: RunningService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(PublicLookups, "list_regions", lambda _: REGIONS)
    screen = open_page(demo, jurisdiction="some").search("st louis county")
    assert screen.matches == ["St. Louis County, MN · county · listed 2 times"]
    screen.add(screen.matches[0])
    assert screen.draft.regions == [104, 105]
    screen.press("region/104/remove")
    assert screen.draft.regions == []


def test_all_matches_are_added_at_once_with_their_number_and_can_be_undone(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some", regions=[80302])
    screen.app.selectbox(key=STATE.widget_key).set_value("CO")
    screen.app.selectbox(key=KIND.widget_key).set_value("county")
    screen.run()
    assert "places match. Showing the best 8." in screen.page_text
    screen.press("regions.more")
    assert len(screen.matches) == 24
    assert screen.app.button(key="public_alerts.regions.add_all").label == "Add 64 places"
    assert "- Colorado: 64 counties" in screen.page_text
    screen.press("regions.add_all")
    assert len(screen.draft.regions) == 65
    assert "Every county in Colorado is selected (64)." in screen.page_text
    assert "Selected places: 1 ZIP code, 64 counties in Colorado" in screen.page_text
    # A long list is grouped by state, and only the opened state is shown.
    assert "- Colorado: 1 ZIP code, 64 counties" in screen.page_text
    assert screen.selected_labels == []
    screen.undo("add 64 places")
    assert screen.draft.regions == [80302]
    # The button is hidden if there are more matches than can be added at once.
    screen.app.selectbox(key=STATE.widget_key).set_value("TX")
    screen.app.selectbox(key=KIND.widget_key).set_value("zip")
    screen.run()
    assert "You can add 1,000 places at once. Narrow the search to add all." in screen.page_text
    screen.search("75")
    assert "At most" not in screen.page_text
    screen.search("nowhere at all")
    assert "No place with this name is available in the service (29,623 cities, 41,084 ZIP codes" in screen.page_text
    screen.press("regions.everywhere")
    assert screen.app.selectbox(key=STATE.widget_key).value == ""
    # Misspelled names are suggestions, which are selected individually.
    screen.search("Bouldr")
    for part in ("No place with this name", "Similar names", "4 similar places."):
        assert part in screen.page_text
    assert "public_alerts.regions.add_all" not in [button.key for button in screen.app.button]
    screen.search("Colorado Sprngs CO")
    assert "1 similar place." in screen.page_text
    screen.search("D.C.")
    assert "D.C. is a state. To see its places, select it in “State”." in screen.page_text


def _pasted_field(screen: Screen) -> TextArea:
    """Return the field of the pasted list, which has a new key whenever Muster sets its text."""
    return next(each for each in screen.app.text_area if each.label == "ZIP codes and names")


def test_a_pasted_list_adds_known_places_and_leaves_unknown_ones_to_fix(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some")
    _pasted_field(screen).set_value(PASTED)
    screen.press("regions.paste")
    assert len(screen.draft.regions) == 4
    assert "4 places were found." in screen.page_text
    assert "Muster read 2134 as 02134." in screen.page_text
    assert "“Springfield” is in 24 states" in screen.page_text
    assert "Not found (1 entry): Nowhere at all." in screen.page_text
    assert _pasted_field(screen).value == "Springfield\nNowhere at all"
    _pasted_field(screen).set_value("Springfield, IL")
    screen.press("regions.paste")
    assert len(screen.draft.regions) == 5
    assert _pasted_field(screen).value == ""


def test_a_place_that_is_no_longer_available_is_marked_and_can_be_removed(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some", regions=[80302, 77])
    assert screen.selected_labels == ["80302, CO · ZIP code", "Region 77 · not available"]
    assert "1 selected place isn’t available in the service" in screen.page_text
    screen.press("regions.remove_unknown")
    assert screen.draft.regions == [80302]
    # Many of them are a separate group next to the states.
    many = open_page(demo, jurisdiction="some", regions=[80301, 80302, *range(1, 40)])
    assert many.show_state("-").app.selectbox(key=many.state_key).options[-1] == "Not available · 39 places"
    assert len(many.selected_labels) == 39


def test_a_long_list_is_shown_by_state_and_page(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some")
    catalog = screen.lookups.regions.value
    assert catalog is not None
    ids = [place.id for state in ("TX", "CO") for place in catalog.search.find_places("", "zip", state)[:100]]
    screen = open_page(demo, jurisdiction="some", regions=ids)
    screen.show_state("TX")
    assert len(screen.selected_labels) == 60
    screen.press(f"chosen/{screen.draft.uid}/TX/{ids[0]}")
    assert len(screen.draft.regions) == 199
    # The label of the state has a new count, and the state is still open.
    assert screen.app.selectbox(key=screen.state_key).value == "TX"
    screen.press(f"chosen/{screen.draft.uid}/TX/remove")
    assert len(screen.draft.regions) == 100
    assert catalog.per_state(screen.draft.regions)[0].name == "Colorado"
    screen.press("regions.remove_all")
    assert screen.draft.regions == []
    screen.undo("remove 100 places")
    assert len(screen.draft.regions) == 100


def test_places_selected_besides_the_entire_jurisdiction_are_reported_with_two_ways_to_resolve_them(
    open_page: OpenPage, demo: RunningService
):
    screen = open_page(demo, jurisdiction="all", regions=[80301, 80302], checked=True)
    assert "2 places are still selected." in screen.page_text
    assert "the entire jurisdiction and 2 selected places." in screen.page_text
    screen.press("regions.only_these")
    assert screen.draft.jurisdiction == "some"
    assert "Selected places: 2 ZIP codes in Colorado" in screen.page_text
    screen.press(f"chosen/{screen.draft.uid}/80302")
    screen.choose("all")
    assert "1 place is still selected." in screen.page_text
    assert screen.app.button(key="public_alerts.regions.take_out").label == "Remove place"
    screen.press("regions.take_out")
    assert screen.draft.regions == []
    assert screen.app.error[0].value.startswith("**Entire jurisdiction**")


def test_an_unknown_jurisdiction_is_shown_until_it_is_changed(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="All", checked=True)
    assert "Unknown jurisdiction “All”" in screen.page_text
    assert len(screen.app.radio[0].options) == 4
    screen.choose("some")
    assert len(screen.app.radio[0].options) == 3
    assert "Select at least one place." in screen.page_text


def test_a_rejected_lookup_is_reported_at_its_field_and_the_selection_stays(open_page: OpenPage):
    with RunningService(demo=True, faults=REFUSE_REGIONS_ONCE) as service:
        screen = open_page(service, jurisdiction="some", regions=[80302, 77])
        assert "The service" in screen.app.error[0].value
        assert "Your selection is unchanged." in screen.page_text
        assert "The names appear when the list of places is loaded." in screen.page_text
        assert "Selected places: 2 places" in screen.page_text
        assert TEXT.widget_key not in [field.key for field in screen.app.text_input]
        screen.choose("all")
        screen.choose("some")
        assert screen.draft.regions == [80302, 77]
        screen.press("public_alerts.lookups-regions-retry".removeprefix("public_alerts."))
        assert screen.lookups.wait(30)
        screen.run()
        assert not screen.app.error
        assert screen.selected_labels == ["80302, CO · ZIP code", "Region 77 · not available"]


def test_the_page_shows_progress_and_is_usable_while_the_places_are_loading(
    open_page: OpenPage, demo: RunningService, monkeypatch: pytest.MonkeyPatch
):
    go = threading.Event()
    list_regions = PublicLookups.list_regions

    def wait_and_read(self: PublicLookups) -> Regions:
        assert go.wait(30)
        return list_regions(self)

    monkeypatch.setattr(PublicLookups, "list_regions", wait_and_read)
    screen = open_page(demo, is_loaded=False, jurisdiction="some", regions=[80302])
    assert "Loading the cities, ZIP codes, and counties" in screen.page_text
    assert "You can continue writing." in screen.page_text
    screen.choose("all")
    screen.choose("some")
    assert screen.draft.regions == [80302]
    go.set()
    assert screen.lookups.wait(30)
    screen.run()
    assert "Reading" not in screen.page_text
    # During a refresh, the old list is used.
    go.clear()
    screen.press("lookups-reload")
    assert "Loading the places again." in screen.page_text
    assert screen.app.text_input
    go.set()
    assert screen.lookups.wait(30)


def test_the_search_explains_alternative_names_and_incomplete_zip_codes(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some")
    screen.search("LA county")
    assert screen.matches == ["Los Angeles County, CA · county · matches “LA county”"]
    screen.search("Moore, Oklahoma")
    assert screen.matches[0] == "73160, OK · ZIP code · postal code for “Moore, Oklahoma”"
    screen.search("Bould")
    assert "No place is named “Bould”. These names contain it." in screen.page_text
    screen.search("8030")
    assert "“8030” is not a complete ZIP code" in screen.page_text
    assert screen.matches[:2] == ["08030, NJ · ZIP code", "80301, CO · ZIP code"]
    assert "public_alerts.regions.add_all" not in [button.key for button in screen.app.button]
    screen.search("Chicagoland")
    assert "No place with this name is available in the service" in screen.page_text


def test_selected_places_are_saved_under_a_name_for_the_organization_and_reused(
    open_page: OpenPage, demo: RunningService
):
    screen = open_page(demo, jurisdiction="some", regions=[80301, 80302])
    assert "No saved areas yet." in screen.page_text
    name = screen.app.text_input(key=AREA_NAME)
    assert name.label == "Save the 2 selected places as"
    name.set_value("  North   side ")
    screen.press("areas.keep")
    assert [area.regions for area in saved_areas(screen.workspace)] == [(80301, 80302)]
    other = open_page(demo, jurisdiction="some", regions=[80303])
    take = other.app.button(key="public_alerts.areas/North side/take")
    assert take.label == "North side · 2 places"
    take.click()
    other.run()
    assert other.draft.regions == [80303, 80301, 80302]
    assert "From the saved area “North side”, version 1: 2 places" in other.page_text
    assert "80301 and 80302, CO. About " in other.page_text
    # Saving under the same name creates a new version. An empty area cannot be saved.
    other.app.text_input(key=AREA_NAME).set_value("north side")
    other.press("areas.keep")
    (area,) = saved_areas(other.workspace)
    assert (area.version, len(area.regions)) == (2, 3)
    assert "From the saved area “north side”, version 2: 3 places" in other.page_text
    save_area(other.workspace, "North side", [80304], over=2)
    other.run()
    assert "demo changed the saved area “North side”. Version 3 has 1 place" in other.page_text
    other.press("areas/North side/newer")
    assert other.draft.regions == [80304]
    other.press("areas/North side/delete")
    assert saved_areas(other.workspace) != [], "the area is deleted only after a confirmation"
    other.app.button(key="saved_area-delete-confirm").click()
    other.run()
    assert saved_areas(other.workspace) == []
    assert other.draft.regions == [80304]
    assert (
        "The saved area “North side” was deleted. Check its places, which are still selected (1 place)"
        in other.page_text
    )


def test_a_saved_area_needs_a_name_and_a_concurrent_change_is_not_overwritten(
    open_page: OpenPage, demo: RunningService
):
    screen = open_page(demo, jurisdiction="some", regions=[80301])
    screen.press("areas.keep")
    assert "Enter a name." in screen.page_text
    assert saved_areas(screen.workspace) == []
    save_area(screen.workspace, "Meanwhile", [80304])
    screen.app.text_input(key=AREA_NAME).set_value("meanwhile")
    screen.press("areas.keep")
    assert "meanwhile" in screen.page_text
    assert [area.regions for area in saved_areas(screen.workspace)] == [(80304,)]
    assert screen.app.text_input(key=AREA_NAME).value == "meanwhile"


def test_the_population_of_the_selection_is_estimated_with_its_year(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some", regions=[80302])
    assert "About 30,000 residents (Census Bureau estimate for 2019)" in screen.page_text
    assert "residents (estimate" not in open_page(demo, jurisdiction="all").page_text


def test_places_in_a_drawn_area_are_counted_and_added(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some", regions=[80302])
    assert "Draw area" not in [each.label for each in screen.app.expander], "the map is drawn only on request"
    screen.app.toggle(key=MAP_OPEN.widget_key).set_value(True)
    screen.run()
    screen.app.button_group(key=AREA_KIND.widget_key).set_value("Radius")
    screen.run()
    assert "in this area, including counties that only touch the area." in screen.page_text
    screen.app.button(key="public_alerts.map.inside/counties").click()
    screen.run()
    assert "Boulder County, CO · county" in screen.selected_labels
    screen.app.button_group(key=AREA_KIND.widget_key).set_value("Corners")
    screen.run()
    screen.app.text_area(key=AREA_CORNERS.widget_key).set_value("north of town")
    screen.run()
    assert "Enter each corner as latitude and longitude" in screen.page_text
    screen.app.text_area(key=AREA_CORNERS.widget_key).set_value("40.1,-105.4 40.1,-105.1 39.9,-105.1 39.9,-105.4")
    screen.run()
    before = len(screen.draft.regions)
    screen.app.button(key="public_alerts.map.inside/zips").click()
    screen.run()
    added = len(screen.draft.regions) - before
    assert added > 1
    screen.undo(f"add {added} places")
    assert len(screen.draft.regions) == before


def test_a_freehand_shape_is_used_like_any_other_area(open_page: OpenPage, demo: RunningService):
    screen = open_page(demo, jurisdiction="some")
    screen.app.toggle(key=MAP_OPEN.widget_key).set_value(True)
    screen.run()
    screen.app.button_group(key=AREA_KIND.widget_key).set_value("Freehand")
    screen.run()
    assert "Draw the area on the map above" in screen.page_text
    screen.app.session_state[AREA_RING.name] = [(40.1, -105.4), (40.1, -105.1), (39.9, -105.1), (39.9, -105.4)]
    screen.run()
    assert "in this area, including counties that only touch the area." in screen.page_text
    assert re.search(r"In the ZIP codes: about [\d,]+ residents \(Census Bureau estimate for 2019\)", screen.page_text)
    screen.app.button(key="public_alerts.map.inside/counties").click()
    screen.run()
    assert "Boulder County, CO · county" in screen.selected_labels
    # The area belongs to this alert only.
    screen.app.session_state[DRAFT.name] = AlertDraft(type=2, jurisdiction="some")
    screen.run()
    assert "in this area" not in screen.page_text
    assert screen.app.toggle(key=MAP_OPEN.widget_key).value is True


def test_places_selected_on_the_map_are_added_and_removed(
    open_page: OpenPage, demo: RunningService, monkeypatch: pytest.MonkeyPatch
):
    """Boulder and Larimer County by their numbers. A county that the service does not offer is named."""
    picks = {COUNTIES: ["08013", "08069", "69100"]}
    monkeypatch.setattr(reach_map_view, "pinned_rows", lambda _, layer: dict(enumerate(picks.get(layer, []))))
    screen = open_page(demo, jurisdiction="some")
    screen.app.toggle(key=MAP_OPEN.widget_key).set_value(True)
    screen.run()
    assert "Selected on the map: **Boulder County, CO and Larimer County, CO**" in screen.page_text
    assert "The service does not have Rota, MP." in screen.page_text
    assert screen.app.button(key="public_alerts.map.add").label == "Add 2 places"
    screen.press("map.add")
    assert len(screen.draft.regions) == 2
    assert screen.app.button(key="public_alerts.map.remove").label == "Remove 2 places"
    screen.press("map.remove")
    assert screen.draft.regions == []
