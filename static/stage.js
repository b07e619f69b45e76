// Brings the page to its top when another page, or a new stage of a screen, begins: the framework keeps the place it was
// scrolled to, and what a review says at its head would be out of sight. Once a stage, whatever is drawn anew within it.
// A file of its own: the content security policy allows no script in a page.
(() => {
  const { of, stage } = document.currentScript.dataset;
  const stages = (window.musterStages ??= {});
  if (stages[of] === stage) return;
  stages[of] = stage;
  document.getElementById("stMain")?.scrollTo({ top: 0, behavior: "instant" });
})();
