// The entries in, a table that is filtered, sorted and drawn a page at a time out; it also keeps which case is open.

const PAGE = 100;
const SEVERITY = { fail: 0, error: 1, unscored: 2, pass: 3, negative_ok: 4, skipped: 5 };

const state = {
  status: "",
  variant: "",
  suite: "",
  agent: "",
  tag: "",
  text: "",
  differ: false,
  metric: "",
  sort: "status",
  down: false,
  shown: PAGE,
  open: null,
};
const view = { body: null, count: null, more: null, panel: null, review: null, heads: new Map(), list: [] };

const tagsOf = (text) => (text ? text.split(";") : []);
const wholeTexts = [];

/** Everything of an entry that a search looks at, in lower case; made when first searched. */
function searchText(entry) {
  if (wholeTexts[entry] === undefined) {
    const { entries, outputs, results } = tables;
    const parts = [
      entries.get(entry, "case_id"),
      entries.get(entry, "name"),
      entries.get(entry, "reason"),
      entries.get(entry, "tags"),
    ];
    for (const output of outputsOf[entry]) {
      parts.push(outputs.get(output, "input"), outputs.get(output, "output"));
      for (const row of resultsOf[output]) parts.push(results.get(row, "metric"), results.get(row, "reason"));
    }
    wholeTexts[entry] = parts.filter(Boolean).join("\n").toLowerCase();
  }
  return wholeTexts[entry];
}

const differing = new Set();
for (const found of entriesOfCase.values()) {
  if (new Set(found.map((entry) => tables.entries.get(entry, "status"))).size > 1)
    for (const entry of found) differing.add(entry);
}

function matches(entry) {
  const { entries } = tables;
  for (const name of ["status", "variant", "suite", "agent"]) {
    if (state[name] && entries.get(entry, name) !== state[name]) return false;
  }
  if (state.tag && !tagsOf(entries.get(entry, "tags")).includes(state.tag)) return false;
  if (state.differ && !differing.has(entry)) return false;
  return !state.text || searchText(entry).includes(state.text);
}

/** Mean score of the chosen metric over the trials of an entry; null where none has one. */
function chosenScore(entry) {
  const { results } = tables;
  let sum = 0;
  let n = 0;
  for (const output of outputsOf[entry]) {
    for (const row of resultsOf[output]) {
      const score = results.raw(row, "score");
      if (score !== null && results.get(row, "metric") === state.metric) {
        sum += score;
        n += 1;
      }
    }
  }
  return n === 0 ? null : sum / n;
}

function chosenCell(entry) {
  const score = chosenScore(entry);
  if (score !== null) return figure(score);
  for (const output of outputsOf[entry]) {
    const row = resultsOf[output].find((one) => tables.results.get(one, "metric") === state.metric);
    if (row !== undefined) return el("span", { class: "quiet" }, tables.results.get(row, "status"));
  }
  return "";
}

function sortKey(entry) {
  if (state.sort === "status") return SEVERITY[tables.entries.get(entry, "status")] ?? 9;
  if (state.sort === "score") return chosenScore(entry);
  return tables.entries.get(entry, state.sort) ?? "";
}

function selected() {
  const found = [];
  for (let entry = 0; entry < tables.entries.length; entry += 1) if (matches(entry)) found.push(entry);
  const keys = new Map(found.map((entry) => [entry, sortKey(entry)]));
  const names = new Intl.Collator("en", { numeric: true });
  const sign = state.down ? -1 : 1;
  return found.sort((a, b) => {
    const [left, right] = [keys.get(a), keys.get(b)];
    if (left === right) return a - b;
    // Entries without a score come last whichever way the scores are sorted.
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * (typeof left === "number" ? left - right : names.compare(left, right)) || a - b;
  });
}

function caseRow(entry) {
  const { entries } = tables;
  const name = entries.get(entry, "name");
  return el(
    "tr",
    {
      "data-entry": entry,
      class: entry === state.open ? "open" : null,
      onclick: (event) => event.target.closest("a") || openCase(entry),
    },
    el("td", {}, badge(entries.get(entry, "status"))),
    el(
      "th",
      { scope: "row" },
      el("a", { href: `#case-${entry}` }, entries.get(entry, "case_id")),
      name && name !== entries.get(entry, "case_id") && el("span", { class: "quiet" }, ` ${name}`),
      excerpt(entry),
    ),
    variants.length > 1 && el("td", {}, entries.get(entry, "variant")),
    view.suites && el("td", { class: "wide" }, entries.get(entry, "suite")),
    view.metrics && el("td", { class: "number" }, chosenCell(entry)),
  );
}

/** What decided, and where nothing has to be said, how the output begins. */
function excerpt(entry) {
  const text = tables.entries.get(entry, "reason") || tables.outputs.get(outputsOf[entry][0], "output");
  if (!text) return null;
  const line = text.slice(0, 400).replace(/\s+/g, " ");
  return el("p", { class: "why" }, line.length > 200 ? `${line.slice(0, 200)}…` : line);
}

function draw() {
  view.list = selected();
  view.body.replaceChildren(...view.list.slice(0, state.shown).map(caseRow));
  const rest = view.list.length - Math.min(state.shown, view.list.length);
  view.count.textContent = `${view.list.length.toLocaleString("en")} of ${tables.entries.length.toLocaleString("en")} shown`;
  view.more.hidden = rest === 0;
  view.more.textContent = `Show ${Math.min(PAGE, rest)} more (${rest.toLocaleString("en")} left)`;
  if (view.metrics) view.heads.get("score").firstChild.textContent = state.metric;
  for (const [name, head] of view.heads)
    head.setAttribute("aria-sort", state.sort === name ? (state.down ? "descending" : "ascending") : "none");
}

