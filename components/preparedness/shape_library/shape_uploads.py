"""Shape files to upload: how each is repaired and reduced to the size limit, its region name, and its problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count as numbers_from
from typing import Any, Final

from client.vocabulary.limits import SHAPE_FILE_BYTES
from domain.preparedness.shape_library.sent_regions import (
    Region,
    RegionFile,
    SendResult,
    remaining_files,
)
from domain.preparedness.shape_library.shape_places import add_place_findings
from domain.preparedness.shape_library.shape_texts import AREA_CONSENTS, CONSENT_LABELS, SAFE_REPAIRS, region_names
from domain.runtime.problems import quote_service
from shapes.archives import ArchiveError
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.findings import Finding
from shapes.preparing import Prepared, PrepareOptions, ShapeFile, prepare

_RESULTS_KEPT: Final = 3
_serials = numbers_from()


@dataclass
class ShapeUpload:
    """A file to upload, with its options, its region name, and the results of sending it.

    `serial` makes the keys of its widgets unique, so that no state passes from one file to another.
    """

    file: ShapeFile
    options: PrepareOptions
    name: str
    failures: list[SendResult] = field(default_factory=list)
    name_problem: str = ""
    serial: int = field(default_factory=lambda: next(_serials))
    _results: dict[PrepareOptions, Prepared | Exception] = field(default_factory=dict, repr=False)

    def prepare(self) -> Prepared | Exception:
        """Prepare the file with its options, once, and return it or the error that prevents reading it."""
        if self.options not in self._results:
            try:
                prepared = prepare(self.file, self.options, limit=SHAPE_FILE_BYTES[self.options.kind])
                outcome: Prepared | Exception = add_place_findings(prepared, self.options)
            except (UnreadableShapeError, ArchiveError, ReaderNotStartedError) as error:
                outcome = error
            self._results = dict([*self._results.items(), (self.options, outcome)][-_RESULTS_KEPT:])
        return self._results[self.options]

    def is_prepared(self) -> bool:
        """Return whether the file is prepared with its current options."""
        return self.options in self._results

    def problem(self) -> str:
        """Return the first problem that blocks sending; "" for none."""
        result = self.prepare()
        if isinstance(result, Exception):
            return str(result)
        if blocking := next((each.message for each in result.findings if each.blocks), ""):
            return blocking
        return "The file is too large." if result.is_too_large else self.name_problem or self._refusal()

    def _refusal(self) -> str:
        refusals = (each.error for each in self.failures if each.status == "refused" and each.error is not None)
        return next(map(quote_service, refusals), "")

    def status(self) -> str:
        """Return the status of a file that can be sent again unchanged; "" if it was not sent before."""
        statuses = {each.status for each in self.failures}
        return "Unknown" if "unknown" in statuses else "Not sent" if "not tried" in statuses else ""

    def repairs(self) -> frozenset[str]:
        """Return the repairs of its findings that leave nothing out."""
        result = self.prepare()
        findings: Sequence[Finding] = [] if isinstance(result, Exception) else result.findings
        return frozenset(each.code for each in findings if each.code in SAFE_REPAIRS and not each.is_repaired)

    def set_options(self, **options: Any) -> None:
        """Change the options."""
        self.options = replace(self.options, **options)
        self.failures = []

    def toggle(self, code: str) -> None:
        """Turn a repair or a consent on or off."""
        self.set_repairs(self.options.repairs ^ {code})

    def set_repairs(self, repairs: frozenset[str]) -> None:
        """Select repairs. A consent to what other repairs did ends."""
        has_same_repairs = (repairs ^ self.options.repairs) <= CONSENT_LABELS.keys()
        self.set_options(repairs=repairs if has_same_repairs else repairs - AREA_CONSENTS)

    def build_files(self, folder: str, regions: Sequence[Region]) -> list[RegionFile]:
        """Return the files of its regions, without those that are already in the library."""
        result = self.prepare()
        parts = () if isinstance(result, Exception) else result.files
        region_name_list = region_names(self.name, len(parts))
        file_name = f"{self.file.stem}{self.options.kind}"
        files = [
            RegionFile(region, folder, file_name, each.content, each.features)
            for region, each in zip(region_name_list, parts, strict=True)
        ]
        return remaining_files(files, regions)


@dataclass
class UploadBatch:
    """The files that were added together, their folder in the library, and the errors of those that cannot be read."""

    files: list[ShapeUpload]
    folder: str = ""
    current_index: int = 0
    unreadable: list[str] = field(default_factory=list)

    @property
    def current(self) -> ShapeUpload:
        """The file on the screen."""
        return self.files[self.current_index]

    @property
    def options(self) -> PrepareOptions:
        """The options of the file on the screen."""
        return self.current.options

    def remove_files(self, removed: Sequence[ShapeUpload]) -> UploadBatch | None:
        """Return the batch without these files; None if no file remains."""
        remaining = [each for each in self.files if not any(each is one for one in removed)]
        return UploadBatch(remaining, self.folder, 0, self.unreadable) if remaining else None
