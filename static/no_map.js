// Shows “Drawing the map …” in the place of a map, which can take ten seconds at first, or a message if the browser
// cannot draw maps. Maps need WebGL, which many remote desktops and older machines lack. Otherwise both cases stay
// blank. A separate file, because the content security policy forbids inline scripts.
(() => {
  if (window.musterPaintsMaps === undefined) {
    window.musterPaintsMaps = Boolean(document.createElement("canvas").getContext("webgl2"));
    if (!window.musterPaintsMaps) {
      const hideBlanks = new CSSStyleSheet();
      const map = '[data-testid="stElementContainer"]:has([data-testid="stDeckGlJsonChart"])';
      hideBlanks.replaceSync(`${map} { display: none; }`);
      document.adoptedStyleSheets.push(hideBlanks);
    }
  }
  const message = document.createElement("p");
  if (window.musterPaintsMaps) {
    message.textContent = "Drawing the map …";
    message.ariaHidden = true; // the map has its own description
    Object.assign(message.style, { margin: "0 0 -2.5rem", lineHeight: "2.5rem", textIndent: "1rem" });
    document.currentScript.replaceWith(message);
    // A dragged map shows what is behind it.
    addEventListener("pointerdown", () => message.remove(), { once: true });
    return;
  }
  message.textContent =
    "This browser cannot draw maps. WebGL is missing or switched off, as on many remote desktops. " +
    "This page has the same information as text.";
  document.currentScript.replaceWith(message);
})();
