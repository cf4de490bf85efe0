// A small run for the tests: two variants of two cases, one check and one judged rubric.

import { Run } from "../src/data/run.js";

class Given {
  constructor(texts) {
    this.texts = texts;
    this.version = 1;
    this.complete = true;
  }
  peek(position) {
    return this.texts[position];
  }
}

/** A run from rows with plain values. */
export function runOf({ entries, outputs, results, verdicts = [], metrics = {}, against = {}, summary = {}, cut = {} }) {
  const texts = [];
  // As in a document: equal texts share one position.
  const placed = (text) => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const table = (rows) => {
    const columns = {};
    for (const name of new Set(rows.flatMap(Object.keys))) {
      const cells = rows.map((row) => row[name] ?? null);
      const isText = cells.some((cell) => typeof cell === "string");
      columns[name] = {
        kind: isText ? "text" : "value",
        cells: cells.map((cell) => (typeof cell === "string" ? placed(cell) : cell)),
      };
    }
    return { rows: rows.length, columns };
  };
  const tables = { entries: table(entries), outputs: table(outputs), results: table(results), verdicts: table(verdicts) };
  return new Run({ tables, metrics, against, summary, cut, run: { run_id: "r1" }, labels: [] }, new Given(texts));
}

export function smallRun() {
  const cases = ["late-parcel", "q1-report"];
  const entries = cases.flatMap((case_id) =>
    ["v1", "v2"].map((variant) => ({
      case_id,
      variant,
      suite: "desk",
      tags: case_id === "q1-report" ? "finance;q1" : "",
      status: case_id === "late-parcel" && variant === "v2" ? "fail" : "pass",
      reason: case_id === "late-parcel" && variant === "v2" ? "contains: deadline is missing" : "",
    })),
  );
  const outputs = entries.map((one, entry) => ({ entry, trial: 0, status: one.status, input: "Hello", output: `Answer ${one.variant} of ${one.case_id}`, hash: `h${entry}`, cost_usd: 0.01 }));
  const results = outputs.flatMap((one, output) => [
    { output, kind: "check", metric: "contains", status: one.status, score: one.status === "fail" ? 0 : 1, passed: one.status === "pass" },
    { output, kind: "judge", metric: "helpfulness", status: output === 1 ? "skipped" : "scored", cause: output === 1 ? "check:contains" : null, score: output === 1 ? null : output + 1 },
  ]);
  return runOf({
    entries,
    outputs,
    results,
    metrics: { contains: { kind: "check", scale_min: 0, scale_max: 1 }, helpfulness: { kind: "judge", scale_min: 1, scale_max: 5 } },
    against: { desk: "v1" },
  });
}
