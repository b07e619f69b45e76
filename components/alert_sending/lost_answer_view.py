"""After a lost answer, on the screen: what the service has sent that is like the alert, and what a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.alert_sending import send_actions
from components.alert_sending.fate import Standing
from components.alert_sending.lost_answer import Candidate, Looked
from components.alert_sending.state import DECISION, FOUND
from components.change.kept_drafts import Fate
from components.shell.changing import follow, is_under_way
from components.shell.navigation import link_to
from components.shell.notices import show_problem
from components.shell.screens import NOTIFICATIONS
from components.widgets.confirm import confirm_dialog
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def looking(workspace: Workspace, standing: Standing) -> None:
    """Look once by itself, draw what was found, and let the person look again, settle it, or send it again."""
    found = FOUND.get()
    if (found is None or found[0] != standing.uid) and not is_under_way(workspace, send_actions.LOOKING, standing.uid):
        send_actions.look(workspace, standing)
        found = FOUND.get()
    st.subheader("What the service has sent", anchor=False)
    if is_under_way(workspace, send_actions.DECIDING, standing.uid):
        st.info("What you decided is being written down.", icon=":material/hourglass_top:")
        return
    is_looking = is_under_way(workspace, send_actions.LOOKING, standing.uid)
    if is_looking:
        st.info(
            "Muster looks through the sent notifications. You can go on elsewhere: looking changes nothing, and what "
            "it finds stands here.",
            icon=":material/hourglass_top:",
        )
        follow(lambda: not is_under_way(workspace, send_actions.LOOKING, standing.uid))
    looked = found[1] if found is not None and found[0] == standing.uid else None
    if isinstance(looked, Looked):
        _what_was_found(workspace, standing, looked)
    elif looked is not None:
        show_problem(looked, doing="looking through the sent notifications", key="public_alert-look")
    with st.container(horizontal=True):
        st.button(
            "Look again",
            key="public_alert.look",
            icon=":material/search:",
            disabled=is_looking,
            on_click=send_actions.look,
            args=(workspace, standing),
        )
        if (
            standing.fate is Fate.UNKNOWN
            and standing.kept is not None
            and st.button("It did not go out: send it again", key="public_alert.again", icon=":material/replay:")
        ):
            _ask_again(workspace, standing)
    undecided = DECISION.get()
    if undecided is not None and undecided[0] == standing.uid:
        st.error(plain(str(undecided[1])), icon=":material/error:")


def _what_was_found(workspace: Workspace, standing: Standing, looked: Looked) -> None:
    through = count(looked.read, "notification", "notifications")
    if not looked.read:
        st.info("The service tells of no notification at all: it did not go out, or not yet.", icon=":material/inbox:")
        return
    if not looked.candidates:
        rest = "" if looked.is_complete else " There are more: older ones were not looked at."
        st.info(
            f"None like it in the {through} looked through: it did not go out, or not yet.{rest}",
            icon=":material/search_off:",
        )
        return
    st.caption(f"Looked through {through}. Here is what is like it.")
    for candidate in looked.candidates:
        with st.container(border=True):
            _candidate(workspace, standing, candidate, is_it=candidate is looked.found)


def _candidate(workspace: Workspace, standing: Standing, candidate: Candidate, *, is_it: bool) -> None:
    sent = candidate.notification
    when = moment(candidate.at) if candidate.at is not None else "at a time the service does not tell"
    by = f" by {plain(sent.created_name)}" if sent.created_name else ""
    st.markdown(f"**Id {candidate.notification_id}** · sent {when}{by}")
    if sent.public_alert is not None and sent.public_alert.sms_message:
        st.text(sent.public_alert.sms_message)
    if candidate.known_as is not None:
        st.caption(
            f"It came from another sending from this desk, by {plain(candidate.known_as.actor.username)} "
            f"{moment(candidate.known_as.at)} (entry {candidate.known_as.id}): it is not this one."
        )
        return
    if candidate.differs:
        st.caption(f"Not the same: {names(list(candidate.differs), at_most=12)}.")
    elif candidate.is_earlier:
        st.caption(
            "Exactly like it, and older than the sending. It is this one only if the service's clock, or its time "
            "zone, is wrong."
        )
    else:
        st.caption("Text, event, levels and reach are exactly those of this alert: it looks as if it went out.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if candidate.looks_like_it:
            st.button(
                "This is it: it went out",
                key=f"public_alert.settle/{candidate.notification_id}",
                icon=":material/check:",
                type="primary" if is_it else "secondary",
                on_click=send_actions.settle,
                args=(workspace, standing, candidate.notification_id),
            )
        elif st.button(
            "This is it all the same",
            key=f"public_alert.unlike/{candidate.notification_id}",
            icon=":material/check:",
        ):
            _ask_unlike(workspace, standing, candidate)
        link_to(NOTIFICATIONS, "See it among the sent ones", notification=candidate.notification_id)


def _ask_unlike(workspace: Workspace, standing: Standing, candidate: Candidate) -> None:
    number = candidate.notification_id
    if number is None:
        return
    differs = f"Not the same: {names(list(candidate.differs), at_most=12)}." if candidate.differs else "It is older."
    confirm_dialog(
        f"Is the notification {number} this alert?",
        [
            f"**{plain(differs)}**",
            "If it is another one, this alert never went out, and nobody sends it: it is written down as sent.",
        ],
        "It is this alert: it went out",
        lambda: send_actions.settle(workspace, standing, number),
        key="public_alert-unlike",
        icon=":material/check:",
        keep_label="Do nothing",
    )


def _ask_again(workspace: Workspace, standing: Standing) -> None:
    # What stands on the page may have been found a while ago: nobody decides by that.
    try:
        looked: Looked | Exception = send_actions.what_is_there(workspace, standing)
    except ServiceError as error:
        looked = error
    FOUND.set((standing.uid, looked))
    confirm_dialog(
        "Send it again?",
        [
            _risk(looked),
            "You come back to its review. Nothing leaves before you send it there.",
        ],
        "It did not go out: back to the review",
        lambda: send_actions.not_sent(workspace, standing),
        key="public_alert-again",
        icon=":material/replay:",
        keep_label="Do nothing",
    )


def _risk(looked: Looked | Exception) -> str:
    """What to fear when it is sent again, by what was found just now."""
    if not isinstance(looked, Looked):
        return (
            "**The sent notifications cannot be read at this moment.** If the first one went out, the public gets it "
            "twice."
        )
    like_it = sum(not each.differs and each.known_as is None for each in looked.candidates)
    if like_it:
        return (
            f"**{count(like_it, 'notification looks', 'notifications look')} exactly like it.** Sent again, the public "
            "gets it twice."
        )
    return "No notification like it was found. If the first one is only late, the public gets it twice."
