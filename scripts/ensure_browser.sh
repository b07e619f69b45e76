#!/bin/sh
# Ensures that the browser tests find a Chromium: on the PATH, else Playwright's own, else (as root on Debian) the
# package of the distribution. If none is available, prints what to do.
set -u
python=${MUSTER_PYTHON:-python3}

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done

has_own() {
    "$python" - <<'PY'
import pathlib, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not pathlib.Path(playwright.chromium.executable_path).exists())
PY
}
has_own 2>/dev/null && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing the package chromium for the browser tests"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null && exit 0
fi

echo "fetching Playwright's Chromium for the browser tests"
timeout 300 "$python" -m playwright install chromium && exit 0

echo "No Chromium was found and none could be installed. Put one on the PATH, then run this again." >&2
exit 1
