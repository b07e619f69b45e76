// The largest marks as buttons: over the map for the Tab key and screen readers, or as a list if no map can be drawn.

import { element } from "./dom.js";
import { linesOfMark } from "./mark_text.js";

const MOST_ON_MAP = 20;
const MOST_IN_LIST = 100;
const GROWTH = 5;

export class PlaceButtons {
  // `onPress` is called with a mark, and with true if it adds to the selection.
  constructor(onPress) {
    this.onPress = onPress;
    this.root = element("ul", { class: "places", "aria-label": "Largest places in view" });
  }

  // Place a button over each of the largest marks in view.
  showOnMap({ data, hour, limit, selected }, marks, view) {
    const largest = marks.filter((mark) => view.includes(mark)).slice(0, MOST_ON_MAP);
    this.show(data, selected, largest.map(([x, y, mark]) => {
      const action = mark.present.length > 1 ? "Zoom in. " : "";
      const size = 2 * (mark.radius + GROWTH);
      return {
        mark,
        label: action + linesOfMark(data, hour, limit, mark).join(". "),
        style: { left: `${x - size / 2}px`, top: `${y - size / 2}px`, width: `${size}px`, height: `${size}px` },
      };
    }));
  }

  // List the largest places by name.
  showAsList({ data, hour, limit, selected }) {
    const people = data.peopleAt(hour);
    this.root.classList.add("list");
    this.root.setAttribute("aria-label", "Places with the most people");
    this.show(data, selected, data.largestAt(hour).slice(0, MOST_IN_LIST).map((place) => {
      const mark = { present: [place], people: people[place] };
      const [name, ...rest] = linesOfMark(data, hour, limit, mark);
      return {
        mark,
        label: [name, ...rest].join(". "),
        text: [element("strong", {}, name), ` ${rest.join(" · ")}`],
      };
    }));
  }

  // A place keeps its button, and so its focus, while other buttons change.
  show(data, selected, entries) {
    const before = new Map([...this.root.children].map((item) => [item.firstChild.dataset.place, item]));
    const items = entries.map(({ mark, label, style = {}, text = [] }) => {
      const id = data.ids[mark.present[0]];
      const item = before.get(id) ?? element("li", {}, element("button", { type: "button", "data-place": id }));
      const button = item.firstChild;
      button.setAttribute("aria-label", label);
      button.setAttribute("aria-pressed", String(mark.present.every((place) => selected.has(data.ids[place]))));
      Object.assign(button.style, style);
      if (text.length) button.replaceChildren(...text);
      button.onclick = (event) => this.onPress(mark, event.shiftKey || event.ctrlKey || event.metaKey);
      return item;
    });
    const isSame = items.length === before.size && items.every((item, number) => item === this.root.children[number]);
    if (isSame) return;
    const focused = this.root.getRootNode().activeElement;
    const hadFocus = this.root.contains(focused);
    this.root.replaceChildren(...items);
    if (hadFocus) (this.root.contains(focused) ? focused : items[0]?.firstChild)?.focus({ preventScroll: true });
  }
}
