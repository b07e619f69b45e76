"""Addresses without a screen."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from components.shell.wrong_address import WrongAddress


def ask(path: str, base: str) -> httpx.Response:
    async def page(_: Request) -> HTMLResponse:
        return HTMLResponse("the framework's page")

    async def data(_: Request) -> JSONResponse:
        return JSONResponse({})

    inside = Starlette(routes=[Route(f"{base}/_stcore/host-config", data), Route("/{rest:path}", page)])
    app = WrongAddress(inside, screens=["", "trip"], base=base)

    async def get() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://muster") as client:
            return await client.get(base + path)

    return asyncio.run(get())


@pytest.mark.parametrize("base", ["", "/muster"])
def test_an_unknown_address_shows_an_error_with_a_link_to_muster(base: str) -> None:
    for path in ("/tripz", "/trip/123", "/Trip"):
        answer = ask(path, base)
        assert answer.status_code == 404
        assert "Muster has no screen at this address." in answer.text
        assert f'href="{base}/"' in answer.text
        assert "the framework's page" not in answer.text


@pytest.mark.parametrize("base", ["", "/muster"])
def test_screens_and_other_routes_are_unaffected(base: str) -> None:
    assert [ask(path, base).text for path in ("/", "/trip", "/trip/")] == ["the framework's page"] * 3
    assert ask("/_stcore/host-config", base).json() == {}
