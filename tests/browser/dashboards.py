"""Dashboards at an empty service with two users: one with default settings, and one that requires approval of
alerts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import argon2
from playwright.sync_api import Page

from client.redaction import redact
from domain.alerts.draft import AlertDraft
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from journal import Actor, Journal
from service.accounts import repository as accounts
from service.database import Database
from tests.browser.signing_in import open_as
from tests.running_muster import Muster, start_muster
from tests.running_service import PASSWORD, USERNAME, RunningService


@dataclass
class DraftContext:
    """What storing a draft needs of a workspace."""

    journal: Journal
    actor: Actor


@dataclass
class Dashboard:
    """A dashboard at a service. `with_approval` is another one with the same journal, started when it is first used."""

    muster: Muster
    service: RunningService
    folder: Path
    ends: ExitStack

    @cached_property
    def with_approval(self) -> Muster:
        """The dashboard that sends no alert before a second user has approved it."""
        with_approval = start_muster(self.folder, MUSTER_SERVICE_URL=self.service.url, MUSTER_ALERT_APPROVAL="true")
        self.ends.callback(with_approval.stop)
        return with_approval

    def open(self, page: Page, path: str, *, user: str = USERNAME, at: Muster | None = None) -> Page:
        """Open a path, and sign in."""
        number = self.service.organization_id
        return open_as(page, at or self.muster, path, organization=number, user=user, password=PASSWORD)

    def journal(self) -> Journal:
        """Return the journal of both dashboards. Close it, or use it as a context manager."""
        return Journal.open(f"sqlite:///{self.folder / 'data' / 'journal.sqlite'}", redact)

    def actor(self, user: str = USERNAME) -> Actor:
        """Return a user as the journal records them."""
        return Actor(self.service.url, self.service.organization_id, user)

    def store_draft(self, draft: AlertDraft) -> AlertDraft:
        """Store a draft of ana's, as the composer does."""
        with self.journal() as journal:
            stored_drafts.save(DraftContext(journal, self.actor()), ALERT_EDIT, draft, seen=None)  # type: ignore[arg-type]
        return draft


@contextmanager
def start_dashboards(folder: Path) -> Iterator[Dashboard]:
    """Yield the dashboards, with their data in the folder."""
    with RunningService() as service, ExitStack() as ends:
        with closing(Database(service.database_url)) as database, database.transaction() as connection:
            cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
            ben = accounts.add_user(connection, "ben", cheap, "Ben Okoro")
            accounts.give_access(connection, ben, service.organization_id)
        muster = start_muster(folder, MUSTER_SERVICE_URL=service.url)
        ends.callback(muster.stop)
        yield Dashboard(muster, service, folder, ends)
