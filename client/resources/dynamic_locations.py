"""The dynamic location endpoints: upload a file of locations, and read its status."""

from functools import partial

from ..errors import FieldError
from ..models.dynamic_locations import UploadBatch
from ..models.results import UploadReceipt
from ..retry import Effect
from ..transport import Call, Transport
from ..unwrapping import read_receipt, read_record
from ..uploads import FileSource, name_of, opened
from ..vocabulary.dynamic_locations import UPDATE
from .checks import BATCH_READ_TIMEOUT, id_problems, path_part, refuse, text_problems


class DynamicLocations:
    """Dynamic locations of one organization: where people are now, by file (interface: Dynamic locations)."""

    def __init__(self, transport: Transport, organization_id: int) -> None:
        self._transport = transport
        self._path = f"/dynamicLocations/{organization_id}"

    def upload(
        self, source: FileSource, *, file_name: str | None = None, upload_batch_type: str = UPDATE
    ) -> UploadReceipt:
        """Upload a CSV file, which the service processes in the background. Streamed, and never repeated.

        `retrieve` returns the progress, and `client.models.dynamic_locations.is_running` says whether the service is
        done.
        """
        name = name_of(source, file_name)
        problems = text_problems("file", name, "Enter a name for the file.")
        problems += text_problems("uploadBatchType", upload_batch_type, "Select the type of upload.")
        refuse(problems, "This file cannot be uploaded.")
        with opened(source, name, "text/csv") as upload:
            if upload.size == 0:
                refuse([FieldError("file", f"“{name}” is empty.")], "This file cannot be uploaded.")
            call = Call(
                "POST",
                self._path,
                Effect.CREATES,
                query={"uploadBatchType": upload_batch_type},
                upload=upload,
                read_timeout=BATCH_READ_TIMEOUT,
            )
            return self._transport.call(call, read_receipt)

    def retrieve(self, upload_batch_id: int | str) -> UploadBatch:
        """Return the progress of an upload."""
        if isinstance(upload_batch_id, str):
            problems = text_problems("uploadBatchId", upload_batch_id, "Enter the ID of the upload.")
        else:
            problems = id_problems("uploadBatchId", upload_batch_id)
        refuse(problems, "The value is not the ID of an upload.")
        call = Call("GET", f"{self._path}/{path_part(upload_batch_id)}", Effect.READS)
        return self._transport.call(call, partial(read_record, UploadBatch))
