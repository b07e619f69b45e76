"""The page that `bench/map_paint.py` measures: one button draws a map, another removes it."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt
import pandas as pd
import pydeck as pdk
import streamlit as st

from components.maps.place_map import place_map
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.place_hours import HOURS, place_hours
from domain.expected_locations.roster_view import Filters
from domain.geography.airports import all_airports
from domain.maps.palette import STATUS_COLORS, rgb
from domain.trips.presences import KINDS, ROLES

PLACES = 3000
HEIGHT = 480


def categorical(codes: npt.NDArray[np.integer], categories: Sequence[str] | pd.Series) -> pd.Categorical:
    """Return a column that repeats a few texts."""
    return pd.Categorical.from_codes(codes, categories=pd.Index(categories, dtype=object))


@st.cache_resource
def data_in_hand(count: int) -> Locations:
    """Return expected locations within two weeks, at 3,000 airports, some with far more people than others."""
    random = np.random.default_rng(7)
    airports = [each for each in all_airports().values() if each.city][::2][:PLACES]
    weights = random.pareto(1.0, len(airports)) + 0.05
    place = random.choice(len(airports), count, p=weights / weights.sum())
    places = pd.DataFrame(
        {
            "place_id": [each.iata for each in airports],
            "label": [f"{each.name} ({each.iata})" for each in airports],
            "name": [each.name for each in airports],
            "address": "",
            "city": [each.city for each in airports],
            "country": [each.country for each in airports],
            "iata": [each.iata for each in airports],
            "zone": [each.time_zone for each in airports],
            "latitude": [each.latitude for each in airports],
            "longitude": [each.longitude for each in airports],
        }
    )
    people = pd.DataFrame({"person": [f"E{i}" for i in range(count)]}).assign(external_id="", name="")
    now = pd.Timestamp.now(tz="UTC").floor("s").as_unit("us")
    arrives = now + pd.to_timedelta(random.integers(-HOURS // 2 - 72, HOURS // 2, count), unit="h")
    rows = pd.DataFrame(
        {
            "person": categorical(np.arange(count), people["person"]),
            "place": categorical(place, places["place_id"]),
            "locator": categorical(np.zeros(count, dtype=np.int8), ["BENCH1"]),
            "itinerary": categorical(np.zeros(count, dtype=np.int8), ["1"]),
            "kind": categorical(np.zeros(count, dtype=np.int8), KINDS),
            "role": categorical(np.full(count, ROLES.index("Stay"), dtype=np.int8), ROLES),
            "arrives": arrives,
            "expires": arrives + pd.to_timedelta(random.integers(2, 100, count), unit="h"),
            "latitude": places["latitude"].to_numpy()[place],
            "longitude": places["longitude"].to_numpy()[place],
            "zone": categorical(np.zeros(count, dtype=np.int8), ["UTC"]),
        }
    )
    return Locations(rows=rows, places=places, people=people, version=1)


def draw_ours(count: int, key: str) -> None:
    """Count people by place and hour, without a cache, and draw them."""
    first_hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS / 2)
    # A different first hour each time, so that nothing is cached.
    data = place_hours(data_in_hand(count), Filters(), first_hour + timedelta(hours=st.session_state["round"]))
    place_map(data, key=key, hour=HOURS // 2, on_select=lambda _: None, on_hour=lambda _: None, height=f"{HEIGHT}px")


@st.cache_resource
def points_in_hand(count: int) -> pd.DataFrame:
    """Return the same locations as a plain table of points with names, rounded."""
    known = data_in_hand(count)
    return pd.DataFrame(
        {
            "lat": known.rows["latitude"].round(4),
            "lon": known.rows["longitude"].round(4),
            "label": known.places["label"].to_numpy()[known.codes("place")],
        }
    )


def draw_inline(count: int, key: str) -> None:
    """Draw every point with pydeck, without a basemap."""
    layer = pdk.Layer(
        "ScatterplotLayer",
        data=points_in_hand(count),
        get_position="[lon, lat]",
        get_fill_color=[*rgb(STATUS_COLORS["there"]["light"]), 255],
        get_radius=6,
        radius_units=pdk.types.String("pixels"),
        pickable=True,
    )
    view = pdk.ViewState(latitude=20, longitude=10, zoom=1)
    st.pydeck_chart(pdk.Deck(layers=[layer], map_provider=None, initial_view_state=view), height=HEIGHT, key=key)


st.set_page_config(layout="wide")
way, count = st.query_params["way"], int(st.query_params["count"])
data_in_hand(count)
if way == "inline":
    points_in_hand(count)
# The map stays until it is cleared, even if the page runs again when the map reports an hour.
if st.button("Draw"):
    st.session_state["round"] = st.session_state.get("round", 0) + 1
    st.session_state["is_drawn"] = True
if st.button("Clear"):
    st.session_state["is_drawn"] = False
if st.session_state.get("is_drawn"):
    began = time.perf_counter()
    # As wide as on the first screen, where the details of the selection are next to the map.
    with st.columns([2.2, 1])[0]:
        (draw_ours if way == "ours" else draw_inline)(count, f"map-{st.session_state['round']}")
    st.caption(f"server {time.perf_counter() - began:.3f} s")
st.caption("ready")
