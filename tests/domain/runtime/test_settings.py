"""Settings: their sources and defaults, and messages about invalid values."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from client.redaction import redact
from domain.runtime.settings import PROJECT, Settings, SettingsError, _unknown_names, read_settings
from journal import Journal


@pytest.fixture(autouse=True)
def clear_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MUSTER_{name.upper()}", raising=False)
    monkeypatch.setattr(Settings, "secrets_file", tmp_path / "secrets.toml")


def test_without_settings_muster_starts_the_embedded_service_with_data_in_the_project():
    settings = read_settings()
    assert settings.is_embedded
    assert settings.data_path == PROJECT / ".muster"
    assert settings.journal_address == f"sqlite:///{PROJECT / '.muster' / 'journal.sqlite'}"
    assert (settings.rate_limit, settings.fan_out, settings.session_idle_minutes) == (None, 16, 30)


def test_the_environment_wins_over_the_secrets_file(monkeypatch: pytest.MonkeyPatch):
    Settings.secrets_file.write_text(
        'MUSTER_FAN_OUT = 8\nMUSTER_SESSION_IDLE_MINUTES = 5\nother = "ignored"\n[section]\nMUSTER_RATE_LIMIT = 3\n'
    )
    monkeypatch.setenv("MUSTER_FAN_OUT", "4")
    settings = read_settings()
    assert (settings.fan_out, settings.session_idle_minutes, settings.rate_limit) == (4, 5, None)


@pytest.mark.parametrize(
    ("value", "needed"), [("", False), ("false", False), ("0", False), ("true", True), ("1", True)]
)
def test_public_alerts_need_approval_only_if_the_setting_requires_it(
    value: str, needed: bool, monkeypatch: pytest.MonkeyPatch
):
    assert not read_settings().alert_approval
    monkeypatch.setenv("MUSTER_ALERT_APPROVAL", value)
    assert read_settings().alert_approval is needed


def test_a_service_address_loses_its_last_slash(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_SERVICE_URL", "https://service.example.org/rest/")
    settings = read_settings()
    assert settings.service_url == "https://service.example.org/rest"
    assert not settings.is_embedded


@pytest.mark.parametrize("name", ["SERVICE_URL", "JOURNAL_URL", "RATE_LIMIT"])
def test_an_empty_value_counts_as_unset(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(f"MUSTER_{name}", " ")
    assert getattr(read_settings(), name.lower()) is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MUSTER_SERVICE_URL", "service.example.org", "MUSTER_SERVICE_URL must be a full URL, such as https://"),
        ("MUSTER_SERVICE_URL", "ftp://service.example.org", "MUSTER_SERVICE_URL must be a full URL"),
        ("MUSTER_SERVICE_URL", "https://ana:secret@example.org", "MUSTER_SERVICE_URL must not contain a user name"),
        ("MUSTER_SERVICE_URL", "https://example.org/?a=1", "MUSTER_SERVICE_URL must not have a query"),
        ("MUSTER_SERVICE_URL", "http://service.example.org", "MUSTER_SERVICE_URL must begin with https://"),
        ("MUSTER_SERVICE_URL", "http://10.1.2.3:8080/rest", "MUSTER_SERVICE_URL must begin with https://"),
        (
            "MUSTER_ALERT_APPROVALS",
            "true",
            "MUSTER_ALERT_APPROVALS is not a setting. Did you mean MUSTER_ALERT_APPROVAL?",
        ),
        ("MUSTER_XYZZY", "true", "MUSTER_XYZZY is not a setting. Remove it."),
        ("MUSTER_PUBLIC_URL", "muster.example.org", "MUSTER_PUBLIC_URL must be the URL that people open"),
        ("MUSTER_PUBLIC_URL", "https://example.org/muster", "MUSTER_PUBLIC_URL must be the URL that people open"),
        ("FORWARDED_ALLOW_IPS", "*", "FORWARDED_ALLOW_IPS must list addresses or networks of proxies"),
        ("FORWARDED_ALLOW_IPS", "proxy", "FORWARDED_ALLOW_IPS must list addresses or networks of proxies"),
        ("MUSTER_RATE_LIMIT", "0", "MUSTER_RATE_LIMIT must be greater than 0."),
        ("MUSTER_FAN_OUT", "many", "MUSTER_FAN_OUT must be a whole number."),
        ("MUSTER_LOCATION_HEADERS", "Badge=who", "MUSTER_LOCATION_HEADERS must list pairs heading=column"),
        ("MUSTER_FAN_OUT", "65", "MUSTER_FAN_OUT must be at most 64."),
        ("MUSTER_ALERT_APPROVAL", "perhaps", "MUSTER_ALERT_APPROVAL must be true or false."),
        ("MUSTER_SESSION_IDLE_MINUTES", "0", "MUSTER_SESSION_IDLE_MINUTES must be at least 1."),
    ],
)
def test_an_invalid_setting_is_reported_by_name_without_its_value(
    name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as raised:
        read_settings()
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("address", ["http://localhost:8000", "http://127.0.0.1:8000/rest", "http://[::1]/rest"])
def test_a_service_on_this_machine_needs_no_encryption(address: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_SERVICE_URL", address)
    assert read_settings().service_url == address


def test_an_unencrypted_connection_to_another_machine_can_be_allowed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_SERVICE_URL", "http://service.internal/rest")
    monkeypatch.setenv("MUSTER_ALLOW_HTTP", "true")
    assert read_settings().service_url == "http://service.internal/rest"


def test_a_mistyped_name_in_the_secrets_file_is_reported():
    Settings.secrets_file.write_text("MUSTER_FANOUT = 8\n")
    with pytest.raises(SettingsError, match=r"MUSTER_FANOUT is not a setting\. Did you mean MUSTER_FAN_OUT\?"):
        read_settings()


def test_every_name_that_other_parts_of_muster_read_is_known(monkeypatch: pytest.MonkeyPatch):
    sources = [path for folder in ("muster", "service", "domain") for path in (PROJECT / folder).rglob("*.py")]
    names = {name for path in sources for name in re.findall(r'"(MUSTER_[A-Z_]+)"', path.read_text(encoding="utf-8"))}
    assert {"MUSTER_USERNAME", "MUSTER_SERVICE_DATABASE_URL"} < names
    for name in names:
        monkeypatch.setenv(name, "x")
    assert list(_unknown_names()) == []


def test_every_bad_value_is_reported_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_FAN_OUT", "x")
    monkeypatch.setenv("MUSTER_RATE_LIMIT", "-1")
    with pytest.raises(SettingsError) as raised:
        read_settings()
    assert len(str(raised.value).splitlines()) == 2


def test_a_secrets_file_that_is_not_toml_is_reported():
    Settings.secrets_file.write_text("MUSTER_FAN_OUT = \n")
    with pytest.raises(SettingsError, match=r"secrets\.toml is not valid TOML at line 1\."):
        read_settings()


def test_no_representation_of_the_settings_shows_a_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MUSTER_JOURNAL_URL", "postgresql+psycopg://muster:hunter2@db/journal")
    monkeypatch.setenv("MUSTER_SERVICE_DEMO_PASSWORD", "hunter3")
    settings = read_settings()
    assert "hunter" not in repr(settings)
    assert "hunter" not in settings.model_dump_json()
    assert settings.journal_address.endswith("hunter2@db/journal")


def test_a_bad_setting_stops_muster_with_its_name_and_no_traceback(tmp_path: Path):
    result = subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", "0"],
        cwd=PROJECT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MUSTER_DATA_DIR": str(tmp_path), "MUSTER_FAN_OUT": "x"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 1
    assert "MUSTER_FAN_OUT must be a whole number." in result.stderr
    assert "Traceback" not in result.stderr


def test_a_second_muster_with_its_own_service_does_not_start_under_the_same_journal(tmp_path: Path):
    with Journal.open(f"sqlite:///{tmp_path / 'journal.sqlite'}", redact) as journal:
        assert journal.claim_embedded_service()
        result = subprocess.run(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port", "0"],
            cwd=PROJECT,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MUSTER_DATA_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == 1
    assert "another Muster process with the same journal runs its own service" in result.stderr
    assert "Traceback" not in result.stderr
