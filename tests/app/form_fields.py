"""Finding the field of a form on a page, whichever of its widgets stands there now."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from components.forms.form import Form


def key_of(app: AppTest, form: Form[Any], uid: str, path: str) -> str:
    """The key of the widget in which a field was drawn last."""
    drawn = app.session_state[f"{form.name}.drawn"].get((uid, path))
    return drawn.key if drawn is not None else form.key(uid, path)
