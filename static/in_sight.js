// Brings what stands beside a list into sight when something else is picked: below the list, on a screen too narrow for
// two columns, or, where it is `begun` and not of a row, above where one had scrolled to. The framework stays where it
// was. Once a pick, whatever is drawn anew within it. A file of its own: the content security policy allows no script
// in a page.
(() => {
  const script = document.currentScript;
  const { picked, begun } = script.dataset;
  if (window.musterPicked === picked) return;
  window.musterPicked = picked;
  const detail = script.closest('[data-testid="stColumn"]');
  const list = detail?.previousElementSibling;
  if (!picked || !list) return;
  const { top } = detail.getBoundingClientRect();
  const isBelow = list.getBoundingClientRect().bottom <= top;
  if (isBelow ? top < window.innerHeight / 2 : !begun || top > 0) return;
  detail.style.scrollMarginTop = "4rem"; // below the framework's own header
  detail.scrollIntoView({ block: "start", behavior: "instant" });
})();
