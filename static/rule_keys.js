// Moves the rule of a contact filter that has the keyboard focus with Alt+ArrowUp and Alt+ArrowDown, by pressing its
// buttons. The focus stays in the rule, where Streamlit would leave it at the old position. A separate file, because the
// content security policy forbids inline scripts.
(() => {
  const RULE = '[class*="st-key-contact_filter-rule-"]';
  const PREFIX = "st-key-contact_filter-rule-";
  const FOCUSABLE = "button:enabled, input:enabled, textarea:enabled";
  const DIRECTIONS = { ArrowUp: "up", ArrowDown: "down" };
  let observer;

  // Without the number of the rule, which changes with its position.
  const name = (element) =>
    (element.getAttribute("aria-label") || element.querySelector("img")?.alt || element.textContent).replace(/\d+/g, "");
  const findButton = (rule, direction) =>
    [...rule.querySelectorAll("button")].find((button) => name(button) === `Move rule  ${direction}`);

  const release = () => {
    observer?.disconnect();
    observer = undefined;
  };

  // Return the focus to the same field of the rule whenever the page is redrawn, until a person does something else.
  const follow = (rule, wanted) => {
    release();
    const key = [...rule.classList].find((each) => each.startsWith(PREFIX));
    observer = new MutationObserver(() => {
      const moved = document.querySelector(`.${CSS.escape(key)}`);
      if (!moved || moved.contains(document.activeElement)) return;
      const fields = [...moved.querySelectorAll(FOCUSABLE)];
      (fields.find((each) => name(each) === wanted) ?? fields[0])?.focus();
    });
    observer.observe(document, { attributes: true, attributeFilter: ["class"], childList: true, subtree: true });
  };

  document.addEventListener(
    "click",
    ({ target, detail }) => {
      const button = target.closest?.("button");
      const rule = button?.closest(RULE);
      // The pointer stays where it is, so that a second click acts on what is there.
      if (rule && !detail && /^Move rule {2}(up|down)$/.test(name(button))) follow(rule, name(document.activeElement));
    },
    true,
  );
  document.addEventListener("pointerdown", release, true);
  document.addEventListener(
    "keydown",
    (event) => {
      const rule = event.target.closest?.(RULE);
      const isMove = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.key in DIRECTIONS;
      if (!rule || !isMove) {
        if (event.key !== "Alt") release();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const button = findButton(rule, DIRECTIONS[event.key]);
      if (!button || button.disabled) return;
      // Leaving the field sends what was typed.
      event.target.blur();
      event.target.focus();
      button.click();
    },
    true,
  );
})();
