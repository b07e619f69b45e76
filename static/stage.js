// Brings the page to its top when another page, or a new stage of a screen, begins: the framework keeps the place it was
// scrolled to, and what a review says at its head would be out of sight. Once a stage, whatever is drawn anew within it.
// Where what was pressed goes with the stage before, the keyboard goes on from the head of the new one, until one acts;
// who is in a field stays there.
// A file of its own: the content security policy allows no script in a page.
(() => {
  const { of, stage } = document.currentScript.dataset;
  if (!("musterInput" in window)) {
    // What a person used last, for focus_field.js.
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
  const toHead = () => {
    if (document.activeElement !== document.body) return;
    const main = document.getElementById("stMain");
    // A countdown stands at the foot of the page, and its button after it.
    const head = main?.querySelector('[data-testid="stBottom"] :is(h1, h2, h3)') ?? main?.querySelector("h1");
    head?.setAttribute("tabindex", "-1");
    head?.focus({ preventScroll: true });
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
