// Exchanges the one-time ticket of this page for the session's cookie. On the sign-in screen, deletes the cookie of a
// session that has ended, and waits for a sign-in in another tab of this browser, which also signs in this tab. A
// separate file, so that the content security policy can forbid inline scripts.
(() => {
  const { ticket, session, tab, ended } = document.currentScript.dataset;
  // The page waits for the cookie, so a request that fails on the way is repeated.
  const ask = async (path, body, signal) => {
    for (let times = 0; times < 5 && !signal?.aborted; times++) {
      if (times) await new Promise((resolve) => setTimeout(resolve, 300));
      const answer = await fetch(session + path, {
        method: "POST",
        credentials: "same-origin",
        signal,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      if (answer?.status < 500) return;
    }
  };
  // A late response to this request would delete the cookie of a new sign-in, so a sign-in aborts it.
  const ending = (window.musterEnding ??= new AbortController());
  const tabs = (window.musterTabs ??= new BroadcastChannel("muster-session"));
  if (ticket) {
    ending.abort();
    window.musterEnding = undefined;
    tabs.onmessage = null;
    ask("", { ticket }).then(() => tabs.postMessage("signed in"));
    return;
  }
  tabs.onmessage = () => ask("/tab", { tab });
  if (ended) ask("/end", {}, ending.signal);
})();
