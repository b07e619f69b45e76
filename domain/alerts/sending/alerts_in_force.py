"""Find the alerts in force, and those that colleagues are writing, for the same people as a draft.

The public should not get two alerts about one emergency.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from pydantic import ValidationError
from rapidfuzz import fuzz

from client import ServiceClient
from client.models.notifications import Notification
from client.vocabulary.notifications import STOPPED
from client.vocabulary.public_alerts import EXPIRE_HOURS, JURISDICTION_ALL
from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.recipients.place_names import zip_codes_of
from domain.alerts.recipients.region_catalog import loaded_lookups
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.request import draft_from_sent
from domain.alerts.sending.alert_chain import Chains, chains_of, followed_by, sendings
from domain.alerts.sending.countdown import MARK, MAY_RUN_FOR
from domain.alerts.wording.follow_ups import is_calm
from domain.alerts.wording.hazards_in_text import hazards_of
from domain.runtime.background import BackgroundRead, BackgroundReads
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import id_in
from journal import Entry

SIMILAR_FROM: Final = 80
"""The similarity, of 100, above which two texts count as the same alert in other words."""
_LONGEST: Final = timedelta(hours=EXPIRE_HOURS[-1])
_MAX_AGE: Final = timedelta(seconds=10)
_PAGES: Final = 50
_WRITTEN_SINCE: Final = timedelta(hours=1)
"""A draft that was not stored for longer is not being written anymore."""
_NEWEST: Final = ("alerts in force",)


@dataclass(frozen=True)
class AlertInForce:
    """An alert that was sent or is being sent."""

    draft: AlertDraft
    sent_at: datetime
    sent_by: str
    notification: int | None = None
    """The ID of its notification, or None if its status is Sending or Unknown."""
    uid: str = ""
    """The draft that it was sent from."""
    first_uid: str = ""
    """The draft that it repeats in another language."""
    is_draft: bool = False
    """Whether a colleague is still writing it. `sent_at` is when it was stored."""
    is_counting: bool = False
    """Whether its countdown runs, or ran until just now."""

    @property
    def step(self) -> tuple[str, bool, bool]:
        """How far it is: a new step of an alert is news to someone who has seen an earlier one."""
        return self.uid or str(self.notification), self.is_draft, self.is_counting

    @property
    def ends(self) -> datetime:
        """When it ends."""
        return self.sent_at + timedelta(hours=self.draft.hours or EXPIRE_HOURS[-1])

    def has_same_text(self, draft: AlertDraft) -> bool:
        """Return whether the texts are equal, ignoring spaces and case."""
        return self.draft.sms.casefold().split() == draft.sms.casefold().split()

    def is_similar(self, draft: AlertDraft) -> bool:
        """Return whether it has the same event, a similar text, or the same hazard, as a fire and its evacuation."""
        is_alike = self.draft.event == draft.event or fuzz.token_set_ratio(self.draft.sms, draft.sms) >= SIMILAR_FROM
        return is_alike or not hazards_of(self.draft.event, self.draft.sms).isdisjoint(
            hazards_of(draft.event, draft.sms)
        )


def overlapping_in_force(
    draft: AlertDraft,
    sent_alerts: Iterable[AlertInForce],
    chains: Chains,
    now: datetime,
    catalog: RegionCatalog | None = None,
) -> list[AlertInForce]:
    """Return the alerts in force with some of the same recipients, whatever their events.

    Those with the same event or a similar text come first, then the latest. Without the alert that the draft follows,
    alerts that have a follow-up, and the same alert in another language.
    """
    found = [
        each
        for each in _in_force(draft, sent_alerts, chains, now, catalog)
        if (each.draft.is_test, is_calm(each.draft)) == (draft.is_test, is_calm(draft))
    ]
    return sorted(found, key=lambda each: (each.is_similar(draft), each.sent_at), reverse=True)


def remaining_in_force(
    draft: AlertDraft,
    sent_alerts: Iterable[AlertInForce],
    chains: Chains,
    now: datetime,
    catalog: RegionCatalog | None = None,
) -> list[AlertInForce]:
    """Return the live alerts that stay in force for some of the same people after an all clear, the latest first."""
    if not is_calm(draft):
        return []
    found = [
        each
        for each in _in_force(draft, sent_alerts, chains, now, catalog)
        if not (each.draft.is_test or is_calm(each.draft))
    ]
    return sorted(found, key=lambda each: each.sent_at, reverse=True)


def _in_force(
    draft: AlertDraft,
    sent_alerts: Iterable[AlertInForce],
    chains: Chains,
    now: datetime,
    catalog: RegionCatalog | None,
) -> Iterator[AlertInForce]:
    for each in sent_alerts:
        is_own = _belongs_to(draft, each, chains) or chains.superseded(each.notification) is not None
        if each.ends > now and not is_own and _shares_recipients(draft, each.draft, catalog):
            yield each


def find_overlapping(workspace: Workspace, draft: AlertDraft, now: datetime) -> list[AlertInForce]:
    """Return the alerts in force, and the drafts of colleagues, with some of the same recipients as the draft."""
    sent_alerts, chains = _read_sent(workspace, now)
    found = [*sent_alerts, *_written_by_colleagues(workspace, now)]
    return overlapping_in_force(draft, found, chains, now, _loaded_catalog(workspace))


def find_remaining(workspace: Workspace, draft: AlertDraft, now: datetime) -> list[AlertInForce]:
    """Return the live alerts that stay in force for some of the same people after an all clear, the latest first."""
    sent_alerts, chains = _read_sent(workspace, now)
    return remaining_in_force(draft, sent_alerts, chains, now, _loaded_catalog(workspace))


def find_followed(workspace: Workspace, draft: AlertDraft) -> AlertInForce | None:
    """Return the alert that a draft follows, if it is among the latest."""
    entries = sendings(workspace)
    listed = read_newest(workspace).value or []
    sent_alerts = _sent(entries, chains_of(entries), listed)
    return next(
        (each for each in sent_alerts if draft.follows is not None and each.notification == draft.follows), None
    )


def _read_sent(workspace: Workspace, now: datetime) -> tuple[list[AlertInForce], Chains]:
    entries = sendings(workspace, since=now - _LONGEST)
    chains = chains_of(entries)
    listed = read_newest(workspace)
    if listed.value is None:
        listed.wait(BackgroundReads.patience, since_it_began=True)
    return _sent(entries, chains, listed.value or []), chains


def _loaded_catalog(workspace: Workspace) -> RegionCatalog | None:
    lookups = loaded_lookups(workspace)
    return lookups.regions.value if lookups is not None else None


def live_in_force(workspace: Workspace, now: datetime) -> list[AlertInForce] | None:
    """The live alerts in force, the first to end first; None if the service's were never read. Reads the journal only.

    Of an alert that the service lists, its status counts.
    """
    entries = sendings(workspace, since=now - _LONGEST)
    chains = chains_of(entries)
    listed = server().reads.find(workspace, *_NEWEST)
    notifications: list[Notification] = [] if listed is None or listed.value is None else listed.value
    by_id = {each.id: each for each in notifications}
    found = [
        each
        for each in _sent(entries, chains, notifications)
        if each.notification is not None
        and (
            counts_as_in_force(by_id[each.notification], chains, now)
            if each.notification in by_id
            else each.ends > now and _counts(each.draft, each.notification, chains)
        )
    ]
    return sorted(found, key=lambda each: each.ends) if found or (listed and listed.value is not None) else None


def counts_as_in_force(sent: Notification, chains: Chains, now: datetime) -> bool:
    """Return whether a notification is a live alert that has neither ended nor been stopped, on every screen.

    Routine tests, all-clear messages, and alerts that another one has followed do not count.
    """
    alert = _from_service(sent)
    if alert is None or alert.ends <= now:
        return False
    return _counts(chains.with_links(sent.id, alert.draft), sent.id, chains)


def _counts(draft: AlertDraft, notification: int | None, chains: Chains) -> bool:
    return not draft.is_test and not is_calm(draft) and chains.superseded(notification) is None


def read_newest(workspace: Workspace) -> BackgroundRead[list[Notification]]:
    """Start to read the service's newest notifications in the background, unless they were read just now."""
    return server().reads.open(workspace, _NEWEST, partial(_read_newest, workspace.client), max_age=_MAX_AGE)


