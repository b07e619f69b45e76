"""The regions this desk sent into the shape library, by its own journal: the service tells nobody. Sent and deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from client import Duplicate, Invalid, NotAuthenticated, NotFound, ServiceError, TransportError
from client.classify import classify
from domain.edits.journaled_calls import call_with_journal, classify_outcome, resolve_entry
from domain.edits.removals import Outcome, Removal, Target
from domain.preparedness.shape_library.region_outlines import save_file_outline
from domain.runtime.problems import quote_service
from domain.tables.loaded_records import NEW
from domain.text.plain_text import count, names
from domain.text.time_text import moment
from journal import EntryFilters, JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from journal import Entry

SUBJECT: Final = "shape_region"
UPLOAD: Final = "shape_library.upload"
DELETE: Final = "shape_library.delete"
PICKED_IN: Final = "region"
_PAGE: Final = 500


@dataclass(frozen=True)
class Region:
    """A region as this desk sent it: `state` says whether it is there, as far as this desk can know.

    `digest` is that of the file it was made from.
    """

    name: str
    folder: str
    file_name: str
    size: int
    features: int
    sent_at: datetime
    sent_by: str
    entry_id: int
    digest: str = ""
    state: Literal["there", "unknown", "deleted"] = "there"


@dataclass(frozen=True)
class RegionTarget(Target):
    """A region or folder to delete, by its name."""


def regions_of(workspace: Workspace) -> list[Region]:
    """Every region that this desk has sent for this organization, each as it stands now, the latest first."""
    audit, scope = workspace.journal.audit, (workspace.actor.service, workspace.actor.organization_id)
    entries: list[Entry] = []
    for action in (UPLOAD, DELETE):
        page = 1
        while found := audit.list(*scope, filters=EntryFilters(action=action), page=page, page_size=_PAGE):
            entries += found
            page += 1
    return as_they_stand(entries)


def as_they_stand(entries: Iterable[Entry]) -> list[Region]:
    """The regions that entries of the journal tell of, the latest first; one sent anew stands once."""
    regions: dict[str, Region] = {}
    for entry in sorted(entries, key=lambda each: each.id):
        name, state = entry.subject_name or "", entry.state
        if entry.action == UPLOAD and state in ("succeeded", "unknown"):
            held = regions.pop(name, None)
            if held is not None and held.state == "there":
                regions[name] = held
            else:
                regions[name] = _region(name, entry)
        elif entry.action == UPLOAD and _says(entry, Duplicate) and name in regions:
            lost = regions[name]
            if lost.state == "unknown" and lost.digest == _region(name, entry).digest:
                regions[name] = replace(lost, state="there")
        elif entry.action == DELETE and (state == "succeeded" or _says(entry, NotFound)):
            for gone in _named(regions.values(), name):
                regions[gone.name] = replace(gone, state="deleted")
        elif entry.action == DELETE and state == "unknown":
            for asked in _named(regions.values(), name):
                regions[asked.name] = replace(asked, state="unknown")
    return sorted(regions.values(), key=lambda region: region.entry_id, reverse=True)


def name_problem(name: str, regions: Sequence[Region]) -> str | None:
    """Why a region cannot be sent under this name, as far as this desk can know."""
    if not name.strip():
        return "Enter a name that no other region has."
    taken = next((region for region in regions if region.name == name.strip() and region.state == "there"), None)
    if taken is not None:
        at = f" into {taken.folder}" if taken.folder else ""
        return f"{taken.sent_by} sent a region with this name{at}, {moment(taken.sent_at)}. A name can be used once."
    return None


def in_address(name: str) -> str:
    """A region's name in the address, where "new" is one that is yet to be made; no name begins with a blank."""
    return f" {name}" if name == NEW else name


def target_of(name: str, regions: Sequence[Region]) -> RegionTarget:
    """What is deleted by this name, with what this desk knows to be in it: the region, or else all below a folder."""
    found = [region for region in _named(regions, name) if region.state != "deleted"]
    if not found:
        told = "Muster has not sent it. The service deletes the region with this name, or every region in the folder"
    elif found[0].name == name:
        told = f"region sent by {found[0].sent_by}, {moment(found[0].sent_at)}"
    else:
        listed = names([region.name for region in found], at_most=8)
        told = f"folder with {count(len(found), 'region', 'regions')} sent from Muster: {listed}"
    return RegionTarget(None, name, told)


def _says(entry: Entry, error: type[ServiceError]) -> bool:
    """Whether it was refused in this way: there is nothing of this name any more, or there is one already."""
    told: dict[str, Any] = entry.answer or {}
    return entry.state == "refused" and isinstance(classify(told.get("status") or 0, told.get("text") or ""), error)


