// Draws a page of the table that record_table.py sends, and reports the selected headings and rows.

const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

const ARROWS = { ascending: "↑", descending: "↓" };

export default function ({ data, parentElement: root, setTriggerValue }) {
  const { columns, rows, mode, label, height, hasCards, actions, actionsLabel } = data;
  const picked = new Set(data.picked);

  // Of two presses sent at once, only the second arrives. So each sends the latest ones too.
  const tell = (kind, what) => {
    root.presses = [...(root.presses ?? []).slice(-20), [performance.now(), kind, what]];
    setTriggerValue("presses", root.presses);
  };

  // Cards have no table layout, so the roles of a table are set explicitly for screen readers.
  const classOf = (...names) => names.filter(Boolean).join(" ") || null;

  const heading = ({ name, label, numeric, sort, isSecondary }) => {
    const place = {
      scope: "col",
      role: "columnheader",
      class: classOf(numeric && "numeric", isSecondary && "secondary"),
      "aria-sort": ARROWS[sort] ? sort : null,
    };
    if (sort === null) return made("th", place, label);
    const arrow = made("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[sort] ?? "");
    const button = made("button", { type: "button", "data-focus": `sort ${name}` }, label, arrow);
    button.onclick = () => tell("sort", name);
    return made("th", place, button);
  };

  // A checkbox adds its row to the selection. A press elsewhere on a row selects only that row.
  const press = (id, isAdded) => {
    const others = mode === "many" && isAdded ? [...picked].filter((each) => each !== id) : [];
    const isCleared = picked.has(id) && (isAdded || picked.size === 1);
    const now = isCleared ? others : [...others, id];
    picked.clear();
    now.forEach((each) => picked.add(each));
    mark();
    tell("pick", now);
  };

  const badge = (text, color, icon) => {
    const style = `color: var(--st-${color}-text-color); background: var(--st-${color}-background-color)`;
    const sign = icon ? [made("span", { class: "icon", "aria-hidden": "true" }, icon)] : [];
    return made("span", { class: "badge", style }, ...sign, text);
  };

  const links = (numbers) =>
    numbers.split("\n").map((number) => {
      const dialed = (number.startsWith("+") ? "+" : "") + number.replace(/\D/g, "");
      return made("a", { href: `tel:${dialed}`, "aria-label": `Call ${number}` }, number);
    });

  const cell = (text, { label, numeric, badges, inOneLine, isSecondary, isPhone }) => {
    const status = badges?.[text];
    const words = { class: inOneLine ? "words line" : "words", "data-text": text };
    const place = {
      role: "cell",
      class: classOf(numeric && "numeric", isSecondary && "secondary", status && "status", !text && "empty"),
      "data-label": label,
    };
    if (isPhone && text) return made("td", { ...place, class: classOf(place.class, "phone") }, ...links(text));
    return made("td", place, status ? badge(text, ...status) : made("span", words, text));
  };

  const actionCell = (id, name, inEffect) => {
    const buttons = actions.map((action) => {
      const about = { "aria-label": `${action.label}: ${name}`, title: action.label, "data-focus": `act ${id} ${action.name}` };
      const button = made("button", { type: "button", ...about }, action.text);
      button.ariaPressed = String(action.name === inEffect);
      button.onclick = () => {
        if (button.ariaPressed === "true") return;
        for (const each of buttons) each.ariaPressed = String(each === button);
        tell("act", [id, action.name]);
      };
      return button;
    });
    return made("td", { role: "cell", class: "actions" }, ...buttons);
  };

  const row = ({ id, cells, action }) => {
    const line = made("tr", { "data-id": id, role: "row" });
    if (mode) {
      const about = `Select ${cells.filter((text) => text).join(", ") || "this row"}`;
      const box = made("input", { type: "checkbox", "aria-label": about, "data-focus": `pick ${id}` });
      box.onchange = () => press(id, true);
      line.append(made("td", { class: "pick", role: "cell" }, made("label", {}, box)));
      line.onclick = (event) => {
        const marked = (root.getSelection ? root : document).getSelection();
        if (!event.target.closest("label, a, button") && (!marked || marked.isCollapsed)) press(id, false);
      };
    }
    line.append(...cells.map((text, number) => cell(text, columns[number])));
    if (actions.length) line.append(actionCell(id, cells[0].split("\n")[0], action));
    return line;
  };

  const mark = () => {
    for (const line of body.children) {
      line.classList.toggle("picked", picked.has(line.dataset.id));
      if (mode) line.querySelector("input").checked = picked.has(line.dataset.id);
    }
  };

  const body = made("tbody", { role: "rowgroup" }, ...rows.map(row));
  // All checkboxes are one Tab stop. The arrow keys move between them.
  const boxes = [...body.querySelectorAll("input")];
  const stop = (box) => boxes.forEach((each) => (each.tabIndex = each === box ? 0 : -1));
  stop(boxes[Math.max(0, rows.findIndex(({ id }) => picked.has(id)))]);
  body.addEventListener("focusin", ({ target }) => boxes.includes(target) && stop(target));
  body.onkeydown = (event) => {
    const at = boxes.indexOf(event.target);
    const next = boxes[{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: boxes.length - 1 }[event.key]];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  };
  const pickHeading = mode ? [made("td", { class: "pick", role: "cell" })] : [];
  const actionHeading = actions.length ? [made("th", { scope: "col", role: "columnheader", class: "secondary" }, actionsLabel)] : [];
  const headings = made("tr", { role: "row" }, ...pickHeading, ...columns.map(heading), ...actionHeading);
  const table = made("table", { role: "table" }, made("thead", { role: "rowgroup" }, headings), body);
  mark();

  const focused = root.activeElement?.dataset.focus;
  let frame = root.querySelector(".frame");
  if (!frame) {
    frame = made("div", { class: "frame", role: "region", tabindex: "0" });
    root.append(frame);
  }
  // Another page or order starts at the top. A selection does not scroll.
  const shown = JSON.stringify([rows.map(({ id }) => id), columns.map(({ name }) => name)]);
  if (frame.dataset.shown !== shown) frame.scrollTop = 0;
  frame.dataset.shown = shown;
  frame.ariaLabel = label;
  frame.classList.toggle("cards", Boolean(hasCards));
  frame.style.maxHeight = height;
  frame.style.setProperty("--columns", columns.length + 0.8 * columns.filter(({ inOneLine }) => inOneLine).length);
  frame.replaceChildren(table);
  const again = focused && [...frame.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === focused);
  if (again) again.focus({ preventScroll: true }); // the detail may have opened elsewhere on the page
}
