// Hides the toasts while a dialog is open: on a phone, they would cover its title. They are visible again afterwards. A
// separate file, because the content security policy forbids inline scripts.
(() => {
  if (window.musterHidesToasts) return;
  window.musterHidesToasts = true;
  const hideToasts = new CSSStyleSheet();
  hideToasts.replaceSync(':root:has([data-testid="stDialog"]) [data-testid="stToastContainer"] { visibility: hidden; }');
  document.adoptedStyleSheets.push(hideToasts);
})();