def _sent(entries: Iterable[Entry], chains: Chains, listed: Iterable[Notification]) -> list[AlertInForce]:
    sent = list(_from_journal(entries, chains))
    known = {each.notification for each in sent}
    others = (_from_service(each) for each in listed if each.id not in known)
    return [*sent, *(each for each in others if each is not None)]


def _belongs_to(draft: AlertDraft, other: AlertInForce, chains: Chains) -> bool:
    if other.uid and other.uid in (draft.uid, draft.translation_of):
        return True
    if other.first_uid and other.first_uid == draft.uid:
        return True
    link = chains.followed_link(other.notification)
    return draft.follows is not None and draft.follows in (
        other.notification,
        link.follows if link is not None else None,
    )


def _shares_recipients(one: AlertDraft, other: AlertDraft, catalog: RegionCatalog | None) -> bool:
    if not {*one.groups}.isdisjoint(other.groups) or not {*one.regions}.isdisjoint(other.regions):
        return True
    if JURISDICTION_ALL in (one.jurisdiction, other.jurisdiction):
        return all(each.regions or each.jurisdiction == JURISDICTION_ALL for each in (one, other))
    # A ZIP code in a city, a city in a county: both have ZIP codes in common.
    codes = [frozenset[str]() if catalog is None else zip_codes_of(each.regions, catalog) for each in (one, other)]
    return not codes[0].isdisjoint(codes[1])


