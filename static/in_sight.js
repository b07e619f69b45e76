// Scrolls to the detail of a list when another row is selected and the detail is out of sight: below the list on a
// narrow screen, or above the scroll position for a detail without a row (`begun`). Streamlit does not scroll. This
// happens once per selection, not again when the detail is redrawn. A separate file, because the content security
// policy forbids inline scripts.
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
  detail.style.scrollMarginTop = "4rem"; // below Streamlit's header
  detail.scrollIntoView({ block: "start", behavior: "instant" });
})();
