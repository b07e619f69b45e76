// The largest marks as buttons: over the map for the Tab key and screen readers, or as a list where no map can be drawn.

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

  // Lay a button over each of the largest marks in view.
  showOnMap({ data, hour, limit, selected }, marks, view) {
    const seen = new Set();
    const largest = marks
      .filter(([x, y, cluster]) => view.includes([x, y]) && !seen.has(cluster) && seen.add(cluster))
      .slice(0, MOST_ON_MAP);
    this.replace(
      largest.map(([x, y, cluster]) => {
        const radius = cluster.radius + GROWTH;
        const action = cluster.present.length > 1 ? "Zoom in. " : "";
        const button = this.button(data, cluster, selected, action + linesOfMark(data, hour, limit, cluster).join(". "));
        const [left, top, size] = [x - radius, y - radius, 2 * radius];
        Object.assign(button.style, { left: `${left}px`, top: `${top}px`, width: `${size}px`, height: `${size}px` });
        return button;
      }),
    );
  }

  // List the largest places by name.
  showAsList({ data, hour, limit, selected }) {
    const people = data.peopleAt(hour);
    const statuses = data.statusesAt(hour);
    this.root.classList.add("list");
    this.root.setAttribute("aria-label", "Places with the most people");
    this.replace(
      data.largestAt(hour).slice(0, MOST_IN_LIST).map((place) => {
        const byStatus = [0, 0, 0, 0];
        byStatus[statuses[place]] = people[place];
        const mark = { places: [place], present: [place], people: people[place], byStatus };
        const [name, ...rest] = linesOfMark(data, hour, limit, mark);
        const button = this.button(data, mark, selected, [name, ...rest].join(". "));
        button.append(element("strong", {}, name), ` ${rest.join(" · ")}`);
        return button;
      }),
    );
  }

  button(data, mark, selected, label) {
    const isSelected = mark.present.every((place) => selected.has(data.ids[place]));
    const button = element("button", {
      type: "button",
      "aria-label": label,
      "aria-pressed": String(isSelected),
      "data-place": data.ids[mark.present[0]],
    });
    button.onclick = (event) => this.onPress(mark, event.shiftKey || event.ctrlKey || event.metaKey);
    return button;
  }

  replace(buttons) {
    const focused = this.root.getRootNode().activeElement?.dataset.place;
    this.root.replaceChildren(...buttons.map((button) => element("li", {}, button)));
    if (focused === undefined) return;
    (buttons.find((button) => button.dataset.place === focused) ?? buttons[0])?.focus({ preventScroll: true });
  }
}
