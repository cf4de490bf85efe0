// A text in, how it is best read out.

import { showsAll } from "./markdown.js";

const MARKDOWN = /^(#{1,6} |[-*+] |\d+[.)] |> |```|\|.*\|)|\*\*[^*\n]+\*\*|`[^`\n]+`/m;
/** Laid out beyond this a browser is slow, and nobody reads on. */
export const MOST_LAID_OUT = 200_000;

/** JSON laid out for reading; null if the text is none. */
export function laidOut(text) {
  const start = text.trimStart()[0];
  if (text.length > MOST_LAID_OUT || (start !== "{" && start !== "[")) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** The ways to read a text, the best one first: `json`, `markdown`, `plain`. */
export function waysToRead(text) {
  if (laidOut(text) !== null) return ["json", "plain"];
  if (text.length > MOST_LAID_OUT || !showsAll(text)) return ["plain"];
  return MARKDOWN.test(text) ? ["markdown", "plain"] : ["plain", "markdown"];
}
