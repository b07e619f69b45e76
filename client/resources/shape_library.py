"""The shape library endpoints: upload a shape file, and delete regions."""

from ..models.results import UploadReceipt
from ..models.shape_library import shape_problems
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_receipt
from ..uploads import FileSource, name_of, opened
from .checks import BATCH_READ_TIMEOUT, refuse, text_problems

_CONTENT_TYPES = {".zip": "application/zip", ".kml": "application/vnd.google-earth.kml+xml"}


class ShapeLibrary:
    """Shapes in the GIS settings of one organization (interface: Shape library)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/shapeLibrary/{organization_id}"

    def upload(
        self, source: FileSource, *, region_name: str, folder: str | None = None, file_name: str | None = None
    ) -> UploadReceipt:
        """Upload a zipped shapefile or KML to a folder of the library, which is created if needed.

        Type and size are checked before anything is sent. The file is streamed. Returns the ID of the new region.
        """
        name = name_of(source, file_name)
        with opened(source, name, _CONTENT_TYPES.get(name[-4:].casefold(), "application/octet-stream")) as upload:
            refuse(
                shape_problems(file_name=name, size=upload.size, region_name=region_name, folder=folder),
                "This shape cannot be uploaded.",
            )
            call = Call(
                "POST",
                self._path,
                Effect.CREATES,
                query=_place(region_name, folder),
                upload=upload,
                read_timeout=BATCH_READ_TIMEOUT,
            )
            return self._transport.call(call, read_receipt)

    def delete(self, *, region_name: str, folder: str | None = None) -> UploadReceipt:
        """Delete a region, or the regions in the folder with this name."""
        refuse(
            text_problems("regionName", region_name, "Enter the name of the region to delete."),
            "This region cannot be deleted.",
        )
        call = Call("DELETE", self._path, Effect.REMOVES, query=_place(region_name, folder))
        return self._transport.call(call, _read_removal)


def _place(region_name: str, folder: str | None) -> dict[str, str]:
    return {"regionName": region_name.strip()} | ({"folder": folder.strip()} if folder is not None else {})


def _read_removal(content: bytes) -> UploadReceipt:
    return read_receipt(content) if content.strip() else UploadReceipt()