def _written_by_colleagues(workspace: Workspace, now: datetime) -> Iterator[AlertInForce]:
    """Yield the alerts that colleagues are writing."""
    drafts = workspace.journal.drafts
    marks = drafts.list_of_colleagues(workspace.actor, MARK, since=now - MAY_RUN_FOR)
    counting = {mark.key for mark in marks}
    for stored in drafts.list_of_colleagues(workspace.actor, KIND, since=now - _WRITTEN_SINCE):
        try:
            draft = AlertDraft.model_validate(stored.payload)
        except ValidationError:  # From another version of Muster.
            continue
        is_counting = draft.uid in counting
        yield AlertInForce(
            draft, stored.saved_at, stored.username, uid=draft.uid, is_draft=True, is_counting=is_counting
        )


def _from_journal(entries: Iterable[Entry], chains: Chains) -> Iterator[AlertInForce]:
    seen: set[str] = set()
    for entry in entries:  # Latest first.
        request = entry.request or {}
        uid, follows = str(request.get("draft") or ""), request.get("follows")
        if uid in seen or entry.state not in ("succeeded", "started", "unknown") or "notification" not in request:
            continue
        seen.add(uid)
        notification = id_in(entry.subject_id or "") if entry.state == "succeeded" else None
        kind, _ = followed_by(request, {})
        draft = draft_from_sent(Notification.from_wire(request["notification"]))
        draft = draft.model_copy(update={"follow_up": kind if follows else ""})
        at = chains.sent_at(notification) if notification is not None else None
        first_uid = str(follows.get("draft") or "") if isinstance(follows, dict) else ""
        yield AlertInForce(draft, at or entry.at, entry.actor.username, notification, uid, first_uid)


def _from_service(sent: Notification) -> AlertInForce | None:
    if sent.public_alert is None or sent.created_date is None or sent.known_status == STOPPED:
        return None
    return AlertInForce(draft_from_sent(sent), sent.created_date, sent.created_name or "", sent.id)


def _read_newest(client: ServiceClient, _: object) -> list[Notification]:
    """Read the notifications of the last day, as far as the service lists the newest first."""
    earliest, found = datetime.now(UTC) - _LONGEST, list[Notification]()
    for _number, page in zip(range(_PAGES), client.notifications.list().pages(), strict=False):
        found += page.items
        times = [each.created_date for each in page.items if each.created_date is not None]
        if times and times[-1] < earliest:
            break
    return found
