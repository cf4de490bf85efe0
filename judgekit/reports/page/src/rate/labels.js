// Ratings in, the label format of `judgekit calibrate` out, and back.

import { csv, parsed } from "../table/csv.js";

export const COLUMNS = [
  "run_id",
  "case_id",
  "variant",
  "against",
  "trial",
  "rubric",
  "output_hash",
  "label",
  "score",
  "comment",
  "annotator",
  "sampling",
  "blind",
];

/** What a rating is of, and whose it is: a second one of the same takes the place of the first. */
export function keyOf(label) {
  return JSON.stringify([label.case_id, label.variant, label.against, String(label.trial), label.rubric, label.annotator]);
}

export function written(labels) {
  return csv(COLUMNS, labels.map((label) => COLUMNS.map((name) => label[name] ?? "")));
}

/**
 * Ratings from a CSV text, and what can't be used of it.
 *
 * @param {string} text
 * @param {string} runId
 * @param {(label: object) => string|null} hashOf hash of the output that a rating is of; null if the run has none such
 * @returns {{labels: object[], problems: string[]}}
 */
export function read(text, runId, hashOf) {
  const [header = [], ...rows] = parsed(text);
  const missing = ["case_id", "rubric", "output_hash"].filter((name) => !header.includes(name));
  if (!header.includes("label") && !header.includes("score")) missing.push("label or score");
  if (missing.length > 0) return { labels: [], problems: [`This is no file of ratings: it has no column ${missing.join(", ")}.`] };
  const labels = [];
  const problems = [];
  rows.forEach((cells, number) => {
    const label = Object.fromEntries(COLUMNS.map((name) => [name, recovered(cells[header.indexOf(name)] ?? "")]));
    label.trial = Number(label.trial || 0);
    label.run_id ||= runId;
    label.sampling ||= "chosen";
    label.blind ||= "false";
    const place = `Row ${number + 2} (${label.case_id})`;
    const hash = hashOf(label);
    if (cells.length !== header.length) problems.push(`${place}: has ${cells.length} cells, the header ${header.length}.`);
    else if (label.run_id !== runId) problems.push(`${place}: is of run ${label.run_id}, not of this one.`);
    else if (hash === null) problems.push(`${place}: this run has no such output.`);
    else if (hash !== label.output_hash) problems.push(`${place}: the output has changed since it was rated.`);
    else if (label.label === "" && label.score === "") problems.push(`${place}: has neither label nor score.`);
    else labels.push(label);
  });
  return { labels, problems };
}

/** A cell without the apostrophe that keeps spreadsheets from calculating. */
function recovered(cell) {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
