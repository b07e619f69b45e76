// Sends the text of a multiline text area while the user types. Streamlit sends it only on blur or Ctrl+Enter. This
// script presses Ctrl+Enter after a pause, and at the latest after two seconds, so that a refresh loses little. It
// applies to containers whose key begins with "live_text". A separate file, because the content security policy forbids
// inline scripts.
(() => {
  if (window.musterLiveText) return;
  window.musterLiveText = true;
  const PAUSE_MS = 250;
  const LATEST_MS = 2000;
  const AREAS = '[class*="st-key-live_text"] textarea';
  let waiting;
  let since = 0;

  const send = (area) => {
    since = 0;
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
    waiting = setTimeout(send, Math.min(PAUSE_MS, Math.max(0, since + LATEST_MS - Date.now())), area);
  };

  document.addEventListener("input", soon);
  document.addEventListener("compositionend", soon);
})();
