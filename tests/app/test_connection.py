"""The Connection screen: the service, a check of the connection, and the current settings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from client import ConnectionFailed
from components.shell.connection_facts import LAST_ROUND_TRIP, RoundTrip
from domain.runtime import screens
from domain.runtime.server import server
from domain.runtime.version import version


def test_the_screen_shows_service_organization_user_and_version(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert not app.exception
    shown = app.table[0].value.iloc[:, 0].to_dict()
    assert shown == {
        "Service": service.url.removeprefix("http://"),
        "Base URL": f"`{service.url}`",
        "Organization": "8800",
        "User": "ana",
        "Muster": f"version {version()}",
    }
    assert any("30 min" in line.value for line in app.markdown)


def test_the_screen_shows_the_current_settings_without_the_password(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    assert "`MUSTER_SERVICE_URL`" in app.main.markdown[-1].value
    assert "`MUSTER_SESSION_IDLE_MINUTES`" in app.main.markdown[-1].value
    assert service.password not in str(app.main)


def test_a_check_shows_the_response_time_of_the_service(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.button(key="connection.check").click().run()
    assert not app.exception
    assert "The service responded in" in app.success[0].value


@pytest.mark.parametrize("error", [None, ConnectionFailed("no")])
def test_a_check_shows_its_time(error: ConnectionFailed | None, signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.session_state[LAST_ROUND_TRIP.name] = RoundTrip(12.0, error, datetime(2001, 11, 20, 12, 5, tzinfo=UTC))
    app.run()
    assert "Checked Tue, Nov 20, 2001, 12:05 UTC." in [each.value for each in app.caption]
    assert [each.value for each in app.success] == ([] if error else ["The service responded in 12 ms."])


def test_a_check_of_an_unreachable_service_shows_an_error_and_the_request(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    service.stop()
    app.button(key="connection.check").click().run()
    assert not app.exception
    assert "could not be reached" in app.error[0].value
    assert app.expander[0].label == "Show request"
    assert service.password not in str(app.main)
    service.start()


def test_signing_out_on_the_connection_screen_ends_the_session(signed_in: Any, service: Any):
    app = signed_in(service, screens.CONNECTION.page).run()
    app.button(key="connection.sign_out").click().run()
    assert app.title[0].value == "Sign in"
    assert len(server().sessions) == 0
