"""Buttons that hand a table over as a file."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from components.widgets.spreadsheet import to_csv, to_xlsx

XLSX_MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def download_row(table: pd.DataFrame | Callable[[], pd.DataFrame], stem: str, key: str) -> None:
    """Draw a CSV and an XLSX button for a table, or for what makes one; the files are made when a button is pressed.

    `stem` names the files and the sheet.
    """
    none_to_take = isinstance(table, pd.DataFrame) and table.empty

    def read() -> pd.DataFrame:
        return table if isinstance(table, pd.DataFrame) else table()

    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            lambda: to_csv(read()),
            file_name=f"{stem}.csv",
            mime="text/csv",
            key=f"{key}-csv",
            icon=":material/download:",
            on_click="ignore",
            disabled=none_to_take,
        )
        st.download_button(
            "XLSX",
            lambda: to_xlsx(read(), stem),
            file_name=f"{stem}.xlsx",
            mime=XLSX_MIME,
            key=f"{key}-xlsx",
            icon=":material/download:",
            on_click="ignore",
            disabled=none_to_take,
        )
