"""The Find trip screen: look up pasted values, and open the trips that are found."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from client import ConnectionFailed
from client.models.itineraries import Itinerary, ItineraryReference
from client.resources.itineraries import Itineraries
from components.trips import lookup_view
from components.trips.lookup_view import BOX_HEIGHT, BY, TEXT
from domain.runtime import screens
from domain.runtime.background import BackgroundReads
from domain.trips.editor.form_state import from_itinerary
from domain.trips.editor.trip_change import TRIP_EDIT
from domain.trips.lookup import LookupBy
from journal import RosterEntry, Traveler
from tests.app.presses import page_text as all_text
from tests.app.presses import press
from tests.domain.trips.editor.sample_trips import send_trip
from tests.domain.trips.trip_builders import good_trip
from tests.running_service import RunningService


def create_trip(service: RunningService, pnr: str, external_id: str | None = None) -> int:
    with service.client() as client:
        return client.itineraries.create(trip(pnr, external_id)).id


def trip(pnr: str, external_id: str | None = None) -> Itinerary:
    return good_trip().model_copy(update={"pnr": pnr, "external_itinerary_id": external_id})


def page_text(app: AppTest) -> str:
    assert not app.exception, app.exception
    parts = [*app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.code, *app.title]
    return "\n".join(str(part.value) for part in parts)


def list_links(app: AppTest) -> list[str]:
    return [link.proto.label for link in app.get("page_link") if link.proto.label.startswith("Open ")]


def find(app: AppTest, text: str) -> AppTest:
    app.text_area(key=TEXT.widget_key).set_value(text)
    return app.button[0].click().run()


def test_a_trip_whose_sending_has_status_unknown_is_first(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.FIND_TRIP.page)
    audit, actor = signed_in.workspace.journal.audit, signed_in.workspace.actor
    entry = audit.begin(
        actor, "itinerary.create", subject_kind="itinerary", subject_name="WSVM7K", request={"draft": "d1"}
    )
    audit.finish(entry, state="unknown")
    [link] = [each.proto for each in app.run().get("page_link") if each.proto.label.startswith("Check")]
    assert (link.label, link.page, link.query_string) == ("Check WSVM7K", "trip-editor", "draft=d1")


def test_the_empty_screen_explains_how_to_begin(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.FIND_TRIP.page).run()
    assert "Paste one or more record locators" in page_text(app)
    assert list_links(app) == []


def test_an_empty_search_asks_for_a_value(service: RunningService, signed_in: Any) -> None:
    app = find(signed_in(service, screens.FIND_TRIP.page).run(), " , ")
    assert "Enter at least one record locator, external ID, or name" in page_text(app)


def test_a_long_list_of_missing_trips_scrolls(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights: list[Any] = []
    code = st.code
    monkeypatch.setattr(
        st, "code", lambda *arguments, **options: heights.append(options.get("height")) or code(*arguments, **options)
    )
    app = find(signed_in(service, screens.FIND_TRIP.page).run(), "NOSUCH")
    find(app, "Q" * 10_000)
    assert heights == ["content", BOX_HEIGHT]


def test_results_are_shown_by_value(service: RunningService, signed_in: Any) -> None:
    first, second = create_trip(service, "AAA111"), create_trip(service, "BBB222")
    app = signed_in(service, screens.FIND_TRIP.page).run()
    app.text_area(key=TEXT.widget_key).set_value("AAA111, nope1;BBB222\n AAA111\tnope2")
    app.button[0].click().run()
    text = page_text(app)
    assert "2 trips found for 2 of 4 record locators · 2 not found" in text
    assert "Repeated values: AAA111" in text
    assert list_links(app) == ["Open AAA111", "Open BBB222"]
    assert f"`{first}`" in text
    assert f"`{second}`" in text
    assert [code.value for code in app.code] == ["nope1, nope2"]


def test_a_query_in_the_url_is_looked_up_immediately_and_fills_the_form(
    service: RunningService, signed_in: Any
) -> None:
    create_trip(service, "AAA111", "ext-1")
    app = signed_in(service, screens.FIND_TRIP.page, q="ext-1 ext-2", by="external-id").run()
    assert len(list_links(app)) == 1
    assert "1 trip found for 1 of 2 external IDs · 1 not found" in page_text(app)
    assert app.text_area(key=TEXT.widget_key).value == "ext-1 ext-2"


def test_a_new_query_in_the_url_replaces_the_query_in_the_form(service: RunningService, signed_in: Any) -> None:
    for locator in ("AAA111", "BBB222", "CCC333"):
        create_trip(service, locator)
    app = signed_in(service, screens.FIND_TRIP.page, q="AAA111", by="both").run()
    app.text_area(key=TEXT.widget_key).set_value("BBB222")
    app.button[0].click().run()
    assert list_links(app) == ["Open BBB222"]
    app.query_params["q"] = "CCC333"
    app.run()
    assert app.text_area(key=TEXT.widget_key).value == "CCC333"
    assert list_links(app) == ["Open CCC333"]


def test_the_query_is_in_the_url(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.FIND_TRIP.page).run()
    app.text_area(key=TEXT.widget_key).set_value("AAA111 BBB222")
    app.radio(key=BY.widget_key).set_value(LookupBy.BOTH)
    app.button[0].click().run()
    assert app.query_params["q"] in ("AAA111 BBB222", ["AAA111 BBB222"])
    assert app.query_params["by"] in ("both", ["both"])


def test_a_query_too_long_for_the_url_works_with_a_note(service: RunningService, signed_in: Any) -> None:
    create_trip(service, "AAA111")
    app = signed_in(service, screens.FIND_TRIP.page).run()
    app.text_area(key=TEXT.widget_key).set_value(
        " ".join(["AAA111", *(f"AVERYVERYLONGLOCATOR{n}" for n in range(299))])
    )
    app.button[0].click().run()
    assert "q" not in app.query_params
    assert "too long for a link" in page_text(app)
    assert "1 trip found for 1 of 300 record locators · 299 not found" in page_text(app)


def test_values_beyond_the_limit_are_left_out_with_a_warning(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.trips.lookup.parse_values.__defaults__", (2,))
    app = signed_in(service, screens.FIND_TRIP.page, q="A B C").run()
    assert "Muster looks up the first 2 values. 1 value was not searched." in page_text(app)
    assert "0 trips found for 0 of 2 record locators" in page_text(app)


def test_all_trips_with_the_same_record_locator_are_shown(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = [ItineraryReference(id=7), ItineraryReference(id=2**53 + 1)]
    monkeypatch.setattr(Itineraries, "search", lambda *_, **__: two)
    app = signed_in(service, screens.FIND_TRIP.page, q="AAA111").run()
    assert len(list_links(app)) == 2
    assert "1 of 2 with “AAA111”" in page_text(app)
    assert "2 of 2 with “AAA111”" in page_text(app)
    assert "`9007199254740993`" in page_text(app)


def test_record_locators_match_regardless_of_case(service: RunningService, signed_in: Any) -> None:
    create_trip(service, "AAA111")
    create_trip(service, "small1")
    app = signed_in(service, screens.FIND_TRIP.page, q="aaa111 small1").run()
    assert list_links(app) == ["Open AAA111", "Open SMALL1"]
    assert "typed as “aaa111”" in page_text(app)


def test_a_found_trip_shows_what_muster_knows(service: RunningService, signed_in: Any) -> None:
    other_id = create_trip(service, "ELSE22")
    app = signed_in(service, screens.FIND_TRIP.page, q="HERE11 ELSE22 NAME33")
    send_trip(signed_in.workspace, from_itinerary(trip("HERE11")))
    create_trip(service, "NAME33")
    roster = [RosterEntry("NAME33", [Traveler("E7", "Ben", "Roy")])]
    signed_in.workspace.journal.rosters.create(signed_in.workspace.actor, "A roster", roster)
    text = page_text(app.run())
    assert "by ana · Ana Silva" in text
    assert "Active] **HERE11**" in text
    assert "sent from Muster" in text
    assert "Ben Roy" in text
    assert f"`{other_id}`" in text
    assert "Not sent from Muster" in text


def test_a_failed_lookup_shows_its_request_and_can_be_retried(signed_in: Any) -> None:
    faults = {"fault": [{"kind": "status", "path": "/itineraries/query/*", "status": 500}]}
    with RunningService(faults=faults) as failing:
        app = signed_in(failing, screens.FIND_TRIP.page, q="AAA111 BBB222").run()
        text = page_text(app)
        assert "2 could not be looked up" in text
        assert app.error
        assert app.button(key="find_trip.again")


def test_failed_lookups_are_retried_when_the_page_is_opened_later(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Successful lookups are cached for longer."""
    create_trip(service, "AAA111")
    app = signed_in(service, screens.FIND_TRIP.page, q="AAA111")
    with monkeypatch.context() as patch:
        patch.setattr(Itineraries, "search", Mock(side_effect=ConnectionFailed("Away.")))
        assert "1 could not be looked up" in page_text(app.run())
    assert "1 could not be looked up" in page_text(app.run()), "a failed lookup is not retried in every run"
    monkeypatch.setattr(lookup_view, "FAILED_MAX_AGE", timedelta(0))
    assert "1 trip found" in page_text(app.run())
    monkeypatch.setattr(Itineraries, "search", Mock(side_effect=ConnectionFailed("Away.")))
    assert "1 trip found" in page_text(app.run())


