"""The embedded service: started as a child process, watched, restarted if it ends, and stopped with the app."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from domain.runtime.settings import PROJECT, Settings

logger = logging.getLogger(__name__)

READY: Final = "ready "
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_STOP_SECONDS: Final = 8.0
_TOKEN_SECONDS: Final = 60.0

Phase = Literal["starting", "ready", "restarting", "stopped"]


@dataclass(frozen=True)
class Condition:
    """The state of the service: its phase, its URL once it was ready, and the number of restarts."""

    phase: Phase
    url: str | None
    restarts: int


def serve_command(port: int) -> list[str]:
    """Return the command that serves the demo organization on this port, or on a free one for 0."""
    return [
        sys.executable,
        "-m",
        "domain.runtime.ends_with_parent",
        "service",
        "serve",
        "--port",
        str(port),
        "--demo",
    ]


def environment(settings: Settings) -> dict[str, str]:
    """Return the environment of the child process: this one's, with a database in the data directory unless it names
    one.
    """
    values = dict(os.environ)
    values.setdefault("MUSTER_SERVICE_DATABASE_URL", f"sqlite:///{settings.data_path / 'service.sqlite'}")
    values["MUSTER_SERVICE_DEMO_PASSWORD"] = settings.service_demo_password.get_secret_value()
    values["PYTHONUNBUFFERED"] = "1"
    return values


def printed_token(settings: Settings, username: str) -> str:
    """Return an access token from the command of the service. It takes as long as a Python process to start.

    Raises `subprocess.SubprocessError` or `OSError` if the command prints none.
    """
    command = [sys.executable, "-m", "service", "token", "--user", username]
    ended = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
        command,
        cwd=PROJECT,
        env=environment(settings),
        capture_output=True,
        text=True,
        check=True,
        timeout=_TOKEN_SECONDS,
    )
    return ended.stdout.strip()


class EmbeddedService:
    """One child process at a time, always on the same port."""

    def __init__(
        self,
        settings: Settings,
        *,
        command: Callable[[int], Sequence[str]] = serve_command,
        when_ready: Callable[[], None] = lambda: None,
        first_pause: float = _FIRST_PAUSE,
    ) -> None:
        """Prepare the service. `when_ready` runs once in a thread, after the service was ready for the first time."""
        self._settings = settings
        self._command = command
        self._when_ready = when_ready
        self._first_pause = first_pause
        self._stopping = threading.Event()
        self._condition = Condition("starting", None, 0)
        self._child: subprocess.Popen[str] | None = None
        self._watcher: threading.Thread | None = None

    @property
    def condition(self) -> Condition:
        """The current state of the service."""
        return self._condition

    def start(self) -> None:
        """Start the child process and its watching thread, without waiting."""
        self._settings.data_path.mkdir(parents=True, exist_ok=True)
        self._watcher = threading.Thread(target=self._watch, name="embedded-service", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Stop the child process, and kill it if it does not stop in time."""
        self._stopping.set()
        child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                logger.warning("The embedded service did not stop in time and was killed.")
                child.kill()
        if self._watcher is not None:
            self._watcher.join(_STOP_SECONDS)
        self._condition = Condition("stopped", None, self._condition.restarts)

    def _watch(self) -> None:
        pause = self._first_pause
        greeted = False
        while not self._stopping.is_set():
            was_ready = self._run_once(greeted=greeted)
            greeted = greeted or was_ready
            pause = self._first_pause if was_ready else min(pause * 2, _LONGEST_PAUSE)
            if self._stopping.is_set():
                return
            before = self._condition
            self._condition = Condition("restarting", before.url, before.restarts + 1)
            logger.error("The embedded service ended unexpectedly. It restarts in %.1f s.", pause)
            self._stopping.wait(pause)

    def _run_once(self, *, greeted: bool) -> bool:
        """Run one child process to its end, and return whether it became ready."""
        url = self._condition.url
        port = (urlsplit(url).port or 0) if url else 0
        try:
            child = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
                list(self._command(port)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=PROJECT,
                env=environment(self._settings),
            )
        except OSError as error:
            logger.error("The embedded service did not start: %s", error)  # noqa: TRY400
            return False
        self._child = child
        if self._stopping.is_set():  # stop() came between: it saw no child
            child.terminate()
        became_ready = False
        with child:
            assert child.stdout is not None  # noqa: S101 - PIPE was asked for
            for line in child.stdout:
                if not became_ready and line.startswith(READY):
                    became_ready = True
                    self._condition = Condition("ready", line.removeprefix(READY).strip(), self._condition.restarts)
                    logger.info("The embedded service is ready.")
                    if not greeted:
                        threading.Thread(target=self._greet, name="embedded-service-ready", daemon=True).start()
        self._child = None
        return became_ready

    def _greet(self) -> None:
        try:
            self._when_ready()
        except Exception:  # what follows the start must never take the service down with it
            logger.exception("A task that runs after the start of the embedded service failed.")
