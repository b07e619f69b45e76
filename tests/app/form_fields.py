"""Find the widget of a form field, whose key changes when the field starts again."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def key_of(app: AppTest, form: str, uid: str, path: str) -> str:
    """Return the key of the widget in which a field of this form was drawn last."""
    field = app.session_state[f"{form}.drawn"].get((uid, path))
    return str(field.key) if field is not None else f"{form}/{uid}/{path}"
