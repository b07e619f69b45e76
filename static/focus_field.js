// Puts the cursor into the first field of a container, once per stage, for people who use a mouse. The focus of
// keyboard users does not move, nor does that of people who are in a field. Nothing happens on touch screens, where a
// field would open the on-screen keyboard. Nothing scrolls. A separate file, because the content security policy
// forbids inline scripts.
(() => {
  const { field, stage } = document.currentScript.dataset;
  const stages = (window.musterFocused ??= new Set());
  if (stages.has(stage)) return;
  stages.add(stage);
  if (window.musterInput !== "pointerdown" || !window.matchMedia("(pointer: fine)").matches) return;
  const toField = () => {
    if (document.activeElement?.matches("input, textarea, select")) return drawn.disconnect();
    const found = document.querySelector(`.st-key-${field} input`);
    if (!found) return;
    drawn.disconnect();
    found.focus({ preventScroll: true });
  };
  const drawn = new MutationObserver(toField);
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, () => drawn.disconnect(), { capture: true, once: true });
  }
  drawn.observe(document.body, { childList: true, subtree: true });
  toField();
})();
