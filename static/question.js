// Keeps what was done out of the way of a question: on a phone it would stand over its title, for seconds after a change.
// It comes back with the page. A file of its own: the content security policy allows no script in a page.
(() => {
  if (window.musterAsks) return;
  window.musterAsks = true;
  const whileAsked = new CSSStyleSheet();
  whileAsked.replaceSync(':root:has([data-testid="stDialog"]) [data-testid="stToastContainer"] { visibility: hidden; }');
  document.adoptedStyleSheets.push(whileAsked);
})();
