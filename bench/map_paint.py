"""Time from the data to the painted map in Chromium, and of one step, for 1,000 to 1,000,000 expected locations.

Ours (people counted by place and hour on the server, with the basemap) is compared with pydeck, with every point inline
and no basemap. Each is a real Streamlit page on loopback. The clock runs in the browser, from the click until pixels in
the color of the marks are on the canvas, and for ours also those of the land. A first round, which does not count,
downloads what a browser downloads once. A step moves the time by one hour, until the browser has shown the frame.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile, which
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from domain.maps.palette import GROUNDS, STATUS_COLORS, rgb

COUNTS = (1_000, 100_000, 1_000_000)
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
ROUNDS = {"ours": 5, "inline": 3}
PATIENCE_MS = 120_000
PROJECT = Path(__file__).resolve().parent.parent
FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
KEEP_PIXELS = """
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  return getContext.call(this, kind, kind.startsWith("webgl") ? {...options, preserveDrawingBuffer: true} : options);
};
window.drawCalls = 0;
const count = (prototype, name) => {
  const draw = prototype[name];
  prototype[name] = function (...parameters) {
    window.drawCalls += 1;
    return draw.apply(this, parameters);
  };
};
for (const name of ["drawElements", "drawElementsInstanced", "drawArrays", "drawArraysInstanced"])
  count(WebGL2RenderingContext.prototype, name);
count(CanvasRenderingContext2D.prototype, "fill");
"""
CLICK_AND_WATCH = """
async ([button, wanted]) => {
  // A coarse copy, and only when something was drawn since the last one: reading pixels back holds the page up, and
  // must not become what is measured.
  const [width, height] = [320, 130];
  const small = new OffscreenCanvas(width, height);
  const pen = small.getContext("2d", {willReadFrequently: true});
  pen.imageSmoothingEnabled = false;
  const painted = () => {
    const ours = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
      .flatMap((each) => [...(each.shadowRoot?.querySelectorAll(".ground canvas, .sheet") ?? [])]);
    const maps = ours.length ? ours : [...document.querySelectorAll('[data-testid="stDeckGlJsonChart"] canvas')];
    if (!maps.length || maps.some((map) => map.width < 400)) return false;
    pen.clearRect(0, 0, width, height);
    maps.forEach((map) => pen.drawImage(map, 0, 0, width, height));
    const {data} = pen.getImageData(0, 0, width, height);
    return wanted.every(([r, g, b]) => {
      let pixels = 0;
      for (let i = 0; i < data.length; i += 4)
        if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 9 && data[i + 3] > 250)
          pixels += 1;
      return pixels >= 20;
    });
  };
  let seen = window.drawCalls;
  const began = performance.now();
  button.click();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const failure = document.querySelector('[data-testid="stException"], [data-testid="stAlertContentError"]');
    if (failure) return {failure: failure.innerText};
    const calls = window.drawCalls;
    if (calls !== seen && painted()) return {seconds: (performance.now() - began) / 1000};
    seen = calls;
    if (performance.now() - began > PATIENCE_MS) return {failure: "not painted in time"};
  }
}
""".replace("PATIENCE_MS", str(PATIENCE_MS))
STEP = """
async () => {
  const slider = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
    .map((each) => each.shadowRoot?.querySelector('[role="slider"]')).find(Boolean);
  const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const seconds = [];
  for (let step = 0; step < 20; step++) {
    await shown();
    const began = performance.now();
    slider.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    await shown();
    seconds.push((performance.now() - began) / 1000);
  }
  return seconds;
}
"""


@dataclass(frozen=True)
class Outcome:
    """The seconds of the rounds that count, or why there are none, and the megabytes that the browser received in
    one round.
    """

    seconds: list[float]
    failure: str | None
    megabytes: float
    step_seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.seconds)


def run() -> None:
    """Measure, and print one line per number of expected locations."""
    print(f"{'expected locations':>20}{'ours':>10}{'MB':>8}{'step':>10}{'inline':>10}{'MB':>8}{'inline/ours':>13}")
    with page_server() as base, sync_playwright() as playwright:
        executable = next((path for name in CHROMIUM_NAMES if (path := which(name))), None)
        for count in COUNTS:
            outcomes = []
            for way in ROUNDS:
                # A new browser for each: a page of 100,000 points leaves memory behind that slows the next one.
                browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
                outcomes.append(measure_way(browser, base, way, count))
                browser.close()
            print(line(count, *outcomes), flush=True)
    rounds = f"{ROUNDS['ours']} and {ROUNDS['inline']} rounds"
    print(f"\nMedians of {rounds} after one that does not count, in seconds; MB are those over the websocket.")


def line(count: int, ours: Outcome, inline: Outcome) -> str:
    """Return the line of one number: both times, or why there is none."""
    text = f"{count:>20,}"
    for outcome in (ours, inline):
        text += f"{outcome.median:>10.2f}{outcome.megabytes:>8.2f}" if outcome.seconds else f"{'-':>10}{'-':>8}"
        if outcome is ours:
            text += f"{statistics.median(outcome.step_seconds):>10.3f}" if outcome.step_seconds else f"{'-':>10}"
    if ours.seconds and inline.seconds:
        text += f"{inline.median / ours.median:>13.1f}"
    reasons = [f"{name}: {each.failure}" for name, each in (("ours", ours), ("inline", inline)) if each.failure]
    return "\n".join([text, *(f"{'':20}{reason}" for reason in reasons)])


def measure_way(browser: Browser, base: str, way: str, count: int) -> Outcome:
    """Return how long one way takes for this many expected locations."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page.add_init_script(KEEP_PIXELS)
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{base}/?way={way}&count={count}")
    page.get_by_text("ready").or_(page.get_by_test_id("stException")).first.wait_for(timeout=PATIENCE_MS)
    if page.get_by_test_id("stException").count():
        raise RuntimeError(f"the page to measure failed: {page.get_by_test_id('stException').inner_text()}")
    marks = rgb(STATUS_COLORS["there"]["light"])
    wanted = [list(marks)] + ([list(rgb(GROUNDS["light"].land))] if way == "ours" else [])
    seconds: list[float] = []
    steps: list[float] = []
    megabytes = 0.0
    for number in range(ROUNDS[way] + 1):
        received.clear()
        outcome = measure_paint(page, wanted)
        if "failure" in outcome:
            reason = " ".join(str(outcome["failure"]).split())
            return Outcome([], reason[:110], 0.0)
        megabytes = sum(received) / 1e6
        if number:
            seconds.append(outcome["seconds"])
        steps = page.evaluate(STEP) if way == "ours" else []
        page.get_by_role("button", name="Clear").click()
        page.locator('.place-map, [data-testid="stDeckGlJsonChart"]').wait_for(state="detached", timeout=PATIENCE_MS)
    page.close()
    return Outcome(seconds, None, megabytes, steps)


