"""Regions of the shape library that were sent from Muster, from the journal: the service cannot list them."""

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
from domain.preparedness.shape_library.region_outlines import save_file, save_file_outline
from domain.runtime.problems import quote_service
from domain.tables.loaded_records import NEW
from domain.text.plain_text import count, names
from domain.text.time_text import moment
from journal import EntryFilters, JournalError

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from journal import Entry
    from journal.incidents import Incident

SUBJECT: Final = "shape_region"
UPLOAD: Final = "shape_library.upload"
DELETE: Final = "shape_library.delete"
URL_PARAMETER: Final = "region"
_PAGE: Final = 500


@dataclass(frozen=True)
class Region:
    """A region as Muster sent it. `state` says whether it is in the library, as far as Muster can know.

    `digest` is the SHA-256 of its file.
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

    is_sent_from_muster: bool = False
    """Whether Muster has sent the region, or regions into the folder."""


def list_sent_regions(workspace: Workspace) -> list[Region]:
    """Return the regions that were sent for this organization with their current state, latest first."""
    audit, scope = workspace.journal.audit, (workspace.actor.service, workspace.actor.organization_id)
    entries: list[Entry] = []
    for action in (UPLOAD, DELETE):
        page = 1
        while listed := audit.list(*scope, filters=EntryFilters(action=action), page=page, page_size=_PAGE):
            entries += listed
            page += 1
    return find_current_regions(entries)


def find_current_regions(entries: Iterable[Entry]) -> list[Region]:
    """Return the regions in these journal entries, latest first. A region that was sent again occurs once."""
    regions: dict[str, Region] = {}
    for entry in sorted(entries, key=lambda each: each.id):
        name, state = entry.subject_name or "", entry.state
        if entry.action == UPLOAD and state in ("succeeded", "unknown"):
            earlier = regions.pop(name, None)
            if earlier is not None and earlier.state == "there":
                regions[name] = earlier
            else:
                regions[name] = _region(name, entry)
        elif entry.action == UPLOAD and _was_refused_with(entry, Duplicate) and name in regions:
            lost = regions[name]
            if lost.state == "unknown" and lost.digest == _region(name, entry).digest:
                regions[name] = replace(lost, state="there")
        elif entry.action == DELETE and (state == "succeeded" or _was_refused_with(entry, NotFound)):
            for region in _find_by_name(regions.values(), name):
                regions[region.name] = replace(region, state="deleted")
        elif entry.action == DELETE and state == "unknown":
            for region in _find_by_name(regions.values(), name):
                regions[region.name] = replace(region, state="unknown")
    return sorted(regions.values(), key=lambda region: region.entry_id, reverse=True)


def incidents_with(workspace: Workspace, region: Region) -> list[Incident]:
    """Return the saved incidents whose area has a part named like a region, as if it was added from the list."""
    return [
        incident
        for incident in workspace.journal.incidents.list(workspace.actor)
        if any(
            (feature.get("properties") or {}).get("label") == region.name
            for feature in incident.content.area.get("features", [])
        )
    ]


def find_name_problem(name: str, regions: Sequence[Region]) -> str | None:
    """Return why a region cannot have this name, as far as Muster can know, or None."""
    if not name.strip():
        return "Enter a name that no other region has."
    taken = next((region for region in regions if region.name == name.strip() and region.state == "there"), None)
    if taken is not None:
        at = f" into {taken.folder}" if taken.folder else ""
        return (
            f"{taken.sent_by} sent a region with this name{at}, {moment(taken.sent_at)}. Each name can be used "
            f"only once."
        )
    return None


def url_name(name: str) -> str:
    """Return the name of a region for the URL, where "new" means a new region. No name begins with a space."""
    return f" {name}" if name == NEW else name


def build_target(name: str, regions: Sequence[Region]) -> RegionTarget:
    """Return what a deletion by this name deletes, as far as Muster knows: the region, or all regions in the folder."""
    matches = [region for region in _find_by_name(regions, name) if region.state != "deleted"]
    if not matches:
        description = (
            "Muster has not sent it. The service deletes the region with this name, or every region in the folder"
        )
    elif matches[0].name == name:
        description = f"region sent by {matches[0].sent_by}, {moment(matches[0].sent_at)}"
    else:
        listed = names([region.name for region in matches], at_most=8)
        description = f"folder with {count(len(matches), 'region', 'regions')} sent from Muster: {listed}"
    return RegionTarget(None, name, description, is_sent_from_muster=bool(matches))


def _was_refused_with(entry: Entry, error: type[ServiceError]) -> bool:
    """Return whether the service rejected the request of this entry with such an error."""
    response: dict[str, Any] = entry.answer or {}
    return entry.state == "refused" and isinstance(
        classify(response.get("status") or 0, response.get("text") or ""), error
    )


def _region(name: str, entry: Entry) -> Region:
    request: dict[str, Any] = entry.request or {}
    return Region(
        name,
        _folder(str(request.get("folder") or "")),
        str(request.get("fileName") or ""),
        int(request.get("bytes") or 0),
        int(request.get("features") or 0),
        entry.at,
        entry.actor.username,
        entry.id,
        str(request.get("sha256") or ""),
        "there" if entry.state == "succeeded" else "unknown",
    )


def _find_by_name(regions: Iterable[Region], name: str) -> list[Region]:
    """Return the region with this name, or else those in the folder with this name, as the service does."""
    candidates, folder = list(regions), _folder(name)
    return [region for region in candidates if region.name == name] or [
        region for region in candidates if folder and f"{region.folder}/".startswith(f"{folder}/")
    ]


def _folder(text: str) -> str:
    # ASSUMPTION A142
    return "/".join(part.strip() for part in text.split("/") if part.strip())


class RegionRemoval(Removal[RegionTarget]):
    """Deletes regions of the shape library by their names."""

    kind = SUBJECT
    key = "shape-library-delete"
    noun = ("region", "regions")
    action = DELETE
    consequence = (
        "If no region has the name but a folder does, every region in that folder will be deleted, including those "
        "that others uploaded."
    )
    retry_note = "Muster cannot list the library. Deleting the region again is safe."
    selection_parameter = URL_PARAMETER

    def restore_note(self, targets: Sequence[RegionTarget]) -> str:
        """Say which regions Muster can send again."""
        if not any(each.is_sent_from_muster for each in targets):
            these, them = ("this region", "it") if len(targets) == 1 else ("these regions", "them")
            return f"Muster did not send {these} and cannot restore {them}. This cannot be undone."
        return "Shapes that were sent from Muster can be sent again. Muster cannot restore others."

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
        return {url_name(target.title)}


REGION_REMOVAL: Final = RegionRemoval()


@dataclass(frozen=True)
class RegionFile:
    """A file to send, and the name and folder of its region. A blank folder is the top of the library."""

    region_name: str
    folder: str
    file_name: str
    content: bytes
    features: int

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content).hexdigest()

    def is_source_of(self, region: Region) -> bool:
        """Return whether the region was made from exactly this file, with this name and folder."""
        return (region.name, region.folder, region.digest) == (self.region_name, _folder(self.folder), self.digest)


@dataclass(frozen=True)
class SendResult:
    """The result of sending one file."""

    name: str
    status: Literal["sent", "refused", "unknown", "not tried"]
    error: Exception | None = None

    @property
    def is_name_rejected(self) -> bool:
        """Whether the service rejected the name, so that another one may be accepted."""
        error = self.error
        return isinstance(error, Duplicate) or (
            isinstance(error, Invalid) and any(each.field == "regionName" for each in error.field_errors)
        )


def remaining_files(files: Sequence[RegionFile], regions: Sequence[Region]) -> list[RegionFile]:
    """Return the files that are not in the library yet; all of them if none is left.

    So the rest of a partly sent upload can be sent, and the service rejects the name of a completely sent one.
    """
    there = [region for region in regions if region.state == "there"]
    return [file for file in files if not any(file.is_source_of(region) for region in there)] or list(files)


def send_files(workspace: Workspace, files: Sequence[RegionFile]) -> list[SendResult]:
    """Send files one by one, and return the result of each.

    A name can be used once. So a file with status Unknown can be sent again: if the service rejects its name, the first
    upload has succeeded. After a connection error, a rejected sign-in, or an error of the journal, the remaining files
    are not tried.
    """
    unknown = [region for region in list_sent_regions(workspace) if region.state == "unknown"]
    results: list[SendResult] = []
    stopped: Exception | None = None
    for file in files:
        if stopped is not None:
            results.append(SendResult(file.region_name, "not tried", stopped))
            continue
        try:
            _send(workspace, file)
        except (ServiceError, JournalError) as error:
            uploaded = next(filter(file.is_source_of, unknown), None) if isinstance(error, Duplicate) else None
            if uploaded is not None:
                message = "The response was lost. A second upload shows that the service has the region."
                with suppress(JournalError):
                    resolve_entry(
                        workspace, workspace.journal.audit.retrieve(uploaded.entry_id), "succeeded", message=message
                    )
                results.append(_finish(workspace, file))
                continue
            results.append(
                SendResult(file.region_name, "unknown" if classify_outcome(error) == "unknown" else "refused", error)
            )
            if isinstance(error, TransportError | NotAuthenticated | JournalError):
                stopped = error
        else:
            results.append(_finish(workspace, file))
    return results


def _finish(workspace: Workspace, file: RegionFile) -> SendResult:
    save_file(workspace.journal, workspace.actor, file.digest, file.content)
    save_file_outline(workspace.journal, workspace.actor, file.digest, file.file_name, file.content)
    return SendResult(file.region_name, "sent")


def _send(workspace: Workspace, file: RegionFile) -> None:
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
