"""The page that `bench/map_paint.py` measures: one button draws a map, another takes it away."""

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pydeck as pdk
import streamlit as st

from components.maps.map_view import place_map
from domain.expected_locations.at_moment import at_moment, moment
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_view import Filters, narrow, places_of
from domain.geography.airports import all_airports
from domain.maps.palette import kind_colour
from domain.trips.presences import KINDS, ROLES

PLACES = 3000
MAP_WIDTH = 870


def categorical(codes: npt.NDArray[np.integer], categories: Sequence[str] | pd.Series) -> pd.Categorical:
    """Return a column that holds each of a few texts many times."""
    return pd.Categorical.from_codes(codes, categories=pd.Index(categories, dtype=object))


@st.cache_resource
def data_in_hand(count: int) -> Locations:
    """Return so many expected locations that hold now, at 3,000 airports, some with far more people than others."""
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
    rows = pd.DataFrame(
        {
            "person": categorical(np.arange(count), people["person"]),
            "place": categorical(place, places["place_id"]),
            "locator": categorical(np.zeros(count, dtype=np.int8), ["BENCH1"]),
            "itinerary": categorical(np.zeros(count, dtype=np.int8), ["1"]),
            "kind": categorical(np.zeros(count, dtype=np.int8), KINDS),
            "role": categorical(np.full(count, ROLES.index("Stay"), dtype=np.int8), ROLES),
            "arrives": pd.Series([now - pd.Timedelta(hours=12)] * count),
            "expires": pd.Series([now + pd.Timedelta(days=30)] * count),
            "latitude": places["latitude"].to_numpy()[place],
            "longitude": places["longitude"].to_numpy()[place],
            "zone": categorical(np.zeros(count, dtype=np.int8), ["UTC"]),
        }
    )
    return Locations(rows=rows, places=places, people=people, version=1)


@st.cache_resource
def points_in_hand(count: int) -> pd.DataFrame:
    """Return the same as a plain table of points, rounded, with a name each."""
    known = data_in_hand(count)
    at = known.codes("place")
    return pd.DataFrame(
        {
            "lat": known.rows["latitude"].round(4),
            "lon": known.rows["longitude"].round(4),
            "label": known.places["label"].to_numpy()[at],
        }
    )


def draw_ours(count: int, key: str) -> None:
    """Group on the server and draw places, as the dashboard does when its time control moves."""
    known = data_in_hand(count)
    at = at_moment(known, moment(pd.Timestamp.now(tz="UTC").to_pydatetime()))
    place_map(places_of(known, at, narrow(known, at, Filters())), key=key, width=MAP_WIDTH)


def draw_inline(count: int, key: str) -> None:
    """Give pydeck every point, without any ground under it."""
    layer = pdk.Layer(
        "ScatterplotLayer",
        data=points_in_hand(count),
        get_position="[lon, lat]",
        get_fill_color=[*kind_colour("Air", "light"), 255],
        get_radius=6,
        radius_units=pdk.types.String("pixels"),
        pickable=True,
    )
    view = pdk.ViewState(latitude=20, longitude=10, zoom=1)
    st.pydeck_chart(pdk.Deck(layers=[layer], map_provider=None, initial_view_state=view), height=520, key=key)


st.set_page_config(layout="wide")
way, count = st.query_params["way"], int(st.query_params["count"])
data_in_hand(count)
if way == "inline":
    points_in_hand(count)
drawn = st.button("Draw")
st.button("Clear")
if drawn:
    st.session_state["round"] = st.session_state.get("round", 0) + 1
    began = time.perf_counter()
    # As wide as on the first screen, where what is picked stands beside the map.
    with st.columns([2.2, 1])[0]:
        (draw_ours if way == "ours" else draw_inline)(count, f"map-{st.session_state['round']}")
    st.caption(f"server {time.perf_counter() - began:.3f} s")
st.caption("ready")
