// Keeps from the page what nobody means to press. It stands in every page, in a file of its own: the content security
// policy allows no script in a page.
(() => {
  const PRESSED = "a, button, label, [role=button], [role=option]";
  const STOP = "[data-testid=stStatusWidgetRunningIcon] ~ * button";
  let first;

  // The second click of two goes to what the first one went to, or nowhere: not to what slid under the pointer since.
  document.addEventListener(
    "click",
    (event) => {
      const pressed = event.target.closest?.(PRESSED);
      if (event.detail < 2) first = pressed;
      else if (pressed !== first) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    true,
  );

  // The framework offers to stop what a page is doing. It would blank the page, while what was sent goes through all
  // the same.
  new MutationObserver(() => {
    const stop = document.querySelector(STOP);
    if (stop) stop.style.display = "none";
  }).observe(document, { childList: true, subtree: true });
})();
