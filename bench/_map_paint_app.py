"""The page that `bench/map_paint.py` measures: one button draws a map, another takes it away."""

import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pydeck as pdk
import streamlit as st

from components.maps.place_map import place_map
from domain.expected_locations.place_hours import Arcs, PlaceHours
from domain.geography.airports import all_airports
from domain.maps.palette import STATUS_COLORS, rgb

PLACES = 3000
HOURS = 14 * 24


@st.cache_resource
def places_in_hand() -> pd.DataFrame:
    """Return 3,000 airports, some with far more people than others."""
    airports = [each for each in all_airports().values() if each.city][::2][:PLACES]
    rows = [(each.iata, f"{each.name} ({each.iata})", each.latitude, each.longitude) for each in airports]
    weights = np.random.default_rng(7).pareto(1.0, len(rows)) + 0.05
    return pd.DataFrame(rows, columns=["id", "label", "lat", "lon"]).assign(weight=weights / weights.sum())


@st.cache_resource
def windows_in_hand(count: int) -> pd.DataFrame:
    """Return so many expected locations: the place, and the hours from `begin` until `end`."""
    random = np.random.default_rng(7)
    places = places_in_hand()
    begin = random.integers(-100, HOURS, count)
    place = random.choice(len(places), count, p=places["weight"])
    return pd.DataFrame({"place": place, "begin": begin, "end": begin + random.integers(2, 100, count)})


def people_by_hour(count: int) -> PlaceHours:
    """Count the people by place and hour."""
    places, windows = places_in_hand(), windows_in_hand(count)
    changes = np.zeros((HOURS + 1, len(places)), np.int32)
    np.add.at(changes, (windows["begin"].clip(0, HOURS), windows["place"]), 1)
    np.add.at(changes, (windows["end"].clip(0, HOURS), windows["place"]), -1)
    people = changes.cumsum(axis=0)[:HOURS]
    at_places = people.sum(axis=1).astype(np.int32)
    return PlaceHours(
        first_hour=datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=HOURS / 2),
        place_ids=places["id"].tolist(),
        labels=places["label"].tolist(),
        latitude=places["lat"].to_numpy(np.float32),
        longitude=places["lon"].to_numpy(np.float32),
        people=people.astype(np.uint16),
        status=np.zeros(people.shape, np.uint8),
        at_places=at_places,
        in_transit=np.zeros_like(at_places),
        not_covered=np.zeros_like(at_places),
        arcs=Arcs(
            origin=np.zeros(0, np.int16),
            destination=np.zeros(0, np.int16),
            departs=np.zeros(0, np.int32),
            arrives=np.zeros(0, np.int32),
            people=np.zeros(0, np.uint16),
        ),
    )


def draw_ours(count: int, key: str) -> None:
    """Count and draw, as the dashboard does when its filters change."""
    place_map(
        people_by_hour(count), key=key, hour=HOURS // 2, on_select=lambda _: None, on_hour=lambda _: None, height=480
    )


def draw_inline(count: int, key: str) -> None:
    """Give pydeck every point, without any ground under it."""
    places = places_in_hand()[["lat", "lon", "label"]].round(4)
    layer = pdk.Layer(
        "ScatterplotLayer",
        data=places.iloc[windows_in_hand(count)["place"]],
        get_position="[lon, lat]",
        get_fill_color=[*rgb(STATUS_COLORS["there"]["light"]), 255],
        get_radius=6,
        radius_units=pdk.types.String("pixels"),
        pickable=True,
    )
    view = pdk.ViewState(latitude=20, longitude=10, zoom=1)
    st.pydeck_chart(pdk.Deck(layers=[layer], map_provider=None, initial_view_state=view), height=480, key=key)


st.set_page_config(layout="wide")
way, count = st.query_params["way"], int(st.query_params["count"])
windows_in_hand(count)
drawn = st.button("Draw")
st.button("Clear")
if drawn:
    st.session_state["round"] = st.session_state.get("round", 0) + 1
    began = time.perf_counter()
    # As wide as on the first screen, where what is selected stands beside the map.
    with st.columns([2.2, 1])[0]:
        (draw_ours if way == "ours" else draw_inline)(count, f"map-{st.session_state['round']}")
    st.caption(f"server {time.perf_counter() - began:.3f} s")
st.caption("ready")
