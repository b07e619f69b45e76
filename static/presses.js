// Keeps from the page what nobody means to press. It stands in every page, in a file of its own: the content security
// policy allows no script in a page.
(() => {
  const STOP = "[data-testid=stStatusWidgetRunningIcon] ~ * button";

  // The framework offers to stop what a page is doing. It would blank the page, while what was sent goes through all
  // the same; where something takes long, the page has a way of its own that says what leaving means.
  new MutationObserver(() => {
    const stop = document.querySelector(STOP);
    if (stop) stop.style.display = "none";
  }).observe(document, { childList: true, subtree: true });
})();
