"""Security headers, the content security policy, and the closed routes."""

import asyncio
from pathlib import Path

import httpx
import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from components.shell.security_headers import SecurityHeaders, content_security_policy, inline_script_hashes


def request_page(path: str, *, base: str = "") -> httpx.Response:
    async def page(request: Request) -> PlainTextResponse:
        return PlainTextResponse("inside")

    app = SecurityHeaders(Starlette(routes=[Route("/{rest:path}", page)]), policy=content_security_policy(), base=base)

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://muster") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_every_response_has_the_security_headers():
    headers = request_page("/trip").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/agent/openapi.json", "/_stcore/agent/mcp", "/auth/login"],
)
@pytest.mark.parametrize("base", ["", "/muster"])
def test_closed_routes_respond_as_if_they_did_not_exist(path: str, base: str):
    closed = request_page(base + path, base=base)
    assert (closed.status_code, closed.content) == (404, b"")
    assert "content-security-policy" in closed.headers


@pytest.mark.parametrize("path", ["/_stcore/health", "/_stcore/stream", "/", "/trip", "/_stcore/metricsx"])
def test_other_routes_are_open(path: str):
    assert request_page(path).text == "inside"


@pytest.mark.parametrize("base", ["", "/muster"])
def test_no_other_page_can_control_muster_and_streamlits_error_dialogs_are_blocked(base: str):
    config = request_page(f"{base}/_stcore/host-config", base=base)
    assert config.json()["allowedOrigins"] == []
    assert config.json()["blockErrorDialogs"] is True
    assert "content-security-policy" in config.headers


def test_a_client_that_disconnects_causes_no_error():
    async def read(scope, receive, send):
        await Request(scope, receive).body()

    async def disconnect():
        return {"type": "http.disconnect"}

    async def nothing(*_):
        return None

    scope = {"type": "http", "path": "/_stcore/upload_file/a/b", "method": "PUT", "headers": []}
    asyncio.run(SecurityHeaders(read, policy="")(scope, disconnect, nothing))


def test_websockets_pass_through_unchanged():
    seen = []

    async def app(scope, receive, send):
        seen.append((scope, receive, send))

    async def nothing(*_):
        return None

    scope = {"type": "websocket", "path": "/_stcore/metrics"}
    asyncio.run(SecurityHeaders(app, policy="")(scope, nothing, nothing))
    assert seen == [(scope, nothing, nothing)]


def test_the_policy_allows_only_the_inline_scripts_of_streamlit():
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text()
    hashes = inline_script_hashes(page)
    assert page.count("<script>") == len(hashes) >= 1
    scripts = next(part for part in content_security_policy(hashes).split("; ") if part.startswith("script-src"))
    assert scripts == f"script-src 'self' 'wasm-unsafe-eval' {' '.join(hashes)}"


def test_the_hash_is_the_one_browsers_compute():
    # The example of https://content-security-policy.com/hash/
    assert inline_script_hashes("<script>doSomething();</script>") == [
        "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='"
    ]


def test_the_policy_names_no_other_host():
    policy = content_security_policy()
    assert "http" not in policy
    assert "*" not in policy
    assert "'unsafe-eval'" not in policy
