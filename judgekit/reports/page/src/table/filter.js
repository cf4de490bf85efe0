// Entries and the state of the page in, the entries that it asks for, in order, out.

import { SEVERITY } from "../data/run.js";

/** Finds entries by words in ids, inputs, outputs and reasons; each text is looked through once for a query. */
export class Search {
  #run;
  #lower = [];

  constructor(run) {
    this.#run = run;
  }

  /** Whether an entry holds the query; texts that are not unpacked yet count as not holding it. */
  matcher(query) {
    const wanted = query.toLowerCase();
    const hits = new Map();
    const { entries, outputs, results, verdicts, outputsOf, resultsOf, verdictsOf } = this.#run;
    const holds = (table, row, name) => {
      const cell = table.raw(row, name);
      if (cell === null) return false;
      return Array.isArray(cell) ? cell.some(hit) : hit(cell);
    };
    const hit = (position) => {
      let found = hits.get(position);
      if (found === undefined) {
        const text = this.#lowered(position);
        found = text !== undefined && text.includes(wanted);
        if (text !== undefined) hits.set(position, found);
      }
      return found;
    };
    return (entry) => {
      if (["case_id", "name", "description", "reason", "tags"].some((name) => holds(entries, entry, name))) return true;
      for (const output of outputsOf.of(entry)) {
        if (["input", "output", "reference", "context", "tool_calls", "message"].some((one) => holds(outputs, output, one)))
          return true;
        for (const row of resultsOf.of(output))
          if (holds(results, row, "reason") || holds(results, row, "metric")) return true;
        for (const row of verdictsOf.of(output)) if (holds(verdicts, row, "reason")) return true;
      }
      return false;
    };
  }

  #lowered(position) {
    if (this.#lower[position] === undefined) this.#lower[position] = this.#run.texts.peek(position)?.toLowerCase();
    return this.#lower[position];
  }
}

/** Entries that the filters let through. */
export function filtered(run, search, state) {
  const tests = [];
  const { entries } = run;
  for (const name of ["status", "variant", "suite", "agent"])
    if (state[name]) tests.push((entry) => entries.get(entry, name) === state[name]);
  if (state.tag) tests.push((entry) => (entries.get(entry, "tags") ?? "").split(";").includes(state.tag));
  if (state.differ) tests.push((entry) => run.differs(entry));
  if (state.worse) tests.push((entry) => run.worseThanReference(entry).length > 0);
  if (state.changed) {
    tests.push((entry) => {
      const kind = run.sinceLast(entry);
      return state.changed === "any" ? kind !== null : kind === state.changed;
    });
  }
  if (state.cause) tests.push((entry) => run.causesOf(entry).has(state.cause));
  if (state.metric && (state.result || state.low !== "" || state.high !== "")) {
    const low = state.low === "" ? -Infinity : Number(state.low);
    const high = state.high === "" ? Infinity : Number(state.high);
    tests.push((entry) => {
      const { status, score } = run.cell(entry, state.metric);
      if (status === null) return false;
      if (state.result === "without" ? score !== null : state.result && status !== state.result) return false;
      return (low === -Infinity && high === Infinity) || (score !== null && score >= low && score <= high);
    });
  }
  if (state.q) tests.push(search.matcher(state.q));
  const found = [];
  for (let entry = 0; entry < entries.length; entry += 1) if (tests.every((test) => test(entry))) found.push(entry);
  return found;
}

const names = new Intl.Collator("en", { numeric: true });

/** The entries in the order of a column; `-NAME` turns it round. Entries without a value come last either way. */
export function sorted(found, keyOf, sort) {
  const sign = sort.startsWith("-") ? -1 : 1;
  const keys = new Map(found.map((entry) => [entry, keyOf(entry)]));
  return [...found].sort((a, b) => {
    const [left, right] = [keys.get(a), keys.get(b)];
    if (left === right) return a - b;
    if (left === null) return 1;
    if (right === null) return -1;
    return sign * (typeof left === "number" ? left - right : names.compare(left, right)) || a - b;
  });
}

export function severity(status) {
  return SEVERITY[status] ?? 9;
}
