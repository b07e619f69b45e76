"""The script around every page: it draws the sign-in, or the menu, the reminders, and the page."""

from __future__ import annotations

import streamlit as st

from components.shell import address, brand, notices
from components.shell.background_changes import deliver_outcomes, resume_redraws
from components.shell.session import current_workspace, draw_session_script, draw_static_script
from components.shell.sidebar import draw_band, draw_sidebar, pages
from components.shell.sign_in import draw_sign_in
from domain.runtime import screens
from domain.runtime.version import version

SIDEBAR_PIXELS = 240

resume_redraws()
workspace = current_workspace()
# Before the navigation, which would otherwise load the page's icon from another host for the tab.
st.set_page_config(
    page_icon=brand.MARK,
    layout="wide",
    initial_sidebar_state=SIDEBAR_PIXELS,
    menu_items={"About": f"**{brand.NAME}** {version()}: where your people are expected to be.\n\n{brand.CREDITS}"},
)
if workspace is not None:
    with st.sidebar, st.container():  # where its removal moves no part of the page
        draw_session_script(signed_in=True)
# Also before a sign-in, though hidden: without a navigation, Streamlit would lose the URL of the requested page.
page = st.navigation(pages(), position="sidebar" if workspace is not None else "hidden", expanded=True)
screen = next(each for each in screens.ALL if each.url_path == page.url_path)
st.set_page_config(page_title=f"{screen.title if workspace is not None else 'Sign in'} · {brand.NAME}")
st.logo(brand.WORDMARK, size="large", icon_image=brand.MARK if workspace is not None else brand.WORDMARK)
if workspace is None:
    draw_sign_in()
    draw_session_script(signed_in=False)
else:
    draw_sidebar(workspace, screen)
    draw_band(workspace)
    with st.sidebar:
        draw_static_script("stage.js", {"of": "page", "stage": page.url_path})
        draw_static_script("question.js")
    with deliver_outcomes(workspace), notices.draw_messages():
        address.arrive(screen)
        page.run()
        address.leave()
