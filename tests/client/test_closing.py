"""Closing a client that is in use by a thread or no longer referenced."""

from __future__ import annotations

import gc
import socket

import httpcore
import pytest

from tests.running_service import RunningService


def test_a_connection_made_while_all_are_being_closed_is_closed_too(
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


def test_an_unused_client_is_closed_and_one_with_an_area_in_use_is_not(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[socket.socket] = []
    connect = httpcore.SyncBackend.connect_tcp

    def noted(*given: object, **named: object) -> httpcore.NetworkStream:
        stream = connect(*given, **named)  # type: ignore[arg-type]
        made.append(stream.get_extra_info("socket"))
        return stream

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", noted)
    area = service.client().itineraries
    gc.collect()
    list(area.search(field_name="pnr", values=["WSVM7K"]))
    assert [each.fileno() > 0 for each in made] == [True]
    del area
    gc.collect()
    assert [each.fileno() for each in made] == [-1]