function showMore() {
  const from = Math.min(state.shown, view.list.length);
  state.shown += PAGE;
  const added = view.list.slice(from, state.shown).map(caseRow);
  view.body.append(...added);
  const rest = view.list.length - Math.min(state.shown, view.list.length);
  view.more.hidden = rest === 0;
  view.more.textContent = `Show ${Math.min(PAGE, rest)} more (${rest.toLocaleString("en")} left)`;
  added[0]?.querySelector("a").focus();
}

function refilter() {
  state.shown = PAGE;
  draw();
}

function choice(name, label, counts, everything) {
  if (counts.size < 2) return null;
  const options = [...counts].map(([value, count]) =>
    el("option", { value }, `${WORDS[value] ?? value} (${count.toLocaleString("en")})`),
  );
  const select = el(
    "select",
    {
      id: `filter-${name}`,
      oninput: () => {
        state[name] = select.value;
        refilter();
      },
    },
    el("option", { value: "" }, everything),
    options,
  );
  return el("div", {}, el("label", { for: `filter-${name}` }, label), select);
}

function filters() {
  const search = el("input", { id: "filter-text", type: "search", autocomplete: "off", spellcheck: "false" });
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.text = search.value.toLowerCase();
      refilter();
    }, 120);
  });
  const ordered = new Map([...valuesOf("status")].sort(([a], [b]) => (SEVERITY[a] ?? 9) - (SEVERITY[b] ?? 9)));
  const differ = el("input", {
    id: "filter-differ",
    type: "checkbox",
    oninput: () => {
      state.differ = differ.checked;
      refilter();
    },
  });
  const metric = el(
    "select",
    {
      id: "filter-metric",
      oninput: () => {
        state.metric = metric.value;
        draw();
      },
    },
    Object.keys(doc.metrics).map((name) => el("option", { value: name, selected: name === state.metric }, name)),
  );
  return el(
    "form",
    { class: "filters", role: "search", "aria-label": "Filter the cases" },
    el(
      "div",
      { class: "search" },
      el("label", { for: "filter-text" }, "Search in ids, inputs, outputs and reasons"),
      search,
    ),
    choice("status", "Status", ordered, "all"),
    choice("variant", "Variant", valuesOf("variant"), "all"),
    choice("suite", "Suite", valuesOf("suite"), "all"),
    choice("agent", "Agent", valuesOf("agent"), "all"),
    choice("tag", "Tag", valuesOf("tags", tagsOf), "all"),
    view.metrics && el("div", {}, el("label", { for: "filter-metric" }, "Score shown"), metric),
    variants.length > 1 &&
      el("div", { class: "check" }, differ, el("label", { for: "filter-differ" }, "only where variants differ")),
  );
}

function head(name, label, attributes = {}) {
  const cell = el(
    "th",
    { scope: "col", ...attributes },
    el(
      "button",
      {
        type: "button",
        onclick: () => {
          state.down = state.sort === name ? !state.down : false;
          state.sort = name;
          refilter();
        },
      },
      label,
    ),
  );
  view.heads.set(name, cell);
  return cell;
}

function casesSection() {
  const names = Object.keys(doc.metrics);
  view.metrics = names.length > 0;
  view.suites = valuesOf("suite").size > 1;
  state.metric =
    names.find((name) => doc.metrics[name].kind === "judge") ??
    names.find((name) => doc.metrics[name].kind === "rubric") ??
    names[0] ??
    "";
  view.body = el("tbody", {});
  view.count = el("p", { class: "quiet", role: "status" });
  view.more = el("button", { type: "button", class: "more", onclick: showMore });
  view.panel = el("div", { class: "side", hidden: true, onkeydown: panelKeys });
  view.review = el(
    "div",
    { class: "review" },
    el(
      "div",
      { class: "list" },
      el(
        "table",
        { class: "cases" },
        el("caption", { class: "unseen-caption" }, "Cases by variant; open one by its name"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            head("status", "Status"),
            head("case_id", "Case"),
            variants.length > 1 && head("variant", "Variant"),
            view.suites && head("suite", "Suite", { class: "wide" }),
            view.metrics && head("score", "Score", { class: "number" }),
          ),
        ),
        view.body,
      ),
      view.more,
    ),
    view.panel,
  );
  const found = section("cases", "Cases", filters(), view.count, view.review);
  found.tabIndex = -1;
  draw();
  return found;
}

function openCase(entry) {
  location.hash = `case-${entry}`;
}

/** Show the case that the address names; the address changes on every opening, so that Back works and links hold. */
function followAddress() {
  const named = /^#case-(\d+)$/.exec(location.hash);
  const entry = named && Number(named[1]) < tables.entries.length ? Number(named[1]) : null;
  if (entry === null && location.hash !== "" && location.hash !== "#list") return;
  const before = state.open;
  state.open = entry;
  for (const row of view.body.children) row.classList.toggle("open", Number(row.dataset.entry) === entry);
  view.review.classList.toggle("with-panel", entry !== null);
  view.panel.hidden = entry === null;
  if (entry === null) {
    view.panel.replaceChildren();
    view.body.querySelector(`a[href="#case-${before}"]`)?.focus();
    return;
  }
  view.panel.replaceChildren(panel(entry, { previous: () => step(-1), next: () => step(1), close: closeCase }));
  view.panel.scrollTop = 0;
  const title = document.getElementById("panel-title");
  title.focus({ preventScroll: true });
  view.panel.scrollIntoView({ block: "start" });
}

function closeCase() {
  location.hash = "list";
}

function step(by) {
  const at = view.list.indexOf(state.open);
  const next = view.list[at === -1 ? 0 : at + by];
  if (next !== undefined) openCase(next);
}

function panelKeys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "Escape") closeCase();
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
}
