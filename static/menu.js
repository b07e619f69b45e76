// Marks the menu entry of a screen that has no entry of its own, such as a trip. On a phone, closes the menu when
// another screen opens: Streamlit closes it only if the screen's own entry was selected. A separate file, because the
// content security policy forbids inline scripts.
(() => {
  const { screen, entry } = document.currentScript.dataset;
  const PHONE_PIXELS = 768;
  const sidebar = document.querySelector('[data-testid="stSidebar"]');
  const mark = () => {
    for (const link of document.querySelectorAll('[data-testid="stSidebarNavLink"]')) {
      const path = new URL(link.href).pathname.split("/").pop();
      const isMarked = "musterMarked" in link.dataset;
      if (path === entry && entry !== screen) {
        link.dataset.musterMarked = "";
        link.setAttribute("aria-current", "page");
      } else if (isMarked) {
        delete link.dataset.musterMarked;
        if (path !== screen) link.removeAttribute("aria-current"); // else Streamlit has marked it
      }
    }
  };
  window.musterMenu?.disconnect();
  window.musterMenu = new MutationObserver(mark);
  if (sidebar) window.musterMenu.observe(sidebar, { childList: true, subtree: true });
  mark();
  const isOther = window.musterScreen !== undefined && window.musterScreen !== screen;
  window.musterScreen = screen;
  if (isOther && innerWidth <= PHONE_PIXELS && sidebar?.dataset.collapsed === "false")
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
})();
