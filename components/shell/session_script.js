// Turns the one-time ticket this page was given into the session's cookie, or lets go of a cookie whose session ended.
// It is a file of its own, not a line in the page, so that the content security policy can forbid every line in a page.
(() => {
  const { ticket, endpoint } = document.currentScript.dataset;
  // Answered late, letting go of a cookie would take away that of who signed in meanwhile.
  const lettingGo = (window.musterLettingGo ??= new AbortController());
  if (ticket) {
    lettingGo.abort();
    window.musterLettingGo = undefined;
  }
  const signal = ticket ? undefined : lettingGo.signal;
  // A request that is lost, or that a proxy cannot pass on, is made again: the page waits for the cookie.
  const ask = (times) =>
    fetch(endpoint, {
      method: "POST",
      credentials: "same-origin",
      signal,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(ticket ? { ticket } : {}),
    })
      .then((answer) => answer.status < 500 || Promise.reject())
      .catch(() => times > 1 && !signal?.aborted && setTimeout(ask, 300, times - 1));
  ask(5);
})();
