"""Follow links under AppTest, which draws them but cannot press them."""

from __future__ import annotations

from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from domain.runtime import screens


def follow(app: AppTest, label: str) -> AppTest:
    """Open the target of the only link with this label, with its query and nothing else in the URL."""
    (link,) = (each.proto for each in app.get("page_link") if label in each.proto.label)
    screen = next(each for each in screens.ALL if each.url_path == link.page)
    app.switch_page(screen.page)
    app.query_params.clear()
    for name, values in parse_qs(link.query_string).items():
        app.query_params[name] = values
    app.run()
    assert not app.exception, app.exception
    return app
