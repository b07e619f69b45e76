// Tells the server when the page has another theme than a map was drawn for: maps without time are colored there.

import { isDark } from "./dom.js";

let reported;

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement;
  const theme = isDark(getComputedStyle(host).getPropertyValue("--st-background-color")) ? "dark" : "light";
  if (theme === data.theme) reported = undefined;
  else if (theme !== reported) {
    reported = theme; // once: where the server sees the theme otherwise, it would draw without end
    setTriggerValue("presses", [[performance.now(), "theme", theme]]);
  }
}
