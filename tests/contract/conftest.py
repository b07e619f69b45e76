"""A client of a fresh service for each test, with user, password, and access token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client import RetryPolicy, ServiceClient
from tests.running_service import RunningService

FAST_RETRIES = RetryPolicy(attempts=3, first_wait=0.001)


@pytest.fixture
def client(service: RunningService) -> Iterator[ServiceClient]:
    with service.client(token=service.token()) as client:
        yield client


@pytest.fixture(scope="module")
def demo_copy() -> Iterator[RunningService]:
    """A service with the demo organization that the tests of one module may change."""
    with RunningService(demo=True) as running:
        yield running


@pytest.fixture(scope="module")
def demo_client(demo_copy: RunningService) -> Iterator[ServiceClient]:
    with demo_copy.client(token=demo_copy.token()) as client:
        yield client
