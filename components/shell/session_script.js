// Turns the one-time ticket this page was given into the session's cookie; or, in a tab that shows the sign-in, lets go of
// a cookie whose session ended, and waits for somebody to sign in in another tab of this browser, which goes for this one
// too. It is a file of its own, not a line in the page, so that the content security policy can forbid every line in a page.
(() => {
  const { ticket, session, tab, ended } = document.currentScript.dataset;
  // A request that is lost, or that a proxy cannot pass on, is made again: the page waits for the cookie.
  const ask = async (path, body, signal) => {
    for (let times = 0; times < 5 && !signal?.aborted; times++) {
      if (times) await new Promise((goOn) => setTimeout(goOn, 300));
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
  // Answered late, letting go of a cookie would take away that of who signed in meanwhile.
  const lettingGo = (window.musterLettingGo ??= new AbortController());
  const tabs = (window.musterTabs ??= new BroadcastChannel("muster-session"));
  if (ticket) {
    lettingGo.abort();
    window.musterLettingGo = undefined;
    tabs.onmessage = null;
    ask("", { ticket }).then(() => tabs.postMessage("signed in"));
    return;
  }
  tabs.onmessage = () => ask("/tab", { tab });
  if (ended) ask("/end", {}, lettingGo.signal);
})();
