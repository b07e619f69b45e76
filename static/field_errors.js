// Ties each error to the field above it, for screen readers: sets `aria-invalid` and `aria-describedby`. A separate
// file, because the content security policy forbids inline scripts.
(() => {
  const ERROR = '.stMarkdownColoredText > [role="img"][aria-label="error icon"]';
  const FIELD = "input, textarea, [role='combobox'], [role='radiogroup'], [role='spinbutton']";
  const BOX = '[data-testid="stElementContainer"]';
  let number = 0;
  let tied = new Map();
  let waiting = false;

  const tie = () => {
    waiting = false;
    const now = new Map();
    for (const icon of document.querySelectorAll(ERROR)) {
      const error = icon.closest(BOX);
      let above = error?.previousElementSibling;
      while (above?.querySelector(ERROR)) above = above.previousElementSibling;
      for (const field of above?.querySelectorAll(FIELD) ?? []) {
        error.id ||= `muster-error-${++number}`;
        now.set(field, [...(now.get(field) ?? []), error.id]);
      }
    }
    for (const field of tied.keys())
      if (!now.has(field)) {
        field.removeAttribute("aria-invalid");
        field.removeAttribute("aria-describedby");
      }
    for (const [field, errors] of now) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", errors.join(" "));
    }
    tied = now;
  };

  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(tie);
  }).observe(document, { childList: true, subtree: true });
})();
