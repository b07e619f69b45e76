"""Sending files into the shape library: one region each, one after the other, with an entry in the journal for each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from client import Duplicate, Invalid, NotAuthenticated, ServiceError, TransportError
from components.change.recorded import outcome_of, recorded
from components.shape_library.desk_regions import SUBJECT, UPLOAD
from journal import JournalError

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


@dataclass(frozen=True)
class ToSend:
    """A file, and the region it becomes; a blank folder is the top of the library."""

    region_name: str
    folder: str
    file_name: str
    content: bytes
    features: int


@dataclass(frozen=True)
class Sent:
    """What became of one file; `is_name` says that it is its name that the service refused."""

    name: str
    became: Literal["sent", "refused", "unknown", "not tried"]
    error: Exception | None = None

    @property
    def is_name(self) -> bool:
        """Whether another name would do."""
        told = self.error
        return isinstance(told, Duplicate) or (
            isinstance(told, Invalid) and any(each.field == "regionName" for each in told.field_errors)
        )


def send_each(workspace: Workspace, files: Sequence[ToSend]) -> list[Sent]:
    """Send one after the other, and tell of each what became of it.

    A name can be used once: one whose fate is unknown can be sent again, and is refused where it is there. Once the
    service cannot be reached, no longer knows the user, or the journal takes no entry, the rest is not tried.
    """
    told: list[Sent] = []
    stopped: Exception | None = None
    for file in files:
        if stopped is not None:
            told.append(Sent(file.region_name, "not tried", stopped))
            continue
        try:
            _send(workspace, file)
        except (ServiceError, JournalError) as error:
            told.append(Sent(file.region_name, "unknown" if outcome_of(error) == "unknown" else "refused", error))
            if isinstance(error, TransportError | NotAuthenticated | JournalError):
                stopped = error
        else:
            told.append(Sent(file.region_name, "sent"))
    return told


def _send(workspace: Workspace, file: ToSend) -> None:
    folder = file.folder.strip() or None
    recorded(
        workspace,
        UPLOAD,
        subject_kind=SUBJECT,
        subject_id=None,
        subject_name=file.region_name,
        request={
            "regionName": file.region_name,
            "folder": folder,
            "fileName": file.file_name,
            "bytes": len(file.content),
            "features": file.features,
            "sha256": hashlib.sha256(file.content).hexdigest(),
        },
        call=lambda: workspace.client.shape_library.upload(
            file.content, region_name=file.region_name, folder=folder, file_name=file.file_name
        ),
    )
