"""Finding the field of a form on a page, whichever of its widgets stands there now."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def key_of(app: AppTest, form: str, uid: str, path: str) -> str:
    """The key of the widget in which a field of the form of this name was drawn last."""
    drawn = app.session_state[f"{form}.drawn"].get((uid, path))
    return str(drawn.key) if drawn is not None else f"{form}/{uid}/{path}"
