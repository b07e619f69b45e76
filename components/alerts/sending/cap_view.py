"""Draw an alert as CAP 1.2, to read and to download."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.widgets.downloads import download
from domain.alerts.cap.cap_writing import Issue, cap_moment, to_cap
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_outlines import areas_of
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_chain import Chains
from domain.runtime.workspace import Workspace

_MOST_SHOWN: Final = 20_000
_NO_CHAINS: Final = Chains()
_MIME: Final = "application/cap+xml"


def cap_expander(
    workspace: Workspace,
    draft: AlertDraft,
    *,
    notification: int | None = None,
    at: datetime | None = None,
    chains: Chains = _NO_CHAINS,
    key: str,
) -> None:
    """Draw the document of an alert. `notification` is its ID and `at` its time, once it was sent."""
    with st.expander("As CAP 1.2", icon=":material/rss_feed:"):
        link = chains.followed_link(notification)
        kind = link.kind if link is not None else draft.follow_up
        catalog = region_lookups(workspace).regions.value
        areas = {} if catalog is None else catalog.cached(areas_of, draft.regions)
        issue = _issue(workspace, draft, notification, at, chains)
        written = to_cap(draft.model_copy(update={"follow_up": kind}), issue, areas)
        st.code(written[:_MOST_SHOWN], language="xml", height=340, wrap_lines=True)
        if len(written) > _MOST_SHOWN:
            st.caption("This preview is shortened. Download the file for the complete text.")
        st.caption(
            "The Common Alerting Protocol is a format that other alerting systems read. Downloading sends nothing."
        )
        name = f"alert-{notification or draft.uid}.cap.xml"
        download("CAP file", lambda: written, name, mime=_MIME, key=f"{key}-cap")


def _issue(
    workspace: Workspace, draft: AlertDraft, notification: int | None, at: datetime | None, chains: Chains
) -> Issue:
    organization = workspace.actor.organization_id
    sender = draft.contact_email.strip() or f"organization-{organization}"
    link, references = chains.followed_link(notification), ""
    if link is not None and (earlier := chains.sent_at(link.follows)) is not None:
        references = f"{sender},{organization}-{link.follows},{cap_moment(earlier)}"
    # The time in Muster's journal if it was sent with Muster: a document of a follow-up knows no other.
    sent_here = None if notification is None else chains.sent_at(notification)
    return Issue(
        f"{organization}-{notification or draft.uid}",
        sender,
        sent_here or at or datetime.now(UTC),
        is_sent=notification is not None,
        references=references,
    )
