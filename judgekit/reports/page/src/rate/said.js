// Ratings and the run in, pairs of what a person and the judge said out.

import { asPassed } from "./agreement.js";

/** Rows of judges by what they judged; a key as `placeOf` makes it. */
export function judgments(run, rubric) {
  const found = new Map();
  const { results, outputs, entries } = run;
  for (let row = 0; row < results.length; row += 1) {
    if (results.get(row, "kind") !== "judge" || results.get(row, "metric") !== rubric) continue;
    const output = results.raw(row, "output");
    if (output === null) continue;
    const entry = outputs.raw(output, "entry");
    const key = placeOf({
      case_id: entries.get(entry, "case_id"),
      variant: entries.get(entry, "variant"),
      against: results.get(row, "against") ?? "",
      trial: outputs.raw(output, "trial"),
    });
    // What a panel says together is what decides.
    if (!found.has(key) || results.get(row, "judge") === "panel") found.set(key, row);
  }
  return found;
}

export function placeOf({ case_id, variant, against, trial }) {
  return JSON.stringify([case_id, variant, against ?? "", Number(trial ?? 0)]);
}

/**
 * What ratings of one rubric and the judge say of the same outputs.
 *
 * @returns {{labels: [string, string][], scores: [number, number][], unmatched: number}} `unmatched`: ratings that
 *   the judge has no verdict in the same terms for
 */
export function pairsOf(run, rubric, labels) {
  const rows = judgments(run, rubric);
  const { results } = run;
  const found = { labels: [], scores: [], unmatched: 0 };
  for (const label of labels) {
    if (label.rubric !== rubric) continue;
    const row = rows.get(placeOf(label));
    const judge = row === undefined ? null : { label: results.get(row, "label"), score: results.raw(row, "score"), passed: results.raw(row, "passed") };
    const passed = asPassed(label.label);
    if (judge === null) found.unmatched += 1;
    else if (label.score !== "" && label.score !== undefined && label.score !== null && judge.score !== null)
      found.scores.push([Number(label.score), judge.score]);
    else if (label.label && judge.label && passed === null) found.labels.push([label.label, judge.label]);
    else if (passed !== null && judge.passed !== null) found.labels.push([passed ? "pass" : "fail", judge.passed ? "pass" : "fail"]);
    else found.unmatched += 1;
  }
  return found;
}
