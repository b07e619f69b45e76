"""The options of one run of the service, and how worker processes receive them."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

ENVIRONMENT_KEY = "MUSTER_SERVICE_OPTIONS"


@dataclass(frozen=True)
class ServiceOptions:
    """Options of one run.

    `hours_before` and `hours_after` are the margins of expected locations around travel. `allowed_origins` are the
    origins of pages that may call the service from a browser.
    """

    database_url: str
    hours_before: float = 24.0
    hours_after: float = 24.0
    faults_file: str | None = None
    allowed_origins: tuple[str, ...] = ()

    def to_environment(self) -> None:
        """Store the options in the environment, where worker processes read them."""
        os.environ[ENVIRONMENT_KEY] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> ServiceOptions:
        """Read the options that `to_environment` stored."""
        return cls(**json.loads(os.environ[ENVIRONMENT_KEY]))


def default_database_url(data_dir: str | None = None) -> str:
    """Return the SQLite file in the data directory (`MUSTER_DATA_DIR`, by default `.muster`)."""
    directory = Path(data_dir or os.environ.get("MUSTER_DATA_DIR") or ".muster")
    return f"sqlite:///{(directory / 'service.sqlite').resolve()}"
