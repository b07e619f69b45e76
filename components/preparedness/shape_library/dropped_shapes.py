"""Dropped shape files: how each is repaired and fitted, its region name, and what keeps it from being sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count as numbers_from
from typing import TYPE_CHECKING, Any, Final

from client.vocabulary.limits import SHAPE_FILE_BYTES
from domain.preparedness.shape_library.desk_regions import (
    Region,
    Sent,
    ToSend,
    left_to_send,
)
from domain.preparedness.shape_library.shape_places import with_place_findings
from domain.preparedness.shape_library.shape_words import (
    REPAIRS,
    region_names,
)
from domain.runtime.problems import quote_service
from shapes.archives import ArchiveError
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.findings import Finding
from shapes.preparing import Prepared, PrepareOptions, ShapeFile, prepare

if TYPE_CHECKING:
    pass

_RESULTS_KEPT: Final = 3
_serials = numbers_from()


@dataclass
class Dropped:
    """A file that was added, its own choices and region name, and the status of sending it.

    `serial` tells its widgets from those of every other file: no widget's state passes from one file to the next.
    """

    file: ShapeFile
    wish: PrepareOptions
    name: str
    refused: list[Sent] = field(default_factory=list)
    name_problem: str = ""
    serial: int = field(default_factory=lambda: next(_serials))
    _results: dict[PrepareOptions, Prepared | Exception] = field(default_factory=dict, repr=False)

    def result(self) -> Prepared | Exception:
        """The file as it is wished, or why it can't be read; worked out once."""
        if self.wish not in self._results:
            try:
                prepared = prepare(self.file, self.wish, limit=SHAPE_FILE_BYTES[self.wish.kind])
                found: Prepared | Exception = with_place_findings(prepared, self.wish)
            except (UnreadableShapeError, ArchiveError, ReaderNotStartedError) as error:
                found = error
            self._results = dict([*self._results.items(), (self.wish, found)][-_RESULTS_KEPT:])
        return self._results[self.wish]

    def is_known(self) -> bool:
        """Whether it is worked out already."""
        return self.wish in self._results

    def problem(self) -> str:
        """The first thing that keeps it from being sent; "" for nothing."""
        result = self.result()
        if isinstance(result, Exception):
            return str(result)
        if blocking := next((each.message for each in result.findings if each.blocks), ""):
            return blocking
        return "The file is too large." if result.is_too_large else self.name_problem or self._refusal()

    def _refusal(self) -> str:
        refusals = (each.error for each in self.refused if each.became == "refused" and each.error is not None)
        return next(map(quote_service, refusals), "")

    def status(self) -> str:
        """What became of a file that can be sent again as it is; "" if it was not sent before."""
        became = {each.became for each in self.refused}
        return "Unknown" if "unknown" in became else "Not sent" if "not tried" in became else ""

    def repairs(self) -> frozenset[str]:
        """The repairs of its findings that leave nothing out."""
        result = self.result()
        findings: Sequence[Finding] = [] if isinstance(result, Exception) else result.findings
        return frozenset(each.code for each in findings if each.code in REPAIRS and not each.is_repaired)

    def wish_for(self, **options: Any) -> None:
        """Change what is wished."""
        self.wish = replace(self.wish, **options)
        self.refused = []

    def toggle(self, code: str) -> None:
        """Repair something, or leave it as it is."""
        self.wish_for(repairs=self.wish.repairs ^ {code})

    def to_send(self, folder: str, regions: Sequence[Region]) -> list[ToSend]:
        """The regions that it becomes, without those that stand in the library already."""
        result = self.result()
        made = () if isinstance(result, Exception) else result.files
        called = region_names(self.name, len(made))
        file_name = f"{self.file.stem}{self.wish.kind}"
        files = [
            ToSend(region, folder, file_name, each.content, each.features)
            for region, each in zip(called, made, strict=True)
        ]
        return left_to_send(files, regions)


@dataclass
class Work:
    """The files that were added together, the folder that all of them go to, and those that can't be read."""

    files: list[Dropped]
    folder: str = ""
    shown: int = 0
    unreadable: list[str] = field(default_factory=list)

    @property
    def here(self) -> Dropped:
        """The one on the screen."""
        return self.files[self.shown]

    @property
    def wish(self) -> PrepareOptions:
        """What is wished of it."""
        return self.here.wish

    def without(self, gone: Sequence[Dropped]) -> Work | None:
        """The other files; None where there is none."""
        left = [each for each in self.files if not any(each is one for one in gone)]
        return Work(left, self.folder, 0, self.unreadable) if left else None
