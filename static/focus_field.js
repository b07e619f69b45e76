// Puts the cursor into the first field of a container, once per stage, after a click or a key. The focus of people who
// are in a field that stays does not move. Nothing happens on touch screens, where a field would open the on-screen
// keyboard. Nothing scrolls. Enter in the field moves the focus to the button in the container `next`, if there is one.
// A separate file, because the content security policy forbids inline scripts.
(() => {
  const { field, stage, next } = document.currentScript.dataset;
  const stages = (window.musterFocused ??= new Set());
  if (stages.has(stage)) return;
  stages.add(stage);
  if (next) {
    // Not on keydown, which would press the button with the same key.
    document.addEventListener("keyup", ({ key, target, isComposing }) => {
      if (key !== "Enter" || isComposing || !target.closest?.(`.st-key-${field}`)) return;
      document.querySelector(`.st-key-${next} button`)?.focus();
    });
  }
  const isByKey = window.musterInput === "keydown";
  if (!isByKey && (window.musterInput !== "pointerdown" || !window.matchMedia("(pointer: fine)").matches)) return;
  // With a shortcut, the focus may be in a field of the page before, which is about to go.
  const before = isByKey ? document.activeElement : null;
  const toField = () => {
    const active = document.activeElement;
    if (active?.matches("input, textarea, select")) return active === before ? undefined : drawn.disconnect();
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
