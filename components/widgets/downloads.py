"""Buttons that hand something over as a file, which is made when somebody presses and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pandas as pd
import streamlit as st

from components.widgets.spreadsheet import to_csv, to_xlsx

CSV_MIME: Final = "text/csv"
XLSX_MIME: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def download(
    label: str,
    make: Callable[[], str | bytes],
    file_name: str,
    *,
    mime: str,
    key: str,
) -> None:
    """Draw a button for a file.

    `make` runs outside the page's run, where nothing can be drawn, once for each press, and only for the session that
    was given the button.
    """
    st.download_button(label, make, file_name, mime, key=key, icon=":material/download:", on_click="ignore")


def download_row(table: Callable[[], pd.DataFrame], stem: str, key: str) -> None:
    """Draw a CSV and an XLSX button for what `table` makes; `stem` names the files and the sheet."""
    with st.container(horizontal=True):
        download("CSV", lambda: to_csv(table()), f"{stem}.csv", mime=CSV_MIME, key=f"{key}-csv")
        download("XLSX", lambda: to_xlsx(table(), stem), f"{stem}.xlsx", mime=XLSX_MIME, key=f"{key}-xlsx")
