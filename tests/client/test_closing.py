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
    sockets: list[socket.socket] = []
    connect = httpcore.SyncBackend.connect_tcp
    client = service.client()

    def connect_and_close_client(*arguments: object, **options: object) -> httpcore.NetworkStream:
        stream = connect(*arguments, **options)  # type: ignore[arg-type]
        sockets.append(stream.get_extra_info("socket"))
        client.close()
        return stream

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_and_close_client)
    client.check_access()
    assert [each.fileno() for each in sockets] == [-1]


def test_an_unused_client_is_closed_and_one_with_an_area_in_use_is_not(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets: list[socket.socket] = []
    connect = httpcore.SyncBackend.connect_tcp

    def connect_and_record(*arguments: object, **options: object) -> httpcore.NetworkStream:
        stream = connect(*arguments, **options)  # type: ignore[arg-type]
        sockets.append(stream.get_extra_info("socket"))
        return stream

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect_and_record)
    area = service.client().itineraries
    gc.collect()
    list(area.search(field_name="pnr", values=["WSVM7K"]))
    assert [each.fileno() > 0 for each in sockets] == [True]
    del area
    gc.collect()
    assert [each.fileno() for each in sockets] == [-1]