def test_a_missing_trip_shows_that_muster_canceled_it(service: RunningService, signed_in: Any) -> None:
    """Without a refresh, even if the trip was found before, and with a link to the trip."""
    app = signed_in(service, screens.FIND_TRIP.page, q="here11 NOPE22", by="both")
    itinerary_id = send_trip(signed_in.workspace, from_itinerary(trip("HERE11")))
    assert "1 trip found" in page_text(app.run())
    app.switch_page(screens.TRIP.page)
    app.query_params.update({"id": str(itinerary_id), "locator": "HERE11"})
    app.run()
    press(app, f"trip.cancel/{itinerary_id}")
    next(button for button in app.button if "Cancel trip HERE11" in button.label).click().run()
    app.switch_page(screens.FIND_TRIP.page)
    app.query_params.update({"q": "here11 NOPE22", "by": "both"})
    text = page_text(app.run())
    assert "2 not found" in text
    assert "Canceled in Muster] **here11**" in text
    assert "UTC by ana" in text
    assert "**NOPE22**" not in text
    assert list_links(app) == ["Open here11"]


def test_a_trip_added_in_muster_is_found_without_a_refresh(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.FIND_TRIP.page, q="AAA111")
    assert "1 not found" in page_text(app.run())
    create_trip(service, "AAA111")
    assert "1 not found" in page_text(app.run())
    TRIP_EDIT.invalidate_reads()
    assert "1 trip found" in page_text(app.run())


