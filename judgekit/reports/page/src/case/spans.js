// A text and the places that results speak of in, pieces to be marked out.

/** Offsets in Unicode characters as offsets in UTF-16 units. */
export function inUnits(text, offsets) {
  if (!/[\ud800-\udbff]/.test(text)) return offsets;
  const units = [];
  let unit = 0;
  for (const character of text) {
    units.push(unit);
    unit += character.length;
  }
  units.push(unit);
  return offsets.map((offset) => units[Math.min(offset, units.length - 1)]);
}

/**
 * The text in pieces, each with the names of the spans that cover it.
 *
 * @param {string} text
 * @param {{name: string, offsets: number[]}[]} spans starts and ends in Unicode characters
 * @returns {{text: string, names: string[]}[]}
 */
export function pieces(text, spans) {
  const changes = new Map([[0, []], [text.length, []]]);
  const change = (at, name, by) => {
    if (!changes.has(at)) changes.set(at, []);
    changes.get(at).push([name, by]);
  };
  for (const { name, offsets } of spans) {
    const placed = inUnits(text, offsets);
    for (let at = 0; at + 1 < placed.length; at += 2) {
      const from = Math.min(placed[at], text.length);
      const to = Math.min(placed[at + 1], text.length);
      if (from >= to) continue;
      change(from, name, 1);
      change(to, name, -1);
    }
  }
  const open = new Map();
  const edges = [...changes.keys()].sort((a, b) => a - b);
  const found = [];
  for (let at = 0; at + 1 < edges.length; at += 1) {
    for (const [name, by] of changes.get(edges[at])) open.set(name, (open.get(name) ?? 0) + by);
    const names = [...open].filter(([, n]) => n > 0).map(([name]) => name);
    found.push({ text: text.slice(edges[at], edges[at + 1]), names });
  }
  return found;
}
