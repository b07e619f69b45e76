// Says in the place of a map that the browser can paint none, which it leaves blank without a word: maps need WebGL,
// which remote desktops and older machines often lack. It writes into the element it stands in, which the framework
// leaves alone, and takes the blank away. A file of its own: the content security policy allows no script in a page.
(() => {
  if (window.musterPaintsMaps === undefined) {
    window.musterPaintsMaps = Boolean(document.createElement("canvas").getContext("webgl2"));
    if (!window.musterPaintsMaps) {
      const withoutBlanks = new CSSStyleSheet();
      const map = '[data-testid="stElementContainer"]:has([data-testid="stDeckGlJsonChart"])';
      withoutBlanks.replaceSync(`${map} { display: none; }`);
      document.adoptedStyleSheets.push(withoutBlanks);
    }
  }
  if (window.musterPaintsMaps) return;
  const said = document.createElement("p");
  said.textContent =
    "This browser cannot draw maps: WebGL is missing or switched off, as on many remote desktops. " +
    "What the map would show stands on this page in words too.";
  document.currentScript.replaceWith(said);
})();
