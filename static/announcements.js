// Makes screen readers announce changes: the number of search results, the selection, and every few seconds the
// progress of an import. The keys of these containers begin with "announced" or "announced-progress". A separate file,
// because the content security policy forbids inline scripts.
(() => {
  const READ_MS = 500;
  const PAUSE_MS = 5000;

  const listen = (part) => {
    part.setAttribute("role", "status");
    part.setAttribute("aria-live", "polite");
    if (!part.matches('[class*="st-key-announced-progress"]')) return;
    let isPaused = false;
    new MutationObserver(() => {
      if (isPaused) return;
      isPaused = true;
      setTimeout(() => part.setAttribute("aria-live", "off"), READ_MS);
      setTimeout(() => {
        isPaused = false;
        part.setAttribute("aria-live", "polite");
      }, PAUSE_MS);
    }).observe(part, { characterData: true, childList: true, subtree: true });
  };

  new MutationObserver(() => {
    for (const part of document.querySelectorAll('[class*="st-key-announced"]:not([role="status"])')) listen(part);
  }).observe(document, { childList: true, subtree: true });
})();
