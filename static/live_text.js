// Lets a text area of several lines be followed while it is typed in. By itself it hands its text over when it is left,
// or at Ctrl+Enter; this presses Ctrl+Enter for the person once they pause, and at the latest after two seconds, so that
// little is lost to a refresh. Only areas inside a container whose key begins with "live_text" are meant. A file of its
// own: the content security policy allows no script in a page.
(() => {
  if (window.musterLiveText) return;
  window.musterLiveText = true;
  const PAUSE_MS = 250;
  const LATEST_MS = 2000;
  const AREAS = '[class*="st-key-live_text"] textarea';
  let waiting;
  let since = 0;

  const handOver = (area) => {
    since = 0;
    if (!area.isConnected) return;
    const press = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    area.dispatchEvent(new KeyboardEvent("keydown", press));
  };

  const soon = (event) => {
    const area = event.target;
    // While a character is being put together of several keys, nothing is final yet.
    if (event.isComposing || !(area instanceof HTMLTextAreaElement) || !area.matches(AREAS)) return;
    clearTimeout(waiting);
    since ||= Date.now();
    waiting = setTimeout(handOver, Math.min(PAUSE_MS, Math.max(0, since + LATEST_MS - Date.now())), area);
  };

  document.addEventListener("input", soon);
  document.addEventListener("compositionend", soon);
})();
