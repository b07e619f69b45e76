"""A client that disconnects while it sends a body."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request

from service.exception_handlers import install_exception_handlers


def test_a_client_that_disconnects_causes_no_service_error() -> None:
    application = FastAPI()
    install_exception_handlers(application)

    @application.post("/")
    async def receive_body(request: Request) -> None:
        await request.body()

    async def disconnect() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/", "method": "POST", "headers": [], "query_string": b"", "root_path": ""}
    asyncio.run(application(scope, disconnect, send))
    assert sent[0]["status"] == 499
