// Markdown in, a tree of a few harmless elements out. Nothing of the source becomes markup: HTML in it stays text,
// images and links are shown with their address and lead nowhere.

import markdownit from "markdown-it";

const reader = markdownit({ html: false, linkify: false, typographer: false });
// Definitions of references are not shown by Markdown: as a comment they would hide words from whoever reviews.
reader.disable("reference");

const ELEMENTS = {
  paragraph: "p",
  blockquote: "blockquote",
  bullet_list: "ul",
  ordered_list: "ol",
  list_item: "li",
  strong: "strong",
  em: "em",
  s: "s",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
};
/** Deeper than this the rest is left as text: a browser has no endless stack. */
const DEEPEST = 60;

/**
 * The Markdown as nodes: a text, or {tag, attributes, children} with tags from a short list.
 *
 * @param {string} source
 */
export function nodes(source) {
  const root = { tag: "div", attributes: {}, children: [] };
  walk(reader.parse(source, {}), [root]);
  return root.children;
}

/**
 * Whether every word of the source can be read in its tree. Markdown drops what is nested too deeply, and cells that a
 * table has no column for; a verdict must not rest on words that nobody sees.
 *
 * @param {string} source
 */
export function showsAll(source) {
  const seen = nodes(source).map(plain).join("\n");
  const known = new Set(words(seen));
  return words(source).every((word) => known.has(word) || seen.includes(word));
}

const words = (text) => text.match(/\p{L}{2,}/gu) ?? [];

function walk(tokens, stack) {
  const top = () => stack[stack.length - 1];
  const add = (tag, attributes, ...children) => top().children.push({ tag, attributes, children });
  for (const token of tokens) {
    const name = token.type.replace(/_(open|close)$/, "");
    if (token.nesting === 1) stack.push(opened(name, token));
    else if (token.nesting === -1) {
      const done = stack.pop();
      if (name === "link") done.children.push(` (${[done.address, done.title].filter(Boolean).join(" ")})`);
      // Tight lists have paragraphs only in name.
      if (token.hidden) top().children.push(...done.children);
      else if (stack.length > DEEPEST) top().children.push(plain(done));
      else top().children.push({ tag: done.tag, attributes: done.attributes, children: done.children });
    } else if (token.type === "inline") walk(token.children, stack);
    else if (token.type === "code_inline") add("code", {}, token.content);
    else if (token.type === "fence" || token.type === "code_block") {
      if (token.info) add("p", { class: "quiet small" }, token.info);
      add("pre", {}, token.content);
    }
    else if (token.type === "hr") add("hr", {});
    else if (token.type === "hardbreak") add("br", {});
    else if (token.type === "softbreak") top().children.push("\n");
    else if (token.type === "image") add("span", { class: "address" }, `[image: ${token.content} (${[token.attrGet("src"), token.attrGet("title")].filter(Boolean).join(" ")})]`);
    else top().children.push(token.content);
  }
}

function opened(name, token) {
  // Headings of an output are no headings of the page.
  if (name === "heading") return { tag: "p", attributes: { class: `heading ${token.tag}` }, children: [] };
  if (name === "link") return { tag: "span", attributes: { class: "address" }, children: [], address: token.attrGet("href"), title: token.attrGet("title") };
  const attributes = name === "ordered_list" && token.attrGet("start") ? { start: token.attrGet("start") } : {};
  return { tag: ELEMENTS[name] ?? "span", attributes, children: [] };
}

function plain(node) {
  return typeof node === "string" ? node : node.children.map(plain).join("");
}
