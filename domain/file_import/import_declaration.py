"""What a screen declares to import a file: its columns, the rules for its rows, and how rows are sent.

A whole screen:

    ASSETS = Intake(
        kind="asset",
        noun=("asset", "assets"),
        columns=[
            Column("name", "Name", Text(longest=100), aliases=("title",), required=True),
            Column("startDate", "Starts", Moment()),
            Column("endDate", "Ends", Moment(is_end=True)),
            Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",), by_content=True),
        ],
        rules=[repeated("name", words="This name stands in another row, too.", is_error=False), ends_after_start],
        sending=Sending(
            verb="Add", done="added",
            items=each_row(lambda row: {"name": row["name"], "startDate": row["startDate"]}, label="name"),
            send=lambda client, items: fates_of(client.assets.create_batch([item.payload_text for item in items])),
            look=lambda client, items: {item.position: held(client, item) for item in items},
            size=100,
        ),
    )
    take_in(workspace, ASSETS, key="assets")          # the page: four steps, what is under way, and what came of it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.file_import.column_matching import Column, Group, count_known_headings
from domain.file_import.delimited import Table
from domain.file_import.positions import Position
from domain.file_import.row_problems import Rule
from domain.file_import.row_sending import Sending
from domain.file_import.source_file import SourceFile, read_source


@dataclass(frozen=True)
class Intake:
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
    help: str = ""
    placeholder: str = ""

    def read(self, name: str, content: bytes | str, *, sheet: str | None = None) -> SourceFile:
        """Read a file or a pasted text. Raises Unreadable."""

        def named(cells: Sequence[str]) -> int:
            return count_known_headings(cells, self.columns, self.groups)

        return read_source(
            name, content, count_known=named, most_rows=self.most_rows, sheet=sheet, custom_reader=self.custom_reader
        )
