// Two texts, or a unified diff, in; rows of two sides with changed words marked out.

import { diffArrays, diffWordsWithSpace } from "diff";

/** Longer than this a comparison is given up: the page has to answer. */
const TIMEOUT_MS = 400;
const MOST_CHARACTERS = 60_000;
/** Characters of a word that two changes may have between them and still be read as one. */
const SHORT = 5;

/**
 * What two texts share and where they part, by words.
 *
 * @returns {{left: Part[], right: Part[]}|null} parts {text, changed} of each side; null if that would take too long
 */
export function wordDiff(left, right) {
  if (left === right) return { left: [{ text: left, changed: false }], right: [{ text: right, changed: false }] };
  if (left.length + right.length > MOST_CHARACTERS) return null;
  const parts = diffed(left, right);
  if (parts === null) return null;
  const side = (drop) =>
    parts.filter((part) => part.kind !== drop).map(({ text, kind }) => ({ text, changed: kind !== "same" }));
  return { left: side("added"), right: side("removed") };
}

/** Parts that both share, or that stand on one side only; a word or blank between two changes is a part of them. */
function diffed(left, right) {
  const parts = diffWordsWithSpace(left, right, { timeout: TIMEOUT_MS });
  if (parts === undefined) return null;
  const found = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) found.push({ text: removed, kind: "removed" });
    if (added) found.push({ text: added, kind: "added" });
    removed = added = "";
  };
  parts.forEach(({ value, added: isNew, removed: isGone }, at) => {
    const isChange = (part) => part !== undefined && (part.added || part.removed);
    if (isNew) added += value;
    else if (isGone) removed += value;
    else if ((removed || added) && value.trim().length < SHORT && !value.includes("\n") && isChange(parts[at + 1])) {
      removed += value;
      added += value;
    } else {
      flush();
      found.push({ text: value, kind: "same" });
    }
  });
  flush();
  return found;
}

/** As parts of one text: what is gone, what is new, what stayed. */
export function unifiedWords(left, right) {
  return left.length + right.length > MOST_CHARACTERS ? null : diffed(left, right);
}

/**
 * Lines of two sides beside each other.
 *
 * @param {string} text a unified diff
 * @returns {{kind: "same"|"changed"|"hunk", left: string|null, right: string|null, at?: [number, number]}[]}
 */
export function sideBySide(text) {
  const rows = [];
  let removed = [];
  let added = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ kind: "changed", left: removed[at] ?? null, right: added[at] ?? null });
    removed = [];
    added = [];
  };
  let inHunk = false;
  for (const line of text.split("\n")) {
    if (!inHunk && /^(---|\+\+\+) /.test(line)) continue;
    if (line.startsWith("@@") || line === "…") {
      flush();
      inHunk = true;
      rows.push({ kind: "hunk", left: line, right: line });
    } else if (line.startsWith("-")) removed.push(line.slice(1));
    else if (line.startsWith("+")) added.push(line.slice(1));
    else if (line !== "" || inHunk) {
      flush();
      rows.push({ kind: "same", left: line.slice(1), right: line.slice(1) });
    }
  }
  flush();
  return rows;
}

/** Lines of two texts beside each other, for texts too long to be compared by words. */
export function lineRows(left, right) {
  const parts = diffArrays(left.split("\n"), right.split("\n"), { timeout: TIMEOUT_MS });
  if (parts === undefined) return null;
  const rows = [];
  let removed = [];
  const flush = (added) => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ kind: "changed", left: removed[at] ?? null, right: added[at] ?? null });
    removed = [];
  };
  for (const part of parts) {
    if (part.removed) removed = part.value;
    else if (part.added) flush(part.value);
    else {
      flush([]);
      for (const line of part.value) rows.push({ kind: "same", left: line, right: line });
    }
  }
  flush([]);
  return rows;
}
