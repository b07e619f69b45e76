// Sends the text of a multiline text area while the user types. Streamlit sends it only on blur or Ctrl+Enter. This
// script presses Ctrl+Enter after a pause, and at the latest after two seconds, so that a refresh loses little. It
// applies to containers whose key begins with "live_text". A link that is selected right after the last key opens once
// the text is stored: of two requests at the same time, the server would run only the second, without the text. A
// separate file, because the content security policy forbids inline scripts.
(() => {
  if (window.musterLiveText) return;
  window.musterLiveText = true;
  const PAUSE_MS = 250;
  const LATEST_MS = 2000;
  const AREAS = '[class*="st-key-live_text"] textarea';
  const RUN_BEGINS_MS = 300;
  const RUN_ENDS_MS = 2000;
  let waiting;
  let since = 0;
  let unsent = false;

  const send = (area) => {
    since = 0;
    unsent = false;
    if (!area.isConnected) return;
    const press = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent("keydown", press));
  };

  const soon = (event) => {
    const area = event.target;
    // A character composed of several keys is not final yet.
    if (event.isComposing || !(area instanceof HTMLTextAreaElement) || !area.matches(AREAS)) return;
    clearTimeout(waiting);
    since ||= Date.now();
    unsent = true;
    waiting = setTimeout(send, Math.min(PAUSE_MS, Math.max(0, since + LATEST_MS - Date.now())), area);
  };

  // The text area has lost the focus to the link, so Streamlit has sent its text.
  const openAfterRun = (link) => {
    const began = Date.now();
    let hasRun = false;
    const check = () => {
      const state = document.querySelector("[data-test-script-state]")?.dataset.testScriptState;
      const isRunning = state !== undefined && state !== "notRunning";
      hasRun ||= isRunning;
      if (isRunning ? Date.now() - began < RUN_ENDS_MS : !hasRun && Date.now() - began < RUN_BEGINS_MS) {
        setTimeout(check, 20);
      } else if (link.isConnected) {
        link.click();
      }
    };
    check();
  };

  const hold = (event) => {
    const link = event.target.closest?.("a[href]");
    const isNewTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link?.target === "_blank";
    if (!unsent || !link || isNewTab || !event.isTrusted) return;
    unsent = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    openAfterRun(link);
  };

  document.addEventListener("click", hold, true);
  document.addEventListener("input", soon);
  document.addEventListener("compositionend", soon);
})();
