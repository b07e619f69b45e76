// Says in the place of a map that it is being drawn, which may take ten seconds at first, or that the browser can paint
// none: both leave it blank without a word. Maps need WebGL, which remote desktops and older machines often lack. It
// writes into the element it stands in, which the framework leaves alone: over the blank and under what is painted there,
// or in place of the blank. A file of its own: the content security policy allows no script in a page.
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
  const said = document.createElement("p");
  if (window.musterPaintsMaps) {
    said.textContent = "Drawing the map …";
    said.ariaHidden = true; // the map has words of its own
    Object.assign(said.style, { margin: "0 0 -2.5rem", lineHeight: "2.5rem", textIndent: "1rem" });
    document.currentScript.replaceWith(said);
    // What is dragged shows what lies behind the world.
    addEventListener("pointerdown", () => said.remove(), { once: true });
    return;
  }
  said.textContent =
    "This browser cannot draw maps. WebGL is missing or switched off, as on many remote desktops. " +
    "This page has the same information as text.";
  document.currentScript.replaceWith(said);
})();
