"""The screen of sent notifications: a list with filters for kind, place, and end, and the details of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from typing import Final

import streamlit as st

from client.fan_out import fan_out
from client.models.notifications import Notification
from client.paging import Page
from components.alerts.recipients.reach_card import reach_card
from components.alerts.sending.alert_editor import open_begun, open_new
from components.alerts.sending.alert_times import format_alert_time
from components.alerts.sending.boxes import says
from components.alerts.sending.cap_view import cap_expander
from components.alerts.sending.sent_alert import begin_follow_up, chain_lines
from components.record_list.declaration import (
    Action,
    AllRecords,
    ListQuery,
    ListResult,
    NewAction,
    RecordList,
    local_times,
    statuses,
    text,
    times,
)
from components.record_list.filter_controls import ChoiceFilter, SwitchFilter
from components.shell.address import flag_field, go_to, optional_field
from components.shell.background_changes import redraw_when, redraw_while_loading
from components.widgets.browser_zone import browser_zone
from components.widgets.downloads import request_expander
from components.widgets.status_badge import draw_status
from domain.alerts.draft import (
    ALL_CLEAR,
    CORRECTION,
    EXTENSION,
    FALSE_ALARM,
    SECOND_LANGUAGE,
    UPGRADE,
    AlertDraft,
    FollowUp,
)
from domain.alerts.filing_names import CATEGORIES, EVENTS, FilingNames, filing_names
from domain.alerts.notifications.sent_frame import (
    LIVE_ALERT,
    MESSAGE,
    NOT_TOLD,
    ROUTINE_TEST,
    end_words,
    ends_at,
    event_words,
    kind_words,
    names_a_reach,
    status_of,
    title_of,
    type_words,
)
from domain.alerts.recipients.reach import reach_of
from domain.alerts.recipients.region_catalog import RegionLookups, region_lookups
from domain.alerts.request import draft_from_sent
from domain.alerts.sending.alert_chain import Chains, chains
from domain.alerts.sending.alerts_in_force import counts_as_in_force, live_in_force
from domain.alerts.sending.facts import levels_of
from domain.alerts.sending.known_recipients import zone_for_alert
from domain.alerts.wording.follow_ups import KINDS, follow_up_kinds
from domain.edits.journal_texts import ALERT
from domain.runtime.background import BackgroundReads
from domain.runtime.screens import PUBLIC_ALERT
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.tables.loaded_records import LoadedRecords, ReportProgress
from domain.tables.status import Status
from domain.text.place_clock import on_clocks
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id

MOST: Final = 2_000
"""How many of the newest are read. The service returns ten per page and cannot search."""
LOOKED_THROUGH: Final = 30
"""The pages that are read to find one notification. The interface cannot read one by its ID."""

EVENT: Final = optional_field("event")
KIND: Final = optional_field("kind")
IN_FORCE: Final = flag_field("active")
FOLLOW_UP: Final = "Follow-up"
_FOLLOW_SECONDS: Final = 5
"""How often the list is compared with the alerts in force."""


@dataclass(frozen=True)
class Sent:
    """A notification with its recipients, its event and category, and its links."""

    notification: Notification
    names: FilingNames
    lookups: RegionLookups | None = None
    chains: Chains = field(default_factory=Chains)

    @cached_property
    def draft(self) -> AlertDraft:
        """The draft that it was sent from, rebuilt."""
        return draft_from_sent(self.notification)

    @property
    def linked_draft(self) -> AlertDraft:
        """The rebuilt draft with its links."""
        return self.chains.with_links(self.notification.id, self.draft)

    @property
    def follows(self) -> str:
        """The kind of follow-up, or ""."""
        link = self.chains.followed_link(self.notification.id)
        return "" if link is None else KINDS[link.kind].title

    @property
    def kind(self) -> str:
        """The kind, for the filter of the list."""
        return FOLLOW_UP if self.follows else kind_words(self.notification)

    @property
    def whom(self) -> str:
        """The recipients, as far as they and their names are known."""
        alert, known = self.notification.public_alert, self.lookups
        if alert is None or known is None or not names_a_reach(alert):
            return ""
        return reach_of(self.draft, known.regions.value, known.groups.value).whom

    def local_time(self, at: datetime | None) -> str | None:
        """Write a time in the local time of the places it went to; in the user's if the places are unknown."""
        if at is None:
            return None
        catalog = self.lookups.regions.value if self.lookups is not None else None
        return on_clocks(at, zone_for_alert(self.draft, catalog, browser_zone(), at) or browser_zone())

    @property
    def status(self) -> Status:
        """The status."""
        return status_now(self.notification, self.chains)


def status_now(notification: Notification, alert_chains: Chains) -> Status:
    """Return the status. A follow-up that replaced the alert comes first, and does not end it."""
    after = alert_chains.superseded(notification.id)
    return status_of(notification, datetime.now(UTC), "" if after is None else KINDS[after.kind].followed)


def _known(workspace: Workspace, notifications: list[Notification]) -> list[Sent]:
    names, lookups, known = filing_names(workspace), region_lookups(workspace), chains(workspace)
    return [Sent(each, names, lookups, known) for each in notifications]


