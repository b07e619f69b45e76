"""Drawing outcomes in a table as chips with a mark and a word."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.journal.words import OUTCOMES, outcome_chip


def outcome_column(label: str) -> Any:
    """Configure a column of one chip a cell, coloured as the outcome is everywhere."""
    return st.column_config.MultiselectColumn(
        label,
        options=[outcome_chip(state) for state in OUTCOMES],
        color=[outcome.colour for outcome in OUTCOMES.values()],
        width=110,
    )
