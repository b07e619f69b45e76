// Reports to the server that the page's theme differs from the theme a map was drawn for. The server colors these maps.

import { isDark } from "./dom.js";

let reported;

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  const theme = isDark(getComputedStyle(host).getPropertyValue("--st-background-color")) ? "dark" : "light";
  if (theme === data.theme) reported = undefined;
  else if (theme !== reported) {
    reported = theme; // once, since a server that sees another theme would redraw endlessly
    setTriggerValue("presses", [[performance.now(), "theme", theme]]);
  }
}
