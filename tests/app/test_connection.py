"""The Connection screen: what one is connected to, whether it answers, and what is in force."""

from __future__ import annotations

from typing import Any

from components.shell import brand, screens
from components.shell.server import server


def test_it_names_service_organization_user_and_version(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert not app.exception
    shown = app.table[0].value.iloc[:, 0].to_dict()
    assert shown == {
        "Service": service.url.removeprefix("http://"),
        "Base URL": f"`{service.url}`",
        "Organization": "8800",
        "User": "ana",
        "Muster": f"version {brand.version()}",
    }
    assert any("30 min" in line.value for line in app.markdown)


def test_it_shows_the_settings_in_force_and_no_password(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert "`MUSTER_SERVICE_URL`" in app.main.markdown[-1].value
    assert "`MUSTER_SESSION_IDLE_MINUTES`" in app.main.markdown[-1].value
    assert service.password not in str(app.main)


def test_a_check_tells_how_long_the_service_took(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.button(key="connection.check").click().run()
    assert not app.exception
    assert "ms there and back" in app.success[0].value


def test_a_check_of_a_service_that_is_gone_says_so_and_shows_the_request(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    service.stop()
    app.button(key="connection.check").click().run()
    assert not app.exception
    assert "could not be reached" in app.error[0].value
    assert app.expander[0].label == "Show the request"
    assert service.password not in str(app.main)
    service.start()


def test_signing_out_from_here_ends_the_session(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.button(key="connection.sign_out").click().run()
    assert app.title[0].value == "Sign in"
    assert len(server().sessions) == 0
