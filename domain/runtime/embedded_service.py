"""The embedded service's life: started as a child process, watched, started again if it dies, ended with the app."""

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
    """How the service is: `url` once it was ready for the first time, and how often it had to be started again."""

    phase: Phase
    url: str | None
    restarts: int


def serve_command(port: int) -> list[str]:
    """Return the command that serves the demo organization on this port; 0 takes a free one."""
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
    """Return the child's environment: ours, with its database in the data directory unless another is named."""
    values = dict(os.environ)
    values.setdefault("MUSTER_SERVICE_DATABASE_URL", f"sqlite:///{settings.data_path / 'service.sqlite'}")
    values["MUSTER_SERVICE_DEMO_PASSWORD"] = settings.service_demo_password.get_secret_value()
    values["PYTHONUNBUFFERED"] = "1"
    return values


def printed_token(settings: Settings, username: str) -> str:
    """Return an access token as the service's own command prints one; takes as long as a Python process to start.

    Raises `subprocess.SubprocessError` or `OSError` where it prints none.
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
    """One child process at a time, on the same port for as long as the app lives."""

    def __init__(
        self,
        settings: Settings,
        *,
        command: Callable[[int], Sequence[str]] = serve_command,
        when_ready: Callable[[], None] = lambda: None,
        first_pause: float = _FIRST_PAUSE,
    ) -> None:
        """Prepare; `when_ready` runs in the watching thread, once, after the service was ready for the first time."""
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
        """How the service is now."""
        return self._condition

    def start(self) -> None:
        """Start the child and its watcher, and return at once."""
        self._settings.data_path.mkdir(parents=True, exist_ok=True)
        self._watcher = threading.Thread(target=self._watch, name="embedded-service", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Ask the child to stop, wait for it, and end it if it does not."""
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
        """Run one child to its end, passing on what it prints; return whether it became ready."""
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
            logger.exception("The work after the start of the embedded service failed.")
