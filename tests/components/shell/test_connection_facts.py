"""The facts on the Connection screen."""

from itertools import count
from pathlib import Path

import pytest

from client import ConnectionFailed, NotAllowed
from components.shell.connection_facts import list_settings, measure
from domain.runtime.settings import Settings


def test_a_round_trip_is_timed_in_milliseconds():
    ticks = count(step=0.25)
    trip = measure(lambda: None, clock=lambda: next(ticks))
    assert (trip.milliseconds, trip.error) == (250, None)


@pytest.mark.parametrize("kind", [ConnectionFailed, NotAllowed])
def test_a_round_trip_that_fails_keeps_its_error(kind: type[Exception]):
    def fail() -> None:
        raise kind("no")

    assert isinstance(measure(fail).error, kind)


def test_the_list_of_settings_contains_no_secret(tmp_path: Path):
    settings = Settings(
        service_url="https://service.example.org",
        data_dir=tmp_path,
        journal_url="postgresql+psycopg://muster:hunter2@db.example.org/journal",
        service_demo_password="hunter3",
    )
    shown = list_settings(settings)
    assert "hunter" not in str(shown)
    assert str(tmp_path) not in str(shown), "the browser must not learn the folders of the server"
    assert ("MUSTER_JOURNAL_URL", "postgresql at db.example.org/journal") in [(name, value) for _, value, name in shown]


def test_every_setting_except_the_secret_is_shown():
    shown = {name for *_, name in list_settings(Settings())}
    aliases = {field.validation_alias or f"MUSTER_{name.upper()}" for name, field in Settings.model_fields.items()}
    assert shown == aliases - {"MUSTER_SERVICE_DEMO_PASSWORD"}
