// The fragment of the address in, what the page shows out, and back: a link holds filters, columns and the open case.

/** Everything that an address can say, with what it means to say nothing. */
export const PLAIN = Object.freeze({
  view: "overview",
  case: "",
  of: "",
  trial: "",
  beside: "",
  q: "",
  status: "",
  variant: "",
  suite: "",
  agent: "",
  tag: "",
  cause: "",
  metric: "",
  result: "",
  low: "",
  high: "",
  differ: false,
  worse: false,
  changed: "",
  sort: "status",
  columns: "",
  text: "",
});

export const FILTERS = Object.freeze([
  "q",
  "status",
  "variant",
  "suite",
  "agent",
  "tag",
  "cause",
  "metric",
  "result",
  "low",
  "high",
  "differ",
  "worse",
  "changed",
]);

/** What to start a new choice of cases from. */
export const noFilters = Object.freeze({ ...Object.fromEntries(FILTERS.map((name) => [name, PLAIN[name]])), case: "", of: "" });

const VIEWS = ["overview", "cases", "rate"];

export function parse(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { ...PLAIN };
  for (const [name, plain] of Object.entries(PLAIN)) {
    const value = given.get(name);
    if (value !== null) state[name] = typeof plain === "boolean" ? value === "1" : value;
  }
  for (const view of VIEWS) if (given.get(view) === "") state.view = view;
  if (state.case && !given.has("rate")) state.view = "case";
  return state;
}

export function format(state) {
  const said = new URLSearchParams();
  for (const [name, plain] of Object.entries(PLAIN)) {
    if (name === "view" || state[name] === plain || state[name] === undefined) continue;
    if (state.view !== "case" && state.view !== "rate" && ["case", "of", "trial", "beside"].includes(name)) continue;
    said.set(name, state[name] === true ? "1" : state[name]);
  }
  const rest = said.toString();
  // The name of a view stands alone and first: `#cases&status=fail` reads as what it is.
  if (state.view === "case") return `#${rest}`;
  return `#${state.view}${rest && "&"}${rest}`;
}

export function isFiltered(state) {
  return FILTERS.some((name) => state[name] !== PLAIN[name]);
}
