"""SQL of shape folders and regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, or_, select

from service.accounts.models import Caller
from service.epoch import now_ms
from service.shape_library.schema import shape_folders, shape_regions
from shapes.reading import Shape
from storage.dialects import insert_if_absent

_regions, _folders = shape_regions.c, shape_folders.c


def find_region(connection: Connection, organization_id: int, name: str) -> int | None:
    """Return the ID of a region in any folder; None if there is none."""
    statement = select(_regions.id).where(_regions.organization_id == organization_id, _regions.name == name)
    return connection.execute(statement).scalar()


def folders_from(connection: Connection, organization_id: int, name: str) -> Sequence[int]:
    """Return the IDs of the folder with a name and of its subfolders, that one first."""
    below = _folders.name.startswith(f"{name}/", autoescape=True)
    statement = (
        select(_folders.id)
        .where(_folders.organization_id == organization_id, or_(_folders.name == name, below))
        .order_by(_folders.name, _folders.id)
    )
    return connection.execute(statement).scalars().all()


def regions_in(connection: Connection, folder_ids: Sequence[int]) -> Sequence[int]:
    """Return the regions in folders."""
    statement = select(_regions.id).where(_regions.folder_id.in_(folder_ids)).order_by(_regions.id)
    return connection.execute(statement).scalars().all()


def ensure_folder(connection: Connection, caller: Caller, name: str) -> int:
    """Return the ID of a folder, creating it if needed."""
    row = {
        "organization_id": caller.organization_id,
        "name": name,
        "created_at": now_ms(),
        "created_by": caller.user_id,
    }
    insert_if_absent(connection, shape_folders, [row])
    statement = select(_folders.id).where(_folders.organization_id == caller.organization_id, _folders.name == name)
    return int(connection.execute(statement).scalar_one())


def add_region(
    connection: Connection, caller: Caller, *, name: str, folder_id: int | None, file_name: str, shape: Shape
) -> int:
    """Store a region. Raises the database's IntegrityError if the name was used meanwhile."""
    values = asdict(shape) | {
        "organization_id": caller.organization_id,
        "folder_id": folder_id,
        "name": name,
        "file_name": file_name,
        "created_at": now_ms(),
        "created_by": caller.user_id,
    }
    return int(connection.execute(insert(shape_regions).values(values).returning(_regions.id)).scalar_one())


def remove_region(connection: Connection, region_id: int) -> None:
    """Delete a region."""
    connection.execute(delete(shape_regions).where(_regions.id == region_id))


def remove_folders(connection: Connection, folder_ids: Sequence[int]) -> None:
    """Delete folders and every region in them."""
    connection.execute(delete(shape_regions).where(_regions.folder_id.in_(folder_ids)))
    connection.execute(delete(shape_folders).where(_folders.id.in_(folder_ids)))
