// Draws the field that opens the search box, and the dialog with the results. Reports what is typed and selected.
// The dialog is a combobox: the focus stays in the field, and the arrow keys move through the results.

const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

const PAUSE_MS = 60;
const BLUR_MS = 50;
const sign = (name) => made("span", { class: "icon", "aria-hidden": "true" }, name);

const build = (root, tell) => {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const opener = made(
    "button",
    { type: "button", class: "opener", "aria-haspopup": "dialog", "aria-keyshortcuts": "Control+K Meta+K" },
    sign("search"),
    made("span", { class: "hint" }, "Search"),
    made("kbd", { "aria-hidden": "true" }, isMac ? "⌘K" : "Ctrl K"),
  );
  const input = made("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Search Muster",
    "aria-controls": "results",
    "aria-autocomplete": "list",
    placeholder: "Name, record locator, place, or question",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const close = made("button", { type: "button", class: "close", "aria-label": "Close search" }, sign("close"));
  const status = made("p", { class: "status", role: "status" });
  const results = made("div", { id: "results", role: "listbox", "aria-label": "Results" });
  const notes = made("div", { class: "notes" });
  const examples = made("div", { class: "examples" });
  const head = made("div", { class: "head" }, sign("search"), input, close);
  // The focus can enter it, so that the keyboard scrolls it.
  const body = made("div", { class: "body", role: "region", "aria-label": "Search results", tabindex: "0" }, status, results, notes, examples);
  const dialog = made("dialog", { "aria-label": "Search" }, head, body);
  root.append(opener, dialog);

  const box = { opener, input, status, results, notes, examples, dialog, tell, active: 0, shown: "", isEntered: false };
  let pause;

  box.options = () => [...results.querySelectorAll("[role=option]")];

  box.choose = (number) => {
    const options = box.options();
    box.active = options.length ? (number + options.length) % options.length : 0;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === box.active)));
    const option = options[box.active];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };

  box.follow = (url) => {
    box.isFollowing = true;
    dialog.close();
    box.tell("open", url);
  };

  // Otherwise each run of the page would search again.
  dialog.onclose = () => {
    clearTimeout(pause);
    if (!box.isFollowing) box.tell("end", null);
    box.isFollowing = false;
  };

  const wanted = () => input.value.trim();

  box.enter = () => {
    const option = box.options()[box.active];
    // The results are of an earlier text. The first one is opened once those of this text are there.
    if (wanted() !== box.shown) box.isEntered = wanted() !== "";
    else if (option) box.follow(option.dataset.url);
  };

  const send = () => {
    clearTimeout(pause);
    box.sent = wanted();
    box.tell("type", box.sent);
  };

  box.type = (text) => {
    input.value = text;
    input.focus();
    send();
  };

  box.open = () => {
    // In a dialog of the page, such as a countdown, nothing leads to another screen.
    if (dialog.open || document.querySelector("[data-testid=stDialog]")) return;
    // A field reports its text when it loses the focus. The browser returns the focus afterwards.
    input.value = "";
    box.isEntered = false;
    dialog.showModal();
    input.focus();
    // Of two requests at the same time, the page would run only the second, without the text of the field.
    setTimeout(() => box.tell("begin", performance.now()), BLUR_MS);
  };

  opener.onclick = box.open;
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  input.oninput = () => {
    box.isEntered = false;
    status.textContent = wanted() ? "Searching" : "";
    clearTimeout(pause);
    pause = setTimeout(send, PAUSE_MS);
  };
  // Not passed on: the page has shortcuts of one letter.
  dialog.onkeydown = (event) => {
    event.stopPropagation();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      dialog.close();
    }
    if (event.target !== input || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      box.choose(box.active + step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (wanted() !== box.shown && wanted() !== box.sent) send();
      box.enter();
    }
  };
  return box;
};

const fill = (box, data) => {
  const { input, status, results, notes, examples } = box;
  if (input.value.trim() !== data.text) return; // of an earlier text
  box.shown = data.text;
  input.maxLength = data.limit;
  let number = 0;
  const option = (result) => {
    const line = made("a", {
      role: "option",
      id: `option-${number++}`,
      href: result.url,
      tabindex: "-1",
      "data-url": result.url,
    });
    const texts = made("span", { class: "texts" }, made("span", { class: "title" }, result.title));
    if (result.detail) texts.append(made("span", { class: "detail" }, result.detail));
    line.append(sign(result.icon || "arrow_forward"), texts);
    line.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
      event.preventDefault();
      box.follow(result.url);
    };
    return line;
  };
  results.replaceChildren(
    ...data.groups.map((group, at) => {
      const heading = made("div", { class: "heading", id: `group-${at}`, role: "presentation" }, group.title);
      const part = made("div", { role: "group", "aria-labelledby": `group-${at}` }, heading, ...group.results.map(option));
      if (group.more) part.append(made("div", { class: "more", role: "presentation" }, `${group.more.toLocaleString("en")} more`));
      return part;
    }),
  );
  notes.replaceChildren(
    ...data.notes.map((note) => {
      const line = made("p", { class: note.isWarning ? "warning" : null }, ...(note.isWarning ? [sign("warning")] : []), note.text);
      if (note.url) {
        const link = made("a", { href: note.url }, note.label);
        link.onclick = (event) => {
          event.preventDefault();
          box.follow(note.url);
        };
        line.append(" ", link);
      }
      return line;
    }),
  );
  const example = (text) => {
    const button = made("button", { type: "button" }, text);
    button.onclick = () => box.type(text);
    return button;
  };
  examples.replaceChildren(...(data.text ? [] : [made("p", {}, "Examples"), ...data.examples.map(example)]));
  status.classList.toggle("sentence", data.sentence !== "");
  status.textContent = data.sentence || (data.text ? (data.groups.length ? data.count : "No results") : "");
  input.setAttribute("aria-expanded", String(data.groups.length > 0));
  box.choose(0);
  if (box.isEntered) {
    box.isEntered = false;
    box.enter();
  }
};

export default function ({ data, parentElement: root, setTriggerValue }) {
  const tell = (kind, what) => {
    root.presses = [...(root.presses ?? []).slice(-20), [performance.now(), kind, what]];
    setTriggerValue("presses", root.presses);
  };
  root.box ??= build(root, tell);
  root.box.tell = tell;
  fill(root.box, data);
  const onKey = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    root.box.open();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
