"""The settings, from the environment and `.streamlit/secrets.toml`, checked at the start."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from client.vocabulary.dynamic_locations import COLUMNS as LOCATION_COLUMNS

PREFIX: Final = "MUSTER_"
PROXIES: Final = "FORWARDED_ALLOW_IPS"
PROJECT: Final = Path(__file__).resolve().parents[2]


_REASONS: Final = {
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_parsing": "must be true or false",
    "greater_than": "must be greater than {gt:g}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}
"""What a value must be, by the type of pydantic’s error. Other errors have the words of the functions below."""


_OTHER_NAMES: Final = (
    *("COMMIT", "PYTHON", "USERNAME", "PASSWORD", "SERVICE_DATABASE_URL", "SERVICE_PASSWORD"),
    *("SERVICE_TOKEN_SECRET", "SERVICE_LOCATION_HEADERS", "SERVICE_OPTIONS"),
)
"""Names that the command line, the make commands, and the embedded service read."""


class SettingsError(ValueError):
    """A setting is not valid. The message names it and says what is valid."""


def _service_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be a full URL, such as https://service.example.org/rest")
    if parts.username or parts.password:
        raise ValueError("must not contain a user name or password, since people sign in with their own")
    if parts.query or parts.fragment:
        raise ValueError("must not have a query or fragment")
    return value.rstrip("/")


def _public_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError("must be the URL that people open, without a path, such as https://muster.example.org")
    return value.rstrip("/")


def _proxies(value: str) -> str:
    try:
        for name in filter(None, map(str.strip, value.split(","))):
            ip_network(name)
    except ValueError:
        raise ValueError("must list addresses or networks of proxies, such as 127.0.0.1,10.1.0.0/16") from None
    return value.strip()


def _location_headings(value: str) -> str:
    for pair in filter(None, map(str.strip, value.split(","))):
        heading, _, column = pair.rpartition("=")
        if not heading.strip() or column.strip() not in LOCATION_COLUMNS:
            known = ", ".join(LOCATION_COLUMNS)
            raise ValueError(f"must list pairs heading=column, where column is one of {known}")
    return value.strip()


class Settings(BaseSettings):
    """All settings. Their names have the prefix `MUSTER_` in the environment and in secrets.toml."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, case_sensitive=False, extra="ignore", frozen=True, hide_input_in_errors=True
    )
    secrets_file: ClassVar[Path] = PROJECT / ".streamlit" / "secrets.toml"

    service_url: Annotated[str, AfterValidator(_service_address)] | None = None
    public_url: Annotated[str, AfterValidator(_public_address)] | None = None
    # Under the name the web server reads it by, and only from the environment, as that does.
    trusted_proxies: Annotated[str, AfterValidator(_proxies)] = Field(default="", validation_alias=PROXIES)
    data_dir: Path = Path(".muster")
    journal_url: SecretStr | None = None
    rate_limit: Annotated[float, Field(gt=0)] | None = None
    fan_out: int = Field(default=16, ge=1, le=64)
    session_idle_minutes: int = Field(default=30, ge=1, le=24 * 60)
    session_max_hours: int = Field(default=12, ge=1, le=7 * 24)
    location_headers: Annotated[str, AfterValidator(_location_headings)] = ""
    retention_days: Annotated[int, Field(ge=1)] | None = None
    alert_approval: bool = False
    alert_many_people: int = Field(default=500_000, ge=1)
    service_demo_password: SecretStr = SecretStr("demo")
    demo_sign_in: bool = True
    allow_http: bool = False

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Treat an empty setting as not set."""
        return {name: value for name, value in given.items() if not isinstance(value, str) or value.strip()}

    @model_validator(mode="after")
    def _is_encrypted(self) -> Self:
        """Refuse to send passwords without encryption to another machine."""
        parts = urlsplit(self.service_url or "")
        if parts.scheme == "http" and not self.allow_http and not _is_this_machine(parts.hostname or ""):
            raise ValueError(
                "MUSTER_SERVICE_URL must begin with https://, because people’s passwords are sent there. If the "
                "network to the service is private, set MUSTER_ALLOW_HTTP to true"
            )
        return self

    @property
    def is_embedded(self) -> bool:
        """Whether Muster starts its own service, because no URL of another is set."""
        return self.service_url is None

    @property
    def location_headings(self) -> dict[str, str]:
        """The column headings that the service uses in files of dynamic locations, if not those of the interface."""
        pairs = (pair.rpartition("=") for pair in self.location_headers.split(",") if pair.strip())
        return {column.strip(): heading.strip() for heading, _, column in pairs}

    @property
    def data_path(self) -> Path:
        """The absolute path of the data directory. A relative setting is relative to the project."""
        return self.data_dir.expanduser() if self.data_dir.is_absolute() else PROJECT / self.data_dir

    @property
    def journal_address(self) -> str:
        """The SQLAlchemy URL of the journal. It may contain a password."""
        if self.journal_url is not None:
            return self.journal_url.get_secret_value()
        return f"sqlite:///{self.data_path / 'journal.sqlite'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read arguments first, then the environment, then the file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, _in_secrets_file(cls.secrets_file))


def _in_secrets_file(path: Path) -> dict[str, Any]:
    """Return the names with the prefix in `.streamlit/secrets.toml`."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = re.search(r"at line \d+", str(error))
        where = f" {line[0]}" if line else ""
        raise SettingsError(f".streamlit/secrets.toml is not valid TOML{where}. Correct the file.") from None
    ours = {name.upper(): value for name, value in values.items() if name.upper().startswith(PREFIX)}
    return {name.removeprefix(PREFIX).lower(): value for name, value in ours.items()}


def _unknown_names() -> Iterator[str]:
    """Yield a line for each name with the prefix that is no setting, such as a mistyped one."""
    known = {*map(str.upper, Settings.model_fields), *_OTHER_NAMES}
    in_environment = (name.upper().removeprefix(PREFIX) for name in os.environ if name.upper().startswith(PREFIX))
    for name in (*in_environment, *map(str.upper, _in_secrets_file(Settings.secrets_file))):
        if name not in known:
            similar = get_close_matches(name, known, 1)
            advice = f"Did you mean {PREFIX}{similar[0]}?" if similar else "Remove it."
            yield f"{PREFIX}{name} is not a setting. {advice}"


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def read_settings() -> Settings:
    """Read the settings again. Raises `SettingsError` with one line per setting that is not valid."""
    lines = list(_unknown_names())
    try:
        found = Settings()
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False):
            reason = problem["msg"].removeprefix("Value error, ")
            words = _REASONS.get(problem["type"], reason).format_map(problem.get("ctx", {}))
            field = str(*problem["loc"][:1]).upper()
            name = field if field in ("", PROXIES) else PREFIX + field
            lines.append(f"{name} {words}.".lstrip())
    if lines:
        raise SettingsError("\n".join(lines))
    return found


@cache
def settings() -> Settings:
    """Return the settings of this process, which are read once."""
    return read_settings()
