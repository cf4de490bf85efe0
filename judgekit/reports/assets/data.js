// The document embedded in the page in, tables that can be asked for a cell out.
// Its layout is described in judgekit/reports/document.py.
"use strict";

const doc = JSON.parse(document.getElementById("data").textContent);

class Table {
  constructor(raw) {
    this.length = raw.rows;
    this.columns = raw.columns;
  }

  /** The cell as it stands: a value, a position in the texts, or a list of positions. */
  raw(row, name) {
    const column = this.columns[name];
    return "all" in column ? column.all : column.cells[row];
  }

  /** The cell as a value, a text or a list of texts; null where there is nothing. */
  get(row, name) {
    const cell = this.raw(row, name);
    if (cell === null) return null;
    const { kind } = this.columns[name];
    if (kind === "text") return doc.texts[cell];
    if (kind === "list") return cell.map((position) => doc.texts[position]);
    return cell;
  }

  /** Characters of the whole text, if the page holds only its beginning; else 0. */
  wholeLength(row, name) {
    return doc.cut[this.raw(row, name)] ?? 0;
  }
}

const tables = {
  entries: new Table(doc.tables.entries),
  outputs: new Table(doc.tables.outputs),
  results: new Table(doc.tables.results),
  verdicts: new Table(doc.tables.verdicts),
};

/** For each row of the table that is pointed at: the rows that point at it. */
function groupedBy(table, column, size) {
  const groups = Array.from({ length: size }, () => []);
  for (let row = 0; row < table.length; row += 1) {
    const target = table.raw(row, column);
    if (target !== null) groups[target].push(row);
  }
  return groups;
}

const outputsOf = groupedBy(tables.outputs, "entry", tables.entries.length);
const resultsOf = groupedBy(tables.results, "output", tables.outputs.length);
const verdictsOf = groupedBy(tables.verdicts, "output", tables.outputs.length);

const entriesOfCase = new Map();
for (let entry = 0; entry < tables.entries.length; entry += 1) {
  const id = tables.entries.get(entry, "case_id");
  if (!entriesOfCase.has(id)) entriesOfCase.set(id, []);
  entriesOfCase.get(id).push(entry);
}

function entryOf(caseId, variant) {
  const found = entriesOfCase.get(caseId) ?? [];
  return found.find((entry) => tables.entries.get(entry, "variant") === variant) ?? found[0];
}

/** The different values of a column of entries, in order of appearance. */
function valuesOf(column, split = (text) => [text]) {
  const seen = new Map();
  for (let entry = 0; entry < tables.entries.length; entry += 1) {
    for (const value of split(tables.entries.get(entry, column))) {
      if (value) seen.set(value, (seen.get(value) ?? 0) + 1);
    }
  }
  return seen;
}

const variants = [...valuesOf("variant").keys()];

/** Up to four decimals, and more where rounding would contradict the comparison with a threshold. */
function figure(value, against = null) {
  if (value === null || value === undefined) return "–";
  for (let digits = 4; digits <= 17; digits += 1) {
    const shown = value.toFixed(digits);
    const rounded = Number(shown);
    const kept = rounded !== 0 || value === 0;
    if (kept && (against === null || Math.sign(rounded - against) === Math.sign(value - against))) {
      return shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown;
    }
  }
  return String(value);
}

/** A rate with its counts; 100 % and 0 % are said only of all and none. */
function share(part, whole) {
  return `${whole ? percent(part / whole) : "–"} (${part} of ${whole})`;
}

function percent(rate) {
  let tenths = Math.round(1000 * rate);
  if (rate < 1) tenths = Math.min(tenths, 999);
  if (rate > 0) tenths = Math.max(tenths, 1);
  return `${tenths / 10}%`;
}

function usd(value) {
  if (value === null || value === undefined) return "unknown";
  return value === 0 || value >= 1 ? `$${value.toFixed(2)}` : `$${Number(value.toPrecision(3))}`;
}

function seconds(value) {
  return value === null ? null : `${Number(value.toPrecision(3))} s`;
}
