"""Shape library and dynamic locations, client and service over real HTTP: uploads and their results."""

from __future__ import annotations

import threading
import zipfile
from io import BytesIO

import pytest

from client import Duplicate, Invalid, NotAllowed, NotAuthenticated, NotFound, ServiceClient
from client.classify import classify
from client.models.dynamic_locations import UploadBatch, is_running
from client.vocabulary.limits import MEGABYTE, SHAPE_FILE_BYTES
from tests.contract.covering import covers
from tests.running_service import OTHER_ORGANIZATION_ID, RunningService

KML = b"""<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Depot</name><Polygon><outerBoundaryIs>
<LinearRing><coordinates>47,29 48,29 48,30 47,29</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
</Document></kml>"""


def zipped_shapefile() -> bytes:
    import tempfile
    from pathlib import Path

    import geopandas
    from shapely.geometry import Polygon

    with tempfile.TemporaryDirectory() as folder:
        frame = geopandas.GeoDataFrame(
            {"name": ["Depot"]}, geometry=[Polygon([(47, 29), (48, 29), (48, 30)])], crs="EPSG:4326"
        )
        frame.to_file(Path(folder) / "depot.shp")
        content = BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.write(path, path.name)
    return content.getvalue()


@covers("Endpoints: POST /shapeLibrary/{organizationId}", "Endpoints: DELETE /shapeLibrary/{organizationId}")
def test_shapes_are_uploaded_and_deleted_by_region_or_by_folder(client: ServiceClient) -> None:
    first = client.shape_library.upload(zipped_shapefile(), region_name="Depot", file_name="depot.zip")
    second = client.shape_library.upload(KML, region_name="Yard & 1", folder="North", file_name="yard.KML")
    third = client.shape_library.upload(KML, region_name="Yard 2", folder="North", file_name="yard.kml")
    assert len({first.id, second.id, third.id} - {None}) == 3
    assert client.shape_library.delete(region_name="Depot").id == first.id
    client.shape_library.delete(region_name="North")
    for name in ("Depot", "Yard & 1", "Yard 2", "North"):
        with pytest.raises(NotFound) as caught:
            client.shape_library.delete(region_name=name)
        assert caught.value.status == 404
        assert caught.value.service_message == f"Region name: {name} is not found"


def test_region_names_are_unique(client: ServiceClient) -> None:
    client.shape_library.upload(KML, region_name="Depot", file_name="a.kml")
    with pytest.raises((Invalid, Duplicate)) as caught:
        client.shape_library.upload(KML, region_name="Depot", folder="Elsewhere", file_name="a.kml")
    assert caught.value.status == 400


@covers("Limits: A .zip of shapes", "Limits: A .kml of shapes")
@pytest.mark.parametrize("ending", SHAPE_FILE_BYTES)
def test_a_shape_file_that_is_too_large_is_refused_by_client_and_service(
    client: ServiceClient, service: RunningService, ending: str
) -> None:
    most = SHAPE_FILE_BYTES[ending]
    assert most == {".zip": 1, ".kml": 3}[ending] * MEGABYTE
    large = bytes(most + 1)
    with pytest.raises(Invalid) as caught:
        client.shape_library.upload(large, region_name="R", file_name=f"a{ending}")
    assert caught.value.sent is False
    answer = service.http.post("/shapeLibrary/8800?regionName=R", files={"file": (f"a{ending}", large)})
    assert answer.status_code == 400
    assert isinstance(classify(answer.status_code, answer.content), Invalid)


def test_the_largest_allowed_shape_file_is_uploaded(client: ServiceClient) -> None:
    padded = KML.replace(b"<Document>", b"<Document><!--" + b"x" * (3 * MEGABYTE - len(KML) - 7) + b"-->")
    assert len(padded) == 3 * MEGABYTE
    assert client.shape_library.upload(padded, region_name="R", file_name="a.kml").id


@pytest.mark.parametrize(
    ("content", "name"), [(b"no zip", "a.zip"), (b"<html/>", "a.kml"), (b"", "a.kml"), (KML, "a.txt")]
)
def test_a_file_that_is_not_a_shape_is_refused(client: ServiceClient, content: bytes, name: str) -> None:
    with pytest.raises(Invalid):
        client.shape_library.upload(content, region_name="R", file_name=name)


CSV = (
    b"externalId,arriveDate,expireDate,source,lat,lon,city,country\n"
    b"E-1,2020-01-01 00:00:00,2099-01-01 00:00:00,badge,29.3,47.9,Kuwait,KW\n"
    b"E-none,2020-01-01 00:00:00,2099-01-01 00:00:00,badge,29.3,47.9,Kuwait,KW\n"
    b"E-1,2020-01-01 00:00:00,2099-01-01 00:00:00,badge,95.0,47.9,Kuwait,KW\n"
)


def wait_for_batch(client: ServiceClient, batch_id: int | str) -> UploadBatch:
    """Return the batch once the service has processed it."""
    previous: UploadBatch | None = None
    pause = threading.Event()
    for _ in range(600):
        batch = client.dynamic_locations.retrieve(batch_id)
        if not is_running(batch, previous):
            return batch
        previous = batch
        pause.wait(0.05)
    raise AssertionError("the upload was not processed within 30 s")


@covers(
    "Endpoints: POST /dynamicLocations/{organizationId}",
    "Endpoints: GET /dynamicLocations/{organizationId}/{uploadBatchId}",
)
def test_locations_are_uploaded_and_processed(client: ServiceClient) -> None:
    from tests.contract.trips import trip

    passenger = trip().passengers[0].model_copy(update={"employee_id": "E-1"})
    client.itineraries.create(trip(passengers=[passenger]))
    receipt = client.dynamic_locations.upload(CSV, file_name="people.csv")
    assert receipt.id is not None
    batch = wait_for_batch(client, receipt.id)
    assert not batch.has_failed
    assert (str(batch.id), batch.file_name, batch.file_size) == (str(receipt.id), "people.csv", len(CSV))
    assert batch.success_num == 1
    assert {error.upload_error_code for error in batch.row_errors} == {"EXTERNAL_ID_NOT_EXIST", "LAT_RANGE_INVALID"}
    assert all(error.row and error.column_name for error in batch.row_errors)
    assert (batch.organization_id, batch.created_name) == (8800, "Ana Silva")


def test_an_unknown_upload_is_not_found(client: ServiceClient) -> None:
    with pytest.raises(NotFound):
        client.dynamic_locations.retrieve(999_999)


def test_another_type_of_upload_is_refused(client: ServiceClient) -> None:
    with pytest.raises(Invalid):
        client.dynamic_locations.upload(CSV, file_name="people.csv", upload_batch_type="Replace")


def test_files_require_a_user_and_organization(service: RunningService) -> None:
    calls = (
        lambda client: client.shape_library.upload(KML, region_name="R", file_name="a.kml"),
        lambda client: client.shape_library.delete(region_name="R"),
        lambda client: client.dynamic_locations.upload(CSV, file_name="a.csv"),
        lambda client: client.dynamic_locations.retrieve(5),
    )
    for call in calls:
        with ServiceClient(service.url, 8800, "ana", "guess") as wrong, pytest.raises(NotAuthenticated):
            call(wrong)
        with (
            ServiceClient(service.url, OTHER_ORGANIZATION_ID, "ana", "correct horse") as other_organization,
            pytest.raises(NotAllowed),
        ):
            call(other_organization)
