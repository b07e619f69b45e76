"""Drawing what was sent or came back: as text, since a browser rounds long ids, and as a file to take away."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from components.widgets.downloads import download

SHOWN_LIMIT: Final = 60_000

_HEIGHT: Final = 340
_LINES: Final = 14


def json_text(payload: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Write a payload as JSON to read and to copy; letters stay letters wherever UTF-8 can carry them."""
    text = json.dumps(payload, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(payload, indent=indent)
    return text


def shown_json(payload: Mapping[str, Any]) -> tuple[str, bool]:
    """Write a payload for the screen, and tell whether its end had to be left out."""
    text = json_text(payload)
    return (text, False) if len(text) <= SHOWN_LIMIT else (f"{text[:SHOWN_LIMIT]}\n…", True)


def payload_view(payload: Mapping[str, Any], *, key: str) -> None:
    """Draw a payload with every digit of its ids, to be read and copied; `key` names its file, too."""
    text, cut = shown_json(payload)
    long = text.count("\n") >= _LINES
    st.code(text, language="json", height=_HEIGHT if long else "content", wrap_lines=True)
    if cut:
        st.caption("Too long to show whole. The file holds all of it.")
    download("JSON", partial(json_text, payload), f"{key}.json", mime="application/json", key=key)


def request_expander(label: str, payload: Mapping[str, Any], *, key: str) -> None:
    """Draw what is sent or was answered, to be opened; `key` names its file, too."""
    with st.expander(label, icon=":material/code:"):
        payload_view(payload, key=key)
