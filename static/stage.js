// Scrolls to the top when another page or another stage of a screen begins: Streamlit keeps the scroll position, and
// the heading of a review would be out of sight. This happens once per stage, not again when the page is redrawn. If
// the selected element disappears with the earlier stage, the focus moves to the new heading, unless the user is in a
// field. A separate file, because the content security policy forbids inline scripts.
(() => {
  const { of, stage } = document.currentScript.dataset;
  if (!("musterInput" in window)) {
    // The user's latest input device, for focus_field.js.
    window.musterInput = "";
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => (window.musterInput = kind), { capture: true });
    }
  }
  const stages = (window.musterStages ??= {});
  if (stages[of] === stage) return;
  const isFirst = !(of in stages);
  stages[of] = stage;
  document.getElementById("stMain")?.scrollTo({ top: 0, behavior: "instant" });
  if (isFirst) return;
  let focused = null;
  const toHead = () => {
    // The title may be drawn before the heading of a countdown.
    if (document.activeElement !== document.body && document.activeElement !== focused) return;
    const main = document.getElementById("stMain");
    // The heading of a countdown is at the bottom of the page, before its button.
    const head = main?.querySelector('[data-testid="stBottom"] :is(h1, h2, h3)') ?? main?.querySelector("h1");
    if (!head || head === document.activeElement) return;
    head.setAttribute("tabindex", "-1");
    head.focus({ preventScroll: true });
    focused = head;
  };
  const drawn = new MutationObserver(toHead);
  const acted = new AbortController();
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(
      kind,
      (event) => {
        if (event.repeat) return;
        drawn.disconnect();
        acted.abort();
      },
      { capture: true, signal: acted.signal },
    );
  }
  drawn.observe(document.body, { childList: true, subtree: true });
  toHead();
})();
