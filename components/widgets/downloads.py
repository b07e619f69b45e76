"""Downloads, made when the button is selected: tables, requests, and responses.

Requests are shown as text, since a browser rounds long IDs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from domain.tables.spreadsheet import to_csv, to_xlsx

CSV_MIME: Final = "text/csv"
XLSX_MIME: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SHOWN_LIMIT: Final = 60_000
_HEIGHT: Final = 340
_LINES: Final = 14


def download(
    label: str,
    make: Callable[[], str | bytes],
    file_name: str,
    *,
    mime: str,
    key: str,
) -> None:
    """Draw a download button.

    `make` runs outside the run of the page and cannot draw. It is called once per download, only for this session.
    """
    st.download_button(label, make, file_name, mime, key=key, icon=":material/download:", on_click="ignore")


JsonRecords: TypeAlias = Sequence[Mapping[str, Any]]


def download_menu(
    table: Callable[[], pd.DataFrame],
    stem: str,
    key: str,
    *,
    label: str = "Download",
    make_json: Callable[[], JsonRecords] | None = None,
) -> None:
    """Draw a menu that offers what `table` makes as CSV and XLSX; `stem` names the files and the sheet.

    `make_json` makes the records as the service has them, for a JSON file.
    """
    with download_popover(key, label):
        download_items(table, stem, key)
        if make_json is not None:
            make = make_json
            download("JSON", lambda: json_text(make()), f"{stem}.json", mime="application/json", key=f"{key}-json")


def download_popover(key: str, label: str = "Download") -> DeltaGenerator:
    """Draw a download menu, and return its place."""
    return st.popover(label, icon=":material/download:", key=f"{key}-menu")


def download_items(table: Callable[[], pd.DataFrame], stem: str, key: str) -> None:
    """Draw the CSV and XLSX items of a download menu."""
    download("CSV", lambda: to_csv(table()), f"{stem}.csv", mime=CSV_MIME, key=f"{key}-csv")
    download("XLSX", lambda: to_xlsx(table(), stem), f"{stem}.xlsx", mime=XLSX_MIME, key=f"{key}-xlsx")


def json_text(payload: Mapping[str, Any] | JsonRecords, *, indent: int | None = 2) -> str:
    """Return a payload as readable JSON. Letters are escaped only if UTF-8 cannot encode them."""
    text = json.dumps(payload, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(payload, indent=indent)
    return text


def shown_json(payload: Mapping[str, Any]) -> tuple[str, bool]:
    """Return a payload as JSON for the screen, and whether it was shortened."""
    text = json_text(payload)
    return (text, False) if len(text) <= SHOWN_LIMIT else (f"{text[:SHOWN_LIMIT]}\n…", True)


def payload_view(payload: Mapping[str, Any], *, key: str) -> None:
    """Draw a payload with every digit of its IDs, and its download button. `key` is also the name of the file."""
    text, cut = shown_json(payload)
    long = text.count("\n") >= _LINES
    st.code(text, language="json", height=_HEIGHT if long else "content", wrap_lines=True)
    if cut:
        st.caption("The rest is in the file.")
    download("JSON", partial(json_text, payload), f"{key}.json", mime="application/json", key=key)


def request_expander(label: str, payload: Mapping[str, Any], *, key: str) -> None:
    """Draw an expander with a request or response. `key` is also the name of the file."""
    with st.expander(label, icon=":material/code:"):
        payload_view(payload, key=key)
