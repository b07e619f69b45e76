"""Actions on a page under AppTest: run it, press a button once or twice, and read its texts."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button


def run(app: AppTest) -> AppTest:
    """Run the page. It must not fail."""
    app.run()
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Press a button."""
    app.button(key=key).click()
    return run(app)


def title(app: AppTest) -> str:
    """Return the title of the page."""
    return str(app.title[0].value).replace("\\", "")


def toasts(app: AppTest) -> list[str]:
    """Return the texts of the toasts."""
    return [str(toast.value).replace("\\", "") for toast in app.toast]


def page_text(app: AppTest) -> str:
    """Return all texts on the page."""
    parts: list[Any] = [app.title, app.header, app.markdown, app.caption, app.text, app.code, app.toast]
    parts += [app.error, app.warning, app.info, app.success]
    return "\n".join(str(element.value) for kind in parts for element in kind).replace("\\", "")


def press_twice(app: AppTest, button: Button) -> AppTest:
    """Press a button twice: the second press comes before the browser has drawn the result of the first, or its URL."""
    button_id, address = button.id, dict(app.query_params)
    button.click().run()
    assert not app.exception
    app.query_params.clear()
    app.query_params.update(address)
    again = next((each for each in app.button if each.id == button_id), None)
    if again is None:  # gone from the page, but still in the browser
        again, again.root = button, app._tree
        app.main.children[len(app.main.children)] = again
    again.click().run()
    assert not app.exception
    return app
