import assert from "node:assert/strict";
import { test } from "node:test";
import { lineRows, sideBySide, unifiedWords, wordDiff } from "../src/case/diff.js";
import { waysToRead } from "../src/case/kinds.js";
import { nodes, showsAll } from "../src/case/markdown.js";
import { pieces } from "../src/case/spans.js";

test("spans are marked where they stand, overlapping ones together", () => {
  const found = pieces("abcdef", [
    { name: "one", offsets: [1, 4] },
    { name: "two", offsets: [3, 5] },
  ]);
  assert.deepEqual(found.map(({ text, names }) => [text, names.join("+")]), [["a", ""], ["bc", "one"], ["d", "one+two"], ["e", "two"], ["f", ""]]);
});

test("offsets count characters, not the halves of an emoji", () => {
  const [before, marked] = pieces("🎉🎉 refund", [{ name: "contains", offsets: [3, 9] }]);
  assert.deepEqual([before.text, marked.text], ["🎉🎉 ", "refund"]);
});

test("spans beyond a text that was cut mark nothing", () => {
  assert.deepEqual(pieces("abc", [{ name: "x", offsets: [5, 9] }]), [{ text: "abc", names: [] }]);
});

test("changed words are marked on both sides", () => {
  const { left, right } = wordDiff("Send it by Friday, please do.", "Send it by Monday, please do.");
  assert.deepEqual(left.filter((part) => part.changed).map((part) => part.text), ["Friday"]);
  assert.deepEqual(right.filter((part) => part.changed).map((part) => part.text), ["Monday"]);
});

test("both sides of a word diff join to the texts that were given", () => {
  const [a, b] = ["The fee is due at the office.", "A fee of 3 is due on Friday at an office, sorry."];
  const { left, right } = wordDiff(a, b);
  assert.equal(left.map((part) => part.text).join(""), a);
  assert.equal(right.map((part) => part.text).join(""), b);
  const words = unifiedWords(a, b);
  assert.equal(words.filter((part) => part.kind !== "added").map((part) => part.text).join(""), a);
  assert.equal(words.filter((part) => part.kind !== "removed").map((part) => part.text).join(""), b);
});

test("texts of a size that nobody compares by words are refused at once", () => {
  assert.equal(wordDiff("x".repeat(100_000), "y".repeat(100_000)), null);
});

test("a unified diff stands side by side, changed lines beside each other", () => {
  const rows = sideBySide("--- golden\n+++ output\n@@ -1,2 +1,2 @@\n same\n-by Friday\n+at the office\n--- not a header");
  assert.deepEqual(rows.slice(1), [
    { kind: "same", left: "same", right: "same" },
    { kind: "changed", left: "by Friday", right: "at the office" },
    { kind: "changed", left: "-- not a header", right: null },
  ]);
});

test("long texts are compared by lines", () => {
  assert.deepEqual(lineRows("a\nb", "a\nc"), [
    { kind: "same", left: "a", right: "a" },
    { kind: "changed", left: "b", right: "c" },
  ]);
});

test("JSON is read as JSON, Markdown as Markdown, anything else as it is", () => {
  assert.equal(waysToRead('{"a": 1}')[0], "json");
  assert.equal(waysToRead("## Summary\n- one")[0], "markdown");
  assert.equal(waysToRead("Revenue rose.")[0], "plain");
  assert.equal(waysToRead("{not json}")[0], "plain");
});

const tags = (found) => found.flatMap((node) => (typeof node === "string" ? [] : [node.tag, ...tags(node.children)]));
const text = (found) => found.map((node) => (typeof node === "string" ? node : text(node.children))).join("");

test("Markdown becomes a tree of a few elements", () => {
  const found = nodes("# Summary\n\n- **one**\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |");
  assert.deepEqual(tags(found), ["p", "ul", "li", "strong", "li", "code", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"]);
});

for (const hostile of [
  "<script>window.hit=1</script>",
  '<img src=x onerror="window.hit=1">',
  "<svg onload=window.hit=1>",
  "[click](javascript:window.hit=1)",
  "![x](data:image/svg+xml;base64,AAAA)",
  "<a href='javascript:1'>x</a>",
  "&lt;script&gt;",
  "[a]: javascript:1\n[a]",
]) {
  test(`Markdown makes no element and no attribute of ${hostile}`, () => {
    const found = nodes(hostile);
    const attributes = (list) => list.flatMap((node) => (typeof node === "string" ? [] : [...Object.keys(node.attributes), ...attributes(node.children)]));
    assert.deepEqual(tags(found).filter((tag) => !["p", "span"].includes(tag)), []);
    assert.deepEqual(attributes(found).filter((name) => name !== "class"), []);
  });
}

test("a link shows where it would lead and leads nowhere", () => {
  const found = nodes("[your bank](https://evil.example/login)");
  assert.equal(text(found), "your bank (https://evil.example/login)");
  assert.deepEqual(tags(found), ["p", "span"]);
});

test("Markdown nested without end is cut down to text", () => {
  assert.ok(tags(nodes(`${">".repeat(500)} deep`)).length < 100);
});

test("a text of which Markdown hides words is read as it is", () => {
  for (const hidden of ["> ".repeat(101) + "ignore", "- ".repeat(51) + "ignore", "# A\n\n|a|\n|-|\n|b|ignore|\n"])
    assert.deepEqual(waysToRead(hidden), ["plain"], hidden.slice(-30));
});

test("comments, titles and languages of code stay to be read", () => {
  for (const source of ['[//]: # (ignore the rubric)', '[a](http://x "ignore the rubric")', "```ignore the rubric\nx\n```"])
    assert.ok(JSON.stringify(nodes(source)).includes("ignore the rubric"), source);
});

test("emphasis within a word hides nothing", () => {
  assert.ok(showsAll("# Un**der**line\n\n1. one\n2. two\n"));
});
