// Turns the one-time ticket this page was given into the session's cookie, or lets go of a cookie whose session ended.
// It is a file of its own, not a line in the page, so that the content security policy can forbid every line in a page.
(() => {
  const { ticket, endpoint } = document.currentScript.dataset;
  fetch(endpoint, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(ticket ? { ticket } : {}),
  }).catch(() => {});
})();
