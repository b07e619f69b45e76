// Keeps the keyboard focus. A popover takes the focus when it opens, and returns it when it closes. If the focused
// element is removed, moved, or redrawn, the focus moves to its replacement, or else to the next element. Streamlit
// would leave the focus on the page itself, where Tab starts at the menu. An element with the key "takes-focus-KEY" moves
// the focus to the element with that key, once. A separate file, because the content security policy forbids inline
// scripts.
(() => {
  const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const MARKER = "st-key-takes-focus-";
  const POPOVER = '[data-testid="stPopoverBody"]';
  const QUIET_MS = 150;
  const FRAMES = 30;
  let last; // the element that had the focus, and how to find its replacement
  let opener;
  let waiting;

  const canTake = (element) => element.isConnected && !element.disabled && element.checkVisibility({ visibilityProperty: true });
  const inside = (part) => [...part.querySelectorAll(FOCUSABLE)].filter(canTake);
  const name = (element) => element.getAttribute("aria-label") || element.textContent.trim();
  const isLost = () => !document.activeElement || document.activeElement === document.body;
  const isRunning = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";

  document.addEventListener("focusin", ({ target }) => {
    const part = target.closest(POPOVER) ?? target.closest("[data-testid=stMain], [data-testid=stBottom]");
    if (!part || !target.matches(FOCUSABLE)) return;
    const keyed = target.closest('[class*="st-key-"]');
    last = {
      element: target,
      name: name(target),
      key: [...(keyed?.classList ?? [])].find((each) => each.startsWith("st-key-")),
      around: [...part.querySelectorAll(FOCUSABLE)],
    };
  });

  const passFocus = () => {
    const { element, around, key } = last;
    const again = key ? inside(document).filter((each) => each.closest(`.${CSS.escape(key)}`)) : [];
    const place = around.indexOf(element);
    const next =
      again.find((each) => name(each) === last.name) ??
      again.find((each) => each.tagName === element.tagName) ??
      [...around.slice(place + 1), ...around.slice(0, place).reverse()].find(canTake) ??
      document.querySelector("[data-testid=stMain] h1");
    if (next?.tagName === "H1") next.tabIndex = -1;
    next?.focus({ preventScroll: true });
  };

  const check = () => {
    waiting = undefined;
    if (!last || !isLost() || canTake(last.element) || document.querySelector("[data-testid=stDialog]")) return;
    if (isRunning()) wait();
    else passFocus();
  };
  const wait = () => (waiting ??= setTimeout(check, QUIET_MS));

  const open = (popover) => {
    popover.dataset.musterOpened = "";
    const button = document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]');
    if (!isLost() && document.activeElement !== button) return;
    opener = button;
    popover.tabIndex = -1;
    enter(popover, FRAMES);
  };

  // A popover is invisible until it is positioned, and empty until a run fills it. On touch screens, where a field
  // would open the on-screen keyboard, the popover itself takes the focus.
  const enter = (popover, frames) => {
    if (!popover.isConnected || (!isLost() && document.activeElement !== opener)) return;
    const field = matchMedia("(pointer: fine)").matches ? inside(popover)[0] : undefined;
    if (field || (frames <= 0 && !isRunning())) (field ?? popover).focus({ preventScroll: true });
    else requestAnimationFrame(() => enter(popover, frames - 1));
  };

  // A marker that stays for a while moves the focus only once. On touch screens, a field would open the on-screen keyboard.
  let followed;
  const follow = (marker) => {
    const key = [...marker.classList].find((each) => each.startsWith(MARKER)).slice(MARKER.length);
    if (key === followed) return;
    const target = document.querySelector(`.${CSS.escape(`st-key-${key}`)}`);
    const field = target && inside(target)[0];
    if (!field) return;
    followed = key;
    if (matchMedia("(pointer: fine)").matches) {
      opener = undefined;
      field.focus();
    }
  };

  new MutationObserver(() => {
    const marker = document.querySelector(`[class*="${MARKER}"]`);
    if (marker) follow(marker);
    const popovers = [...document.querySelectorAll(POPOVER)];
    for (const popover of popovers) if (!("musterOpened" in popover.dataset)) open(popover);
    if (!popovers.length && opener) {
      if (isLost() && opener.isConnected) opener.focus({ preventScroll: true });
      opener = undefined;
    }
    if (isLost()) wait();
  }).observe(document, { attributes: true, attributeFilter: ["disabled"], childList: true, subtree: true });
})();
