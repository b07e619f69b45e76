// Turns the one-time ticket this page was given into the session's cookie, or lets go of a cookie whose session ended.
// It is a file of its own, not a line in the page, so that the content security policy can forbid every line in a page.
(() => {
  const { ticket, endpoint } = document.currentScript.dataset;
  // A request that is lost, or that a proxy cannot pass on, is made again: the page waits for the cookie.
  const ask = (times) =>
    fetch(endpoint, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(ticket ? { ticket } : {}),
    })
      .then((answer) => answer.status < 500 || Promise.reject())
      .catch(() => times > 1 && setTimeout(ask, 300, times - 1));
  ask(5);
})();
