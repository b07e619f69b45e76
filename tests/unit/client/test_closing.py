"""A client that is closed while a thread of it is still at work."""

from __future__ import annotations

import socket

import httpcore
import pytest

from tests.running_service import RunningService


def test_a_connection_made_while_all_are_closed_is_closed_too(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[socket.socket] = []
    connect = httpcore.SyncBackend.connect_tcp
    client = service.client()

    def closed_meanwhile(*given: object, **named: object) -> httpcore.NetworkStream:
        stream = connect(*given, **named)  # type: ignore[arg-type]
        made.append(stream.get_extra_info("socket"))
        client.close()
        return stream

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", closed_meanwhile)
    client.check_access()
    assert [each.fileno() for each in made] == [-1]
