// Columns of a document in, a table that can be asked for a cell out.

export class Table {
  #columns;
  #texts;

  constructor({ rows, columns }, texts) {
    this.length = rows;
    this.#columns = columns;
    this.#texts = texts;
  }

  has(name) {
    return name in this.#columns;
  }

  /** The cell as it stands: a value, a position in the texts, or a list of positions. */
  raw(row, name) {
    const column = this.#columns[name];
    if (column === undefined) return null;
    return "all" in column ? column.all : column.cells[row];
  }

  /** The cell as a value, a text or a list of texts; null where there is nothing, undefined while it is unpacked. */
  get(row, name) {
    const cell = this.raw(row, name);
    if (cell === null) return null;
    const { kind } = this.#columns[name];
    if (kind === "text") return this.#texts.peek(cell);
    if (kind !== "list") return cell;
    const found = cell.map((position) => this.#texts.peek(position));
    return found.includes(undefined) ? undefined : found;
  }
}

/** Rows grouped by the row of another table that they point at; `of(target)` gives those of one. */
export class Groups {
  #starts;
  #rows;

  constructor(table, column, size) {
    const starts = new Int32Array(size + 1);
    for (let row = 0; row < table.length; row += 1) {
      const target = table.raw(row, column);
      if (target !== null) starts[target + 1] += 1;
    }
    for (let target = 0; target < size; target += 1) starts[target + 1] += starts[target];
    const next = starts.slice();
    this.#rows = new Int32Array(starts[size]);
    for (let row = 0; row < table.length; row += 1) {
      const target = table.raw(row, column);
      if (target !== null) this.#rows[next[target]++] = row;
    }
    this.#starts = starts;
  }

  of(target) {
    return this.#rows.subarray(this.#starts[target], this.#starts[target + 1]);
  }
}
