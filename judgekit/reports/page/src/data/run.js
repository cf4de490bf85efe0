// The document of a run in, questions about its cases answered.

import { Groups, Table } from "./table.js";

export const GOOD = new Set(["pass", "negative_ok"]);
/** What a reader came for comes first. */
export const SEVERITY = { fail: 0, error: 1, unscored: 2, pass: 3, scored: 4, negative_ok: 5, skipped: 6 };

const nothing = Object.freeze({ status: null, score: null, cause: null });

export class Run {
  #changed = null;

  constructor(doc, texts) {
    this.doc = doc;
    this.texts = texts;
    for (const name of ["entries", "outputs", "results", "verdicts"])
      this[name] = new Table(doc.tables[name], texts);
    this.outputsOf = new Groups(this.outputs, "entry", this.entries.length);
    this.resultsOf = new Groups(this.results, "output", this.outputs.length);
    this.verdictsOf = new Groups(this.verdicts, "output", this.outputs.length);
    this.byCase = new Map();
    for (let entry = 0; entry < this.entries.length; entry += 1) {
      const id = this.entries.get(entry, "case_id");
      if (!this.byCase.has(id)) this.byCase.set(id, []);
      this.byCase.get(id).push(entry);
    }
    this.variants = [...this.valuesOf("variant").keys()];
    this.metrics = Object.keys(doc.metrics);
  }

  /** The entry of a case and variant; without the variant the first of the case; null if there is none. */
  entryOf(caseId, variant) {
    const found = this.byCase.get(caseId) ?? [];
    if (variant) return found.find((entry) => this.entries.get(entry, "variant") === variant) ?? null;
    return found[0] ?? null;
  }

  /** How often each value stands in a column of entries, in order of appearance; lists are joined by `;`. */
  valuesOf(column) {
    const seen = new Map();
    for (let entry = 0; entry < this.entries.length; entry += 1) {
      const value = this.entries.get(entry, column);
      for (const one of column === "tags" ? (value ?? "").split(";") : [value])
        if (one) seen.set(one, (seen.get(one) ?? 0) + 1);
    }
    return seen;
  }

  /** Every cause of an entry: of the whole, and of each result without a score. */
  causesOf(entry) {
    const found = new Set([this.entries.get(entry, "cause")]);
    for (const output of this.outputsOf.of(entry))
      for (const row of this.resultsOf.of(output)) found.add(this.results.get(row, "cause"));
    found.delete(null);
    found.delete("");
    return found;
  }

  /** Status and mean score of one metric of an entry, over its trials and judges: the worst status counts. */
  cell(entry, metric) {
    let worst = null;
    let cause = null;
    let sum = 0;
    let n = 0;
    for (const output of this.outputsOf.of(entry)) {
      for (const row of this.resultsOf.of(output)) {
        if (this.results.get(row, "metric") !== metric) continue;
        const status = this.results.get(row, "status");
        if (worst === null || SEVERITY[status] < SEVERITY[worst]) {
          worst = status;
          cause = this.results.get(row, "cause");
        }
        const score = this.results.raw(row, "score");
        if (score !== null) {
          sum += score;
          n += 1;
        }
      }
    }
    return worst === null ? nothing : { status: worst, score: n === 0 ? null : sum / n, cause };
  }

  /** The first reason that a metric gives for an entry; empty if it gives none. */
  reasonOf(entry, metric) {
    for (const output of this.outputsOf.of(entry)) {
      for (const row of this.resultsOf.of(output)) {
        const reason = this.results.get(row, "metric") === metric && this.results.get(row, "reason");
        if (reason) return reason;
      }
    }
    return "";
  }

  /** The entry of the same case under the reference variant of its suite; null for the reference itself. */
  referenceOf(entry) {
    const against = this.doc.against[this.entries.get(entry, "suite")];
    if (against === undefined || against === this.entries.get(entry, "variant")) return null;
    return this.entryOf(this.entries.get(entry, "case_id"), against);
  }

  /** Whether the variants of a case ended differently. */
  differs(entry) {
    const others = this.byCase.get(this.entries.get(entry, "case_id"));
    return others.some((one) => this.entries.raw(one, "status") !== this.entries.raw(entry, "status"));
  }

  /** Where an entry is worse than the reference: the case, or a metric that both have a result for. */
  worseThanReference(entry) {
    const reference = this.referenceOf(entry);
    if (reference === null) return [];
    const found = [];
    const [mine, theirs] = [reference, entry].map((one) => this.entries.get(one, "status")).reverse();
    if (GOOD.has(theirs) && mine === "fail") found.push("case");
    for (const metric of this.metrics) {
      const here = this.cell(entry, metric);
      const there = this.cell(reference, metric);
      if (here.score !== null && there.score !== null && here.score < there.score) found.push(metric);
      else if (this.losesPair(entry, metric)) found.push(metric);
    }
    return found;
  }

  /** Whether a judge found the output worse than that of the reference variant when it saw both. */
  losesPair(entry, metric) {
    const against = this.doc.against[this.entries.get(entry, "suite")];
    for (const output of this.outputsOf.of(entry))
      for (const row of this.resultsOf.of(output)) {
        const score = this.results.raw(row, "score");
        if (this.results.get(row, "metric") === metric && this.results.get(row, "against") === against && score !== null && score < 0.5)
          return true;
      }
    return false;
  }

  /** What became of the case since the earlier run (`failing`, `fixed`, `changed`); null where it stayed as it was. */
  sinceLast(entry) {
    this.#changed ??= changedSince(this.doc.summary.since);
    const key = `${this.entries.get(entry, "case_id")}\u0000${this.entries.get(entry, "variant")}`;
    return this.#changed.get(key) ?? null;
  }

  /** The variant whose output a judge was shown first in a pair; null for a verdict of a single output. */
  shownFirst(verdict) {
    const order = this.verdicts.get(verdict, "order");
    if (!order) return null;
    if (order === "second") return this.verdicts.get(verdict, "against");
    return this.entries.get(this.outputs.raw(this.verdicts.raw(verdict, "output"), "entry"), "variant");
  }

  /** Characters of the whole text, if the page holds only its beginning; else 0. */
  wholeLength(table, row, name) {
    return this.doc.cut[table.raw(row, name)] ?? 0;
  }
}

const KINDS = { "newly failing": "failing", fixed: "fixed" };

/** What became of cases since an earlier run, by case and variant: flips, and cases that ask something else now. */
export function changedSince(since) {
  const found = new Map();
  for (const one of since?.definitions_changed ?? []) found.set(`${one.case_id}\u0000${one.variant}`, "changed");
  for (const one of since?.flips ?? []) found.set(`${one.case_id}\u0000${one.variant}`, KINDS[one.kind]);
  return found;
}