def read(workspace: Workspace, tell: ReportProgress) -> LoadedRecords[Sent]:
    """Read the newest notifications, several pages at once if the service returns the total. Raises `ServiceError`."""
    first = workspace.client.notifications.list()
    found: dict[object, Notification] = {}
    for page in _pages(workspace, first):
        # A notification that was sent meanwhile moves the others by one, so one may be on two pages.
        found |= {each.id or id(each): each for each in page.items}
        tell(len(found), first.total_count)
        if len(found) >= MOST:
            break
    newest = list(found.values())[:MOST]
    return LoadedRecords(_known(workspace, newest), first.total_count)


def _pages(workspace: Workspace, first: Page[Notification]) -> Iterator[Page[Notification]]:
    last = min(first.total_pages or 1, MOST // max(len(first.items), 1))
    others = fan_out(
        lambda number: workspace.client.notifications.list(page_number=number), range(2, last + 1), width=8
    )
    later_pages = sorted((each.result() for each in others), key=lambda page: page.number)
    yield from (first, *later_pages)
    # If the service's total is too low or missing.
    yield from islice((later_pages or [first])[-1].pages(), 1, None)


def find(workspace: Workspace, notification_id: str) -> Sent | None:
    """Find one of the newest by its ID. Raises `ServiceError`."""
    pages = workspace.client.notifications.list().pages()
    newest = (each for page in islice(pages, LOOKED_THROUGH) for each in page.items)
    found = next((each for each in newest if str(each.id) == notification_id), None)
    return None if found is None else _known(workspace, [found])[0]


def _keeps(sent: Sent, query: ListQuery) -> bool:
    event = id_in(query[EVENT] or "")
    if event is not None and sent.notification.notification_event_id != event:
        return False
    if query[KIND] is not None and sent.kind != query[KIND]:
        return False
    return not query[IN_FORCE] or counts_as_in_force(sent.notification, sent.chains, datetime.now(UTC))


def _answer(workspace: Workspace, found: ListResult[Sent]) -> str:
    now, total = datetime.now(UTC), found.loaded.total or 0
    parts = [count(found.total, "notification", "notifications")]
    if total > len(found.loaded.records):
        parts.append(f"from the newest {len(found.loaded.records):,} of {total:,}")
    parts.append(
        f"{sum(counts_as_in_force(each.notification, each.chains, now) for each in found.records):,} in force now"
    )
    event = id_in(found.query.values.get(EVENT.name) or "")
    if event is not None:
        parts.append(f"event {event_words(event, filing_names(workspace).names(EVENTS))}")
    return " · ".join(parts)


def _above(workspace: Workspace, found: ListResult[Sent]) -> None:
    drawn = _in_force_ids(workspace)
    redraw_when(lambda: _has_changed(workspace, drawn), every=_FOLLOW_SECONDS)
    # While they load, places and groups are counted, and times are in the user's time zone.
    with redraw_while_loading(region_lookups(workspace)):
        given = found.query.values.get(EVENT.name)
        if given is not None and id_in(given) is None:
            st.warning(f"{plain(quoted_id(given))} is not an event ID. {NOT_AN_ID}", icon=":material/help:")


def _in_force_ids(workspace: Workspace) -> set[int | None] | None:
    alerts = live_in_force(workspace, datetime.now(UTC))
    return None if alerts is None else {each.notification for each in alerts}


def _has_changed(workspace: Workspace, drawn: set[int | None] | None) -> bool:
    """Return whether the line above the page has other alerts than when the list was drawn, which is then outdated."""
    has_changed = drawn is not None and _in_force_ids(workspace) != drawn
    if has_changed:
        server().reads.invalidate(SENT.key)
    return has_changed


def _event_names(workspace: Workspace) -> dict[str, str]:
    names = filing_names(workspace, patience=BackgroundReads.patience_for_names).names(EVENTS)
    return {str(number): name for number, name in names.items()}


def _follow_up(kind: FollowUp) -> Action[Sent]:
    """Declare a follow-up. It is offered for alerts of the right kind that have none."""

    def begin(workspace: Workspace, selected: Sequence[Sent]) -> None:
        (sent,) = selected
        number, at = sent.notification.id, sent.notification.created_date
        open_begun(begin_follow_up(workspace, kind, sent.linked_draft, follows=number, at=at))

    def is_offered(_: Workspace, item: Sent) -> bool:
        is_alert = item.notification.public_alert is not None
        return (
            is_alert
            and item.chains.superseded(item.notification.id) is None
            and kind in follow_up_kinds(item.linked_draft)
        )

    texts = KINDS[kind]
    return Action(texts.label, begin, icon=texts.icon, key=kind.replace(" ", "_"), is_offered=is_offered)


def _copy(workspace: Workspace, chosen: Sequence[Sent]) -> None:
    """Open a draft with the same text and recipients."""
    (sent,) = chosen
    open_new(workspace, sent.linked_draft.copied(written_at=sent.notification.created_date))


SENT: Final = RecordList(
    key="notifications",
    noun=("notification", "notifications"),
    source=AllRecords(
        read,
        search=("title", "to", "kind", "state", "chain", "text", "instructions", "event", "by"),
        search_hint="Title, recipients, or text",
        matches=_keeps,
    ),
    identity=lambda sent: "" if sent.notification.id is None else str(sent.notification.id),
    name=lambda sent: title_of(sent.notification),
    columns={
        "title": text("Title", lambda sent: title_of(sent.notification)),
        "kind": text("Type", lambda sent: kind_words(sent.notification, sent.follows)).secondary(),
        "to": text("To", lambda sent: sent.whom or None),
        "state": statuses("Status", lambda sent: sent.status).sorted_by(lambda sent: ends_at(sent.notification)),
        "until": local_times("Until (local)", lambda sent: sent.local_time(ends_at(sent.notification)))
        .sorted_by(lambda sent: ends_at(sent.notification))
        .secondary(),
        "until_utc": times("Until", lambda sent: ends_at(sent.notification)).secondary(),
        "sent": local_times("Sent (local)", lambda sent: sent.local_time(sent.notification.created_date)).sorted_by(
            lambda sent: sent.notification.created_date
        ),
        "at": times("Sent", lambda sent: sent.notification.created_date).in_files_only(),
        "chain": text("Follow-up", lambda sent: sent.chains.summary(sent.notification.id) or None).in_files_only(),
        "text": text("Text message", lambda sent: sent.draft.sms or sent.draft.text).in_files_only(),
        "instructions": text("Instructions", lambda sent: sent.draft.instructions or None).in_files_only(),
        "event": text(
            "Event", lambda sent: event_words(sent.notification.notification_event_id, sent.names.names(EVENTS))
        ).in_files_only(),
        "by": text("By", lambda sent: sent.notification.created_name).in_files_only(),
        "id": text("ID", lambda sent: str(sent.notification.id or "")).in_files_only(),
    },
    placeholder="–",
    url_parameter="notification",
    subject_kind=ALERT,
    draw_detail=lambda workspace, sent: sent_detail(workspace, sent.notification, sent.names),
    retrieve=find,
    missing_message="Notification {id} is not among the newest. The notification may be older, or belong to another "
    "organization.",
    icon="outbox",
    actions=(
        *map(_follow_up, (ALL_CLEAR, EXTENSION, CORRECTION, FALSE_ALARM, UPGRADE, SECOND_LANGUAGE)),
        Action("Copy to new draft", _copy, icon=":material/content_copy:", key="duplicate"),
    ),
    filters=(
        ChoiceFilter(
            KIND, "Type", lambda _: {each: each for each in (LIVE_ALERT, ROUTINE_TEST, FOLLOW_UP, MESSAGE)}, "All"
        ),
        ChoiceFilter(
            EVENT, "Notification event", _event_names, none_label="All events", unknown_label="Event {}", width=280
        ),
        SwitchFilter(IN_FORCE, "In force now"),
    ),
    summarize=_answer,
    draw_above_list=_above,
    new=NewAction("Create public alert", open=lambda _: go_to(PUBLIC_ALERT), is_primary=False),
    empty_message="No notifications have been sent yet.",
)


def sent_detail(workspace: Workspace, notification: Notification, names: FilingNames) -> None:
    """Draw a notification below its title."""
    now, alert, known = datetime.now(UTC), notification.public_alert, chains(workspace)
    draft = known.with_links(notification.id, draft_from_sent(notification))
    format_time = partial(format_alert_time, workspace, draft)
    sent_at = format_time(notification.created_date) if notification.created_date else NOT_TOLD.lower()
    by = plain(notification.created_name or NOT_TOLD.lower())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_status(status_now(notification, known))
        st.caption(f"sent {plain(sent_at)} by {by}")
    if notification.message is not None and notification.message.text_message:
        st.text(notification.message.text_message)
    if alert is not None:
        about = (type_words(alert.type), levels_of(draft) or "no levels", end_words(notification, now, format_time))
        says(draft, " · ".join(about))
        if names_a_reach(alert):
            has_names = bool(draft.regions or draft.groups)
            reach_card(draft, region_lookups(workspace), key="notifications.reach", watch=has_names)
        else:
            st.caption("The recipients are unknown.")
    _filed(notification, names.names(EVENTS), names.names(CATEGORIES))
    chain_lines(workspace, draft, known, notification.id)
    answer = notification.model_dump(mode="json", by_alias=True, exclude_none=True)
    request_expander("Show response", answer, key=f"notification-{notification.id}")
    if alert is not None:
        cap_expander(
            workspace,
            draft,
            notification=notification.id,
            at=notification.created_date,
            chains=known,
            key=f"notification-{notification.id}",
        )


def _filed(notification: Notification, events: Mapping[int, str], categories: Mapping[int, str]) -> None:
    event = event_words(notification.notification_event_id, events)
    category = event_words(notification.category_id, categories)
    filed = [f"event {plain(event)}" if event else "", f"category {plain(category)}" if category else ""]
    line = " · ".join(part for part in filed if part)
    st.caption(line[:1].upper() + line[1:] if line else "No event or category")
