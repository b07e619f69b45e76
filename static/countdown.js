// Reports twice a second that the page of a countdown is open, and at once that it was stopped or left. These requests
// do not wait for a script run, as Streamlit's own messages do. A separate file, because the content security policy
// forbids inline scripts.
(() => {
  const { countdown, route, stop } = document.currentScript.dataset;
  if (window.musterCountdown === countdown) return;
  window.musterCountdown = countdown;
  const EVERY_MS = 500;
  const button = `.st-key-${stop} button`;
  const address = location.href;
  const ended = new AbortController();

  const post = (what) =>
    fetch(`${route}/${what}`, {
      method: "POST",
      credentials: "same-origin",
      keepalive: true,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ countdown }),
    }).catch(() => undefined);
  const end = () => {
    clearInterval(timer);
    ended.abort();
  };
  const stopNow = () => {
    end();
    post("stop");
  };
  const report = async () => {
    if (location.href !== address) stopNow();
    else if (document.querySelector(button) && (await post("open"))?.status === 404) end();
  };
  const timer = setInterval(report, EVERY_MS);
  const options = { capture: true, signal: ended.signal };
  document.addEventListener("click", ({ target }) => target.closest?.(button) && stopNow(), options);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && stopNow(), options);
  window.addEventListener("pagehide", stopNow, options);
})();