def measure_paint(page: Page, pixels: list[list[int]]) -> dict[str, Any]:
    """Select the button. Returns the seconds until the colors were painted, or the error on the page."""
    page.set_default_timeout(PATIENCE_MS)
    button = page.get_by_role("button", name="Draw").element_handle()
    outcome: dict[str, Any] = page.evaluate(CLICK_AND_WATCH, [button, pixels])
    return outcome


@contextmanager
def page_server() -> Iterator[str]:
    """Serve the page from a separate folder with the project's static files. Yields its URL."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copyfile(PROJECT / "bench" / "_map_paint_app.py", folder / "app.py")
        (folder / "static").symlink_to(PROJECT / "static", target_is_directory=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {
            "server.address": "127.0.0.1",
            "server.port": port,
            "server.headless": "true",
            "server.enableStaticServing": "true",
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": "false",
        }
        command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        command += [part for option, value in options.items() for part in (f"--{option}", str(value))]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=folder, env=os.environ | {"PYTHONPATH": str(PROJECT)}, stdout=log, stderr=log
            )
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until_ready(base, process)
            yield base
        finally:
            process.terminate()
            process.wait(20)


def wait_until_ready(base: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server responds. Raises an error if its process ends."""
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError("the page's server ended while starting")
        try:
            with urlopen(f"{base}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the page's server was not ready within 30 s")


if __name__ == "__main__":
    run()
