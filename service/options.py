"""What one run of the service is told: database, margins, faults; and how worker processes hear of it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

ENVIRONMENT_KEY = "MUSTER_SERVICE_OPTIONS"


@dataclass(frozen=True)
class ServiceOptions:
    """Options of one run.

    `hours_before` and `hours_after` are the margins of expected locations around travel; `allowed_origins` those of
    pages of other hosts that may call the service from a browser.
    """

    database_url: str
    hours_before: float = 24.0
    hours_after: float = 24.0
    faults_file: str | None = None
    allowed_origins: tuple[str, ...] = ()

    def to_environment(self) -> None:
        """Leave the options where worker processes of this one find them."""
        os.environ[ENVIRONMENT_KEY] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> ServiceOptions:
        """Read back what `to_environment` left."""
        return cls(**json.loads(os.environ[ENVIRONMENT_KEY]))


def default_database_url(data_dir: str | None = None) -> str:
    """The SQLite file in the data directory (`MUSTER_DATA_DIR`, else `.muster`)."""
    directory = Path(data_dir or os.environ.get("MUSTER_DATA_DIR") or ".muster")
    return f"sqlite:///{(directory / 'service.sqlite').resolve()}"
