"""Drawing lookup mappings taken in from a file, with what each of its rows would do."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from components.intake.intake_screen import take_in
from components.lookup_mappings.every_mapping import every_mapping
from components.lookup_mappings.mapping_change import READ_AT_MOST
from components.lookup_mappings.mapping_file import MAPPING_FILE, planned
from components.records.record_table import record_table
from components.widgets.number_text import count
from components.widgets.paging import numbers

if TYPE_CHECKING:
    from components.intake.checking import Check
    from components.shell.workspace import Workspace

KEY = "mapping-file"


def draw_mapping_file(workspace: Workspace) -> None:
    """Draw the steps from a file to saved mappings."""
    with st.expander("Mappings from a file", icon=":material/upload_file:", key=f"{KEY}-shown"):
        take_in(workspace, MAPPING_FILE, key=KEY, preview=partial(_preview, workspace))


def _preview(workspace: Workspace, check: Check) -> None:
    if not check.is_ready.any():
        return
    reading = every_mapping(workspace)
    reading.wait(1.0)
    if reading.value is None:
        st.caption("What each row would do is told once the mappings are read.")
        return
    ready = check.ready
    plans = planned(reading.value, ready.records())
    number = Counter(plans)
    told = [
        f"{number[plan]:,} {plan}" for plan in ("created", "changed", "the same already", "refused") if number[plan]
    ]
    st.markdown(f"**What would happen:** {' · '.join(told)}")
    if len(reading.value) >= READ_AT_MOST:
        st.caption(
            f"Held against the first {count(READ_AT_MOST, 'mapping', 'mappings')}; each is looked for when sent."
        )
    table = pd.DataFrame({"row": ready.numbers, "plan": plans, "attributes": ready.texts["attributes"]})
    record_table(
        table,
        {"row": numbers("Row"), "plan": "What would happen", "attributes": "Attributes"},
        f"{KEY}-plan",
        selection=None,
        height=260,
    )
