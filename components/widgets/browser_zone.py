"""The time zone of the user's browser."""

from __future__ import annotations

import streamlit as st

from domain.geography.time_zones import available_timezones_cached


def browser_zone() -> str | None:
    """Return the time zone of the browser, or None if it is unknown."""
    zone = st.context.timezone
    return zone if zone in available_timezones_cached() else None
