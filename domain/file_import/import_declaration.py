"""What a screen declares to import a file: its columns, the rules for its rows, and how rows are sent.

A whole screen:

    ASSETS = ImportDeclaration(
        kind="asset",
        noun=("asset", "assets"),
        columns=[
            Column("name", "Name", Text(max_length=100), aliases=("title",), required=True),
            Column("startDate", "Starts", Moment()),
            Column("endDate", "Ends", Moment(is_end=True)),
            Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",), by_content=True),
        ],
        rules=[find_repeats("name", message="Another row has the same name.", is_error=False), ends_after_start],
        sending=Sending(
            verb="Add",
            done_verb="added",
            build_items=build_each_row(lambda row: {"name": row["name"], "startDate": row["startDate"]}, label="name"),
            send=lambda client, batch: build_statuses(
                client.assets.create_batch([item.payload_text for item in batch]), len(batch)
            ),
            max_batch_size=100,
        ),
    )
    draw_import(workspace, ASSETS, key="assets")  # the whole page: file, columns, check, jobs, and results
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.file_import.column_matching import Column, Group, count_known_headings
from domain.file_import.delimited import Table
from domain.file_import.positions import Position
from domain.file_import.row_problems import Rule
from domain.file_import.row_sending import Sending
from domain.file_import.saved_matches import BuiltInProfile
from domain.file_import.source_file import SourceFile, read_source


@dataclass(frozen=True)
class ImportDeclaration:
    """What a screen imports."""

    kind: str
    """The stored name of the import, such as "asset"."""
    noun: tuple[str, str]
    """The singular and plural of a record."""
    columns: Sequence[Column]
    """The columns, including the first ones of each group."""
    rules: Sequence[Rule] = ()
    groups: Sequence[Group] = ()
    group_by: str = ""
    one_of: Sequence[str] = ()
    sending: Sending | None = None
    """How rows are sent. None if the caller uses the rows."""
    position: Position | None = None
    """The columns of coordinates. They are checked, drawn on a map, and show the time zone."""
    most_rows: int = 100_000
    custom_reader: Callable[[str], Table | None] | None = None
    profiles: Sequence[BuiltInProfile] = ()
    """The profiles of usual files, for what their headings cannot say."""
    help: str = ""
    placeholder: str = ""

    def read(self, name: str, content: bytes | str, *, sheet: str | None = None) -> SourceFile:
        """Read a file or a pasted text. Raises Unreadable."""

        def count_known(cells: Sequence[str]) -> int:
            return count_known_headings(cells, self.columns, self.groups)

        return read_source(
            name,
            content,
            count_known=count_known,
            most_rows=self.most_rows,
            sheet=sheet,
            custom_reader=self.custom_reader,
        )
