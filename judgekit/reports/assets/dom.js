// Names and texts in, elements out. Data enters the page through text nodes and through nothing else.

/** An element; children are elements, texts, or lists of them, and null ones are left out. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "oninput" || name === "onkeydown") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : visible(String(child)));
  }
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// Control characters, and those that turn the direction of writing or hide: a reader must see that they are there.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The text as a node, with unseen characters written out by their code. */
function visible(text) {
  UNSEEN.lastIndex = 0;
  if (!UNSEEN.test(text)) return document.createTextNode(text);
  const parts = document.createDocumentFragment();
  let from = 0;
  let shown = 0;
  for (const found of text.matchAll(UNSEEN)) {
    // A text of nothing but NUL would become one element a character.
    if ((shown += 1) > 2000) break;
    parts.append(text.slice(from, found.index));
    const code = document.createElement("span");
    code.className = "unseen";
    code.textContent = `U+${found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    parts.append(code);
    from = found.index + found[0].length;
  }
  parts.append(text.slice(from));
  return parts;
}

const MARKS = { pass: "✓", fail: "✗", error: "!", unscored: "?", skipped: "–", scored: "•", negative_ok: "✓" };
const WORDS = { negative_ok: "negative ok" };

function badge(status) {
  return el(
    "span",
    { class: `badge ${status}` },
    el("span", { "aria-hidden": "true" }, MARKS[status] ?? "•"),
    ` ${WORDS[status] ?? status}`,
  );
}

/** A table inside a frame that scrolls by itself where the window is narrow. */
function grid(label, header, rows, attributes = {}) {
  return el(
    "div",
    { class: "frame", role: "region", "aria-label": label, tabindex: "0" },
    el(
      "table",
      attributes,
      el("caption", { class: "unseen-caption" }, label),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          header.map((cell) => (cell instanceof Node ? cell : el("th", { scope: "col" }, cell))),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            row.map((cell, place) => (place === 0 ? el("th", { scope: "row" }, cell) : el("td", {}, cell))),
          ),
        ),
      ),
    ),
  );
}

/** A list of names and values; values that are nothing are left out with their names. */
function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return known.length === 0
    ? null
    : el(
        "dl",
        { class: "facts" },
        known.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
      );
}

function disclosure(summary, ...content) {
  return el("details", {}, el("summary", {}, summary), ...content);
}

/** A long text as it is, and, if the page holds only its beginning, where the rest stands. */
function long(text, { whole = 0, file = "outputs.jsonl", content = null, label }) {
  return [
    el(
      "pre",
      { class: "long", dir: "auto", tabindex: "0", role: "group", "aria-label": label },
      content ?? (text === "" ? el("em", {}, "(empty)") : text),
    ),
    whole > 0 &&
      el(
        "p",
        { class: "cut" },
        `cut at ${text.length.toLocaleString("en")} of ${whole.toLocaleString("en")} characters; full text in ${file}`,
      ),
  ];
}

/** JSON laid out for reading; anything else as it is. */
function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A dot with its interval on an axis from `low` to `high`; the figures stand beside it as text. */
function interval(value, from, to, low, high, zero = null) {
  const width = 140;
  const at = (number) => 6 + ((Math.min(Math.max(number, low), high) - low) / (high - low || 1)) * (width - 12);
  const parts = [svg("line", { x1: 6, x2: width - 6, y1: 9, y2: 9, class: "axis" })];
  if (zero !== null) parts.push(svg("line", { x1: at(zero), x2: at(zero), y1: 1, y2: 17, class: "zero" }));
  if (from !== null && to !== null) parts.push(svg("line", { x1: at(from), x2: at(to), y1: 9, y2: 9, class: "span" }));
  parts.push(svg("circle", { cx: at(value), cy: 9, r: 4, class: "dot" }));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} 18`, width, height: 18, class: "interval", "aria-hidden": "true" },
    ...parts,
  );
}
