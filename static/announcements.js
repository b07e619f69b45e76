// Has what changes on a page read out, for those who do not see it: how many a search found, what was selected, and every
// few seconds how far an import is. Those parts have a key that begins with "announced", or with "announced-progress".
// It stands in every page, in a file of its own: the content security policy allows no script in a page.
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
