"""A workspace at a running service, with its own journal and without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client import Connection, ServiceClient
from client.retry import NO_RETRY
from domain.runtime.workspace import Workspace
from journal import Actor
from tests.prepared_journal import new_journal
from tests.running_service import RunningService


@contextmanager
def workspace_at(service: RunningService, folder: Path) -> Iterator[Workspace]:
    """Yield a workspace at this service, and close it afterwards. Calls are not retried automatically."""
    parts = (service.url, service.organization_id, service.username, service.password)
    workspace = Workspace(
        client=ServiceClient(*parts, token=service.token(), retry=NO_RETRY),
        connection=Connection(*parts),
        journal=new_journal(folder / "journal.sqlite"),
        actor=Actor(service.url, service.organization_id, service.username),
        service_name=service.url,
        is_demo=False,
    )
    try:
        yield workspace
    finally:
        workspace.client.close()
        workspace.journal.close()
