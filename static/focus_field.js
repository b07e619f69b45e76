// Puts the cursor into the first field of a container, once a stage, for who came there with the mouse: they go on by
// typing. Who came by the keyboard stays where they are, and so does who is in a field. Not where a field would open a
// keyboard over the screen, nor does anything scroll.
// A file of its own: the content security policy allows no script in a page.
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
