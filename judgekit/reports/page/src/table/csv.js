// Rows of cells in, the text of a CSV file out.

/** A cell that no spreadsheet takes for a formula, quoted where needed; numbers are left as they are. */
export function cell(value) {
  const plain = String(value ?? "");
  const isNumber = plain !== "" && Number.isFinite(Number(plain));
  // As judgekit.reports.csv_tables.neutral, whose `recover` reads it back: of several apostrophes one is ours.
  const text = !isNumber && /^'*[=+\-@\t\r\n＝＋－＠]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(header, rows) {
  return [header, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Rows of a CSV text as lists of cells; quoted cells may hold commas, quotes and line ends. */
export function parsed(text) {
  const rows = [];
  let row = [];
  let found = "";
  let quoted = false;
  const source = text.replace(/^\ufeff/, "");
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (quoted) {
      if (character !== '"') found += character;
      else if (source[at + 1] === '"') {
        found += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && found === "") quoted = true;
    else if (character === ",") {
      row.push(found);
      found = "";
    } else if (character === "\n" || character === "\r") {
      if (character === "\r" && source[at + 1] === "\n") at += 1;
      row.push(found);
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
      found = "";
    } else found += character;
  }
  if (found !== "" || row.length > 0) rows.push([...row, found]);
  return rows;
}
