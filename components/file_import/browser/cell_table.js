// Draws rows with editable cells and their messages, and reports corrected cells and skipped rows.

const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

const MARKS = { error: "⚠ ", warning: "△ ", note: "" };

export default function ({ data, parentElement: root, setTriggerValue }) {
  const { columns, rows, label, height } = data;

  // On a narrow screen, a row is a card: its first cell, the cells with messages, and a button for the others.
  const isNarrow = matchMedia("(max-width: 40rem)").matches;

  // If two events are sent at once, only the second arrives. Each one therefore repeats the earlier ones.
  const tell = (kind, what) => {
    root.presses = [...(root.presses ?? []).slice(-20), [performance.now(), kind, what]];
    setTriggerValue("presses", root.presses);
  };

  const list = (messages, id) =>
    made("ul", { id, class: "messages" }, ...messages.map(([text, tone]) => made("li", { class: tone }, MARKS[tone] + text)));

  const opened = (root.opened ??= new Set());
  // A cell that has the focus keeps its text and cursor when the table is drawn again.
  const writing = root.activeElement?.dataset.focus;

  const cell = (row, column, text, messages, isQuiet) => {
    const place = `${row.id} ${column.name}`;
    const about = `messages-${row.id}-${column.name}`;
    const isWrong = messages.some(([, kind]) => kind === "error");
    const input = made("input", {
      "aria-label": `${column.label}, row ${row.number}`,
      "aria-invalid": isWrong ? "true" : null,
      "aria-describedby": messages.length ? about : null,
      "data-focus": place,
      size: Math.min(Math.max(text.length, 6), 28),
      autocomplete: "off",
      spellcheck: "false",
    });
    input.value = input.dataset.given = text;
    input.onchange = () => {
      if (input.value === input.dataset.given) return;
      input.dataset.given = input.value;
      tell("fix", { row: row.id, column: column.name, text: input.value });
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter") input.onchange();
      if (event.key === "Escape") input.value = input.dataset.given;
    };
    const attributes = { class: messages[0]?.[1] ?? (isQuiet ? "quiet" : null), "data-label": column.label };
    return made("td", attributes, input, ...(messages.length ? [list(messages, about)] : []));
  };

  const line = (row) => {
    const drop = made("button", { type: "button", "data-focus": `drop ${row.id}` }, "Skip");
    drop.ariaLabel = `Skip row ${row.number}`;
    drop.onclick = () => tell("drop", row.id);
    const head = made("th", { scope: "row" }, String(row.number), ...(row.messages.length ? [list(row.messages, null)] : []));
    const isWritten = row.cells.some(Boolean);
    const cells = columns.map((column, number) => {
      const isShown = !number || row.corrected.includes(column.name) || writing === `${row.id} ${column.name}`;
      return cell(row, column, row.cells[number], row.cell_messages[column.name] ?? [], isWritten && !isShown);
    });
    const dropping = made("td", { class: "drop" }, drop);
    if (!isNarrow) return made("tr", { "data-id": row.id }, head, dropping, ...cells);
    const card = made("tr", { "data-id": row.id }, head, cells[0], dropping, ...cells.slice(1));
    if (cells.some((each) => each.className === "quiet")) {
      const more = made("button", { type: "button", "data-focus": `more ${row.id}` }, "All cells");
      more.ariaLabel = `All cells of row ${row.number}`;
      const open = (isOpen) => {
        card.className = isOpen ? "open" : "";
        more.ariaExpanded = String(isOpen);
        opened[isOpen ? "add" : "delete"](row.id);
      };
      more.onclick = () => open(!opened.has(row.id));
      open(opened.has(row.id));
      card.append(made("td", { class: "more" }, more));
    }
    return card;
  };

  const text = root.activeElement?.value;
  const mark = [root.activeElement?.selectionStart, root.activeElement?.selectionEnd];
  const headings = ["Row", "", ...columns.map((column) => column.label)];
  const head = made("thead", {}, made("tr", {}, ...headings.map((each) => made(each ? "th" : "td", {}, each))));
  let frame = root.querySelector(".frame");
  if (!frame) {
    frame = made("div", { class: "frame", role: "region", tabindex: "0" });
    root.append(frame);
  }
  frame.ariaLabel = label;
  frame.style.maxHeight = height;
  // Otherwise the removed cell would report its unfinished text.
  if (root.activeElement) root.activeElement.onchange = null;
  frame.replaceChildren(made("table", {}, head, made("tbody", {}, ...rows.map(line))));
  const again = [...frame.querySelectorAll("[data-focus]")].find((each) => each.dataset.focus === writing);
  if (again) {
    again.focus();
    if (text !== undefined && again.tagName === "INPUT") {
      again.value = text;
      again.setSelectionRange(...mark);
    }
  }
}