def test_a_long_lookup_continues_while_the_page_is_left(
    service: RunningService, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so, sends one request, and shows the result automatically."""
    create_trip(service, "WSVM7K")
    go, queries = threading.Event(), []
    original = Itineraries.search

    def wait_and_read(*arguments: Any, **options: Any) -> Any:
        queries.append(options)
        assert go.wait(60)
        return original(*arguments, **options)

    app = signed_in(service, screens.FIND_TRIP.page, q="WSVM7K")
    with monkeypatch.context() as slow:
        slow.setattr(BackgroundReads, "patience", 0.0)
        slow.setattr(Itineraries, "search", wait_and_read)
        assert "Muster continues to load the data" in page_text(app.run()).replace("\\", "")
        app.switch_page(screens.JOURNAL.page).run()
        go.set()
    app.switch_page(screens.FIND_TRIP.page)
    app.query_params["q"] = "WSVM7K"
    app.run()
    assert list_links(app) == ["Open WSVM7K"]
    assert len(queries) == 1


def test_a_name_is_searched_in_the_rosters_and_the_scope_is_stated(service: RunningService, signed_in: Any) -> None:
    app = signed_in(service, screens.FIND_TRIP.page).run()
    rosters, actor = signed_in.workspace.journal.rosters, signed_in.workspace.actor
    assert "Your organization has no rosters, so Muster cannot search for names." in all_text(find(app, "cruz"))
    entries = [
        RosterEntry("AAA111", (Traveler("E1", "Ana María", "Cruz"), Traveler("E2", "María", "Sommer"))),
        RosterEntry("BBB222", (Traveler("E1", "Ana María", "Cruz"),)),
        RosterEntry("CCC333"),
    ]
    rosters.create(actor, "Berlin", entries)
    find(app, "maria cru")
    text = all_text(app)
    assert "**1 traveler with “maria cru” in the name**" in text
    assert "**Cruz, Ana María**" in text
    assert "Muster searched 2 names in “Berlin”. 1 trip on the searched rosters has no names until you load" in text
    assert "Muster searched for this text as a name." in text
    assert "Not found" not in text
    assert list_links(app) == ["Open AAA111", "Open BBB222"]
    [on_map] = [each.proto for each in app.get("page_link") if each.proto.label == "Show on the map"]
    assert "expected_person=E1" in on_map.query_string
    assert "Not found: 1" in all_text(find(app, "nobody"))
