"""The person's alerts that were begun and not sent, in sight from every draft."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.alert_sending.fate import standing_of
from components.change.kept_drafts import Fate
from components.public_alerts import draft_store
from components.public_alerts.draft import AlertDraft
from components.public_alerts.draft_store import Kept
from components.public_alerts.state import SENT
from components.public_alerts.wordings import excerpt, subject_of
from components.shell.navigation import link_to
from components.shell.screens import PUBLIC_ALERT
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

SENT_KEPT_FOR: Final = timedelta(days=2)


@dataclass(frozen=True)
class Unfinished:
    """A draft that is not known to be sent, and what became of it."""

    kept: Kept
    fate: Fate


def drafts_list(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the other drafts behind one button that counts them; nothing where there are none."""
    others = [each for each in unfinished(workspace) if each.kept.draft.uid != draft.uid]
    if not others:
        return
    label, icon = count(len(others), "unfinished alert", "unfinished alerts"), ":material/edit_note:"
    unknown = sum(each.fate is Fate.UNKNOWN for each in others)
    if unknown:
        # Told before anybody opens the list: an alert that may be out must not be forgotten.
        label, icon = f":orange[{label} · {count(unknown, 'outcome', 'outcomes')} unknown]", ":material/help:"
    with st.popover(label, icon=icon, key="public_alert.others"):
        for each in others:
            other = each.kept.draft
            with st.container(gap="xxsmall"):
                link_to(
                    PUBLIC_ALERT,
                    plain(subject_of(other)),
                    icon=":material/science:" if other.is_test else PUBLIC_ALERT.icon,
                    draft=other.uid,
                )
                # Apart from the link: a narrow one is cut off, and it is the end that tells two drafts apart.
                kind = "routine test" if other.is_test else ""
                state = {Fate.UNKNOWN: "outcome unknown", Fate.SENDING: "being sent"}.get(each.fate, "")
                told = (excerpt(other.sms or other.text), kind, state, moment(each.kept.written_at))
                st.caption(plain(" · ".join(part for part in told if part)))


def unfinished(workspace: Workspace) -> list[Unfinished]:
    """The drafts not known to be sent, the latest first; those sent days ago are forgotten."""
    found = []
    for kept in draft_store.list_all(workspace):
        uid = kept.draft.uid
        if not kept.is_begun:
            found.append(Unfinished(kept, Fate.UNSENT))
            continue
        # What is sent stays sent: the journal is asked once a session.
        fate = Fate.SENT if uid in SENT.get() else standing_of(workspace, uid).fate
        if fate is not Fate.SENT:
            found.append(Unfinished(kept, fate))
            continue
        SENT.set(SENT.get() | {uid})
        if datetime.now(UTC) - kept.saved_at > SENT_KEPT_FOR:
            draft_store.discard(workspace, uid)
    return found
