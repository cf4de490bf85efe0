// What the table can show of an entry: per column a title, a text for CSV, and a key to sort by.

import { figure, seconds, usd } from "../data/figures.js";
import { severity } from "./filter.js";

/** All columns of a run, in order. `kind` says how a cell is drawn: status, case, text, number, metric. */
export function columnsOf(run) {
  const { entries, outputs } = run;
  const field = (name, title, more = {}) => ({
    name,
    title,
    kind: "text",
    text: (entry) => entries.get(entry, name) ?? "",
    key: (entry) => entries.get(entry, name) || null,
    ...more,
  });
  const summed = (name, title, write) => {
    const sum = (entry) => {
      let total = null;
      for (const output of run.outputsOf.of(entry)) {
        const value = outputs.raw(output, name);
        if (value !== null) total = (total ?? 0) + value;
      }
      return total;
    };
    return { name, title, kind: "number", text: (entry) => String(sum(entry) ?? ""), show: (entry) => write(sum(entry)), key: sum };
  };
  const known = (name) => (column) => (run.valuesOf(name).size > 0 ? [column] : []);
  return [
    field("status", "Status", { kind: "status", key: (entry) => severity(entries.get(entry, "status")) }),
    field("case_id", "Case", { kind: "case" }),
    field("variant", "Variant"),
    ...known("suite")(field("suite", "Suite")),
    ...known("agent")(field("agent", "Agent")),
    ...known("tags")(field("tags", "Tags")),
    field("reason", "Reason"),
    {
      name: "output",
      title: "Output",
      kind: "text",
      text: (entry) => outputText(run, entry) ?? "",
      key: (entry) => outputText(run, entry) || null,
    },
    ...run.metrics.map((metric) => ({
      name: `metric:${metric}`,
      title: metric,
      kind: "metric",
      metric,
      text: (entry) => {
        const { status, score } = run.cell(entry, metric);
        return score === null ? (status ?? "") : String(score);
      },
      show: (entry) => figure(run.cell(entry, metric).score),
      key: (entry) => run.cell(entry, metric).score,
    })),
    summed("cost_usd", "Cost", (value) => (value === null ? "" : usd(value))),
    summed("latency_s", "Latency", (value) => seconds(value) ?? ""),
    summed("input_tokens", "Tokens in", (value) => (value === null ? "" : value.toLocaleString("en"))),
    summed("output_tokens", "Tokens out", (value) => (value === null ? "" : value.toLocaleString("en"))),
  ];
}

/** The output that the standing of an entry speaks of: of its first trial with that status. */
export function outputText(run, entry) {
  const rows = run.outputsOf.of(entry);
  const status = run.entries.get(entry, "status");
  const row = [...rows].find((one) => run.outputs.get(one, "status") === status) ?? rows[0];
  return run.outputs.get(row, "output");
}

/** Names of the columns that are shown: as chosen, else what tells these cases apart, with the judged scores. */
export function chosenColumns(run, columns, state) {
  const all = columns.map((column) => column.name);
  if (state.columns) {
    const wanted = new Set(state.columns.split(",").map(decodeURIComponent));
    return all.filter((name) => wanted.has(name) || name === "case_id");
  }
  const judged = run.metrics.filter((name) => run.doc.metrics[name].kind !== "check" && !name.includes("."));
  const scores = state.metric ? [state.metric] : judged.filter((name) => run.doc.metrics[name].kind === "judge").slice(0, 2);
  return all.filter(
    (name) =>
      name === "status" ||
      name === "case_id" ||
      (name === "variant" && run.variants.length > 1) ||
      (name === "suite" && run.valuesOf("suite").size > 1) ||
      scores.some((metric) => name === `metric:${metric}`),
  );
}

export function writtenColumns(names) {
  return names.map(encodeURIComponent).join(",");
}
