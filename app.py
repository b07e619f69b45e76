"""The dashboard as an ASGI app, which `streamlit run app.py` serves: the frame script, further routes, the security
headers, and the start and stop of the embedded service.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from streamlit.runtime import get_instance

from components.alerts.sending.countdown_routes import countdown_routes
from components.alerts.sending.in_force_line import draw_in_force
from components.alerts.sending.reminder import draw_reminder
from components.journal.unknown_reminder import draw_unknown_reminder
from components.search.search_box import draw_search_box
from components.shell.access_control import AccessControl
from components.shell.script_errors import on_script_error, set_up_logs
from components.shell.security_headers import SecurityHeaders, content_security_policy, inline_script_hashes
from components.shell.session_routes import routes
from components.shell.sidebar import HEADLINES, REMINDERS
from components.shell.wrong_address import WrongAddress
from components.streamlit_workarounds.monkeypatch_callbacks import patch_callbacks
from components.streamlit_workarounds.monkeypatch_frontend import import_map, patched_scripts, path_of
from components.streamlit_workarounds.monkeypatch_reruns import patch_reruns
from components.streamlit_workarounds.monkeypatch_state_reads import patch_state_reads
from domain.demo.demo_entries import ensure_demo_entries
from domain.file_import.job import JOBS
from domain.runtime import screens
from domain.runtime.readiness import log_readiness
from domain.runtime.server import clean_up_regularly, collect_garbage_seldom, keep_house, server
from domain.runtime.settings import PROJECT, SettingsError, settings
from domain.runtime.version import version

HALTED_WITHIN_SECONDS = 10.0
"""The seconds that running calls of background jobs get to end when Muster stops."""

for draw in (draw_unknown_reminder, draw_reminder):
    if draw not in REMINDERS:
        REMINDERS.append(draw)
for draw in (draw_search_box, draw_in_force):
    if draw not in HEADLINES:
        HEADLINES.append(draw)
patch_callbacks()
patch_reruns()
patch_state_reads()
set_up_logs()
try:
    settings()
except SettingsError as error:
    sys.exit(f"Muster cannot start with these settings:\n{error}\nSee docs/operations.md.")
if not server().claim_embedded_service():
    sys.exit(
        "Muster cannot start: another Muster process with the same journal runs its own service. Stop it, or set "
        "MUSTER_SERVICE_URL for both.\nSee docs/operations.md."
    )

base = f"/{path}" if (path := str(st.get_option("server.baseUrlPath") or "").strip("/")) else ""
page_shell = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
frontend_patches = patched_scripts(base)
# Before everything that loads a script.
page_shell = page_shell.replace("<head>", f"<head>{import_map(base, frontend_patches)}")
page_shell = page_shell.replace(
    "</head>",
    f'<link rel="stylesheet" href="{base}/app/static/muster.css">'
    + "".join(
        f'<script src="{base}/app/static/{name}" defer></script>'
        for name in ("focus.js", "rule_keys.js", "field_errors.js", "text_limits.js", "announcements.js")
    )
    + f'<script src="{base}/app/static/connection.js" data-base="{base}" '
    f'data-megabytes="{st.get_option("server.maxUploadSize")}" defer></script></head>',
)


async def page(_request: Request) -> HTMLResponse:
    """Return the framework's page with Muster's texts for a lost connection."""
    return HTMLResponse(page_shell, headers={"Cache-Control": "no-cache"})


async def open_screen(request: Request) -> RedirectResponse:
    """Redirect from another address of a screen, with its query."""
    screen = screens.ALIASES[request.url.path.rpartition("/")[2]]
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{base}/{screen.url_path}{query}")


async def patched_script(request: Request) -> Response:
    """Return a script of the framework as Muster patches it."""
    script = frontend_patches[request.url.path.rpartition("/")[2]]
    return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncGenerator[dict[str, Any], None]:
    """Start what runs in the background, and stop it with the app."""
    collect_garbage_seldom()
    # Read the version now, because an update may change the files of a running Muster.
    version()
    server().start(ensure_demo_entries)
    tasks = [
        asyncio.create_task(keep_house(server(), get_instance())),
        asyncio.create_task(clean_up_regularly(server())),
        asyncio.create_task(log_readiness(server())),
    ]
    try:
        yield {}
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.to_thread(JOBS.halt, HALTED_WITHIN_SECONDS)
        server().stop()


app = st.App(
    "components/shell/frame.py",
    routes=[
        *routes(base),
        *countdown_routes(base),
        *(Route(f"{base}/{screen.url_path}", page) for screen in screens.ALL),
        *(Route(f"{base}/{alias}", open_screen) for alias in screens.ALIASES),
        *(Route(path_of(base, name), patched_script) for name in frontend_patches),
        Mount(f"{base}/app/static", StaticFiles(directory=PROJECT / "static", check_dir=False)),
    ],
    middleware=[
        Middleware(SecurityHeaders, policy=content_security_policy(inline_script_hashes(page_shell)), base=base),
        Middleware(AccessControl, base=base),
        Middleware(WrongAddress, screens=[screen.url_path for screen in screens.ALL], base=base),
    ],
    lifespan=lifespan,
    on_script_error=on_script_error,
)