def _region(name: str, entry: Entry) -> Region:
    told: dict[str, Any] = entry.request or {}
    return Region(
        name,
        _folder(str(told.get("folder") or "")),
        str(told.get("fileName") or ""),
        int(told.get("bytes") or 0),
        int(told.get("features") or 0),
        entry.at,
        entry.actor.username,
        entry.id,
        str(told.get("sha256") or ""),
        "there" if entry.state == "succeeded" else "unknown",
    )


def _named(regions: Iterable[Region], name: str) -> list[Region]:
    """The region of a name, or else those in the folder of that name and below it: as the service takes it."""
    held, folder = list(regions), _folder(name)
    return [region for region in held if region.name == name] or [
        region for region in held if folder and f"{region.folder}/".startswith(f"{folder}/")
    ]


def _folder(text: str) -> str:
    # ASSUMPTION A142
    return "/".join(part.strip() for part in text.split("/") if part.strip())


class RegionRemoval(Removal[RegionTarget]):
    """Deleting regions of the shape library by their names."""

    kind = SUBJECT
    key = "shape-library-delete"
    noun = ("region", "regions")
    action = DELETE
    consequence = "Everything that others uploaded to the same folder is deleted too."
    retry_note = "Muster cannot list the library. Deleting the region again is safe."
    selection_parameter = PICKED_IN

    def send(self, workspace: Workspace, target: RegionTarget) -> Any:
        """Delete the region, or the folder of that name."""
        return workspace.client.shape_library.delete(region_name=target.title)

    def journal_request(self, target: RegionTarget) -> Mapping[str, Any]:
        """Return the name."""
        return {"regionName": target.title}

    def gone_before_message(self, outcomes: Sequence[Outcome[RegionTarget]]) -> str:
        """Return the message about regions that the service does not have, with the reason it gave."""
        reasons = " ".join(quote_service(each.error) for each in outcomes if each.error is not None)
        return f"Already gone: {names([each.target.title for each in outcomes])}. {reasons}".strip()

    def selection_values(self, target: RegionTarget) -> set[str]:
        """Return its name as the URL has it."""
        return {in_address(target.title)}


REGION_REMOVAL: Final = RegionRemoval()


@dataclass(frozen=True)
class ToSend:
    """A file, and the region it becomes; a blank folder is the top of the library."""

    region_name: str
    folder: str
    file_name: str
    content: bytes
    features: int

    @property
    def digest(self) -> str:
        """What tells its content from any other."""
        return hashlib.sha256(self.content).hexdigest()

    def became(self, region: Region) -> bool:
        """Whether this region was made from it, just so."""
        return (region.name, region.folder, region.digest) == (self.region_name, _folder(self.folder), self.digest)


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


def left_to_send(files: Sequence[ToSend], regions: Sequence[Region]) -> list[ToSend]:
    """The files that do not stand in the library already, just so; all of them where none is left.

    So the rest of what was taken in part can be sent, and what was taken as a whole is refused by its name.
    """
    there = [region for region in regions if region.state == "there"]
    return [file for file in files if not any(file.became(region) for region in there)] or list(files)


def send_each(workspace: Workspace, files: Sequence[ToSend]) -> list[Sent]:
    """Send one after the other, and report the status of each.

    A name can be used once: one whose fate is unknown can be sent again, and was sent where it is refused as there.
    Once the service cannot be reached, no longer knows the user, or the journal takes no entry, the rest is not tried.
    """
    lost = [region for region in regions_of(workspace) if region.state == "unknown"]
    told: list[Sent] = []
    stopped: Exception | None = None
    for file in files:
        if stopped is not None:
            told.append(Sent(file.region_name, "not tried", stopped))
            continue
        try:
            _send(workspace, file)
        except (ServiceError, JournalError) as error:
            found = next(filter(file.became, lost), None) if isinstance(error, Duplicate) else None
            if found is not None:
                message = "The response was lost. A second upload shows that the service has the region."
                with suppress(JournalError):
                    resolve_entry(
                        workspace, workspace.journal.audit.retrieve(found.entry_id), "succeeded", message=message
                    )
                told.append(_sent(workspace, file))
                continue
            told.append(Sent(file.region_name, "unknown" if classify_outcome(error) == "unknown" else "refused", error))
            if isinstance(error, TransportError | NotAuthenticated | JournalError):
                stopped = error
        else:
            told.append(_sent(workspace, file))
    return told


def _sent(workspace: Workspace, file: ToSend) -> Sent:
    save_file_outline(workspace.journal, workspace.actor, file.digest, file.file_name, file.content)
    return Sent(file.region_name, "sent")


def _send(workspace: Workspace, file: ToSend) -> None:
    folder = file.folder.strip() or None
    call_with_journal(
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
            "sha256": file.digest,
        },
        call=lambda: workspace.client.shape_library.upload(
            file.content, region_name=file.region_name, folder=folder, file_name=file.file_name
        ),
    )
