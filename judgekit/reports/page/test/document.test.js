import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { Texts, unpacked } from "../src/data/document.js";

const packed = (value) => gzipSync(Buffer.from(JSON.stringify(value))).toString("base64");

test("a block comes back as it was packed", async () => {
  assert.deepEqual(await unpacked(packed({ text: "Grüße 🎉" })), { text: "Grüße 🎉" });
});

test("a text is undefined until its block is unpacked, and listeners are told", async () => {
  const blocks = [packed(["a", "b"]), packed(["c"])];
  const texts = new Texts([0, 2], (number) => blocks[number]);
  const told = new Promise((resolve) => texts.onLoad(resolve));
  assert.equal(texts.peek(2), undefined);
  await told;
  assert.equal(texts.peek(2), "c");
  assert.equal(texts.complete, false);
});

test("only the blocks before a position are unpacked for it", async () => {
  const asked = [];
  const texts = new Texts([0, 2, 3], (number) => {
    asked.push(number);
    return packed(number === 0 ? ["a", "b"] : ["c"]);
  });
  await texts.loadUntil(2);
  assert.deepEqual(asked, [0]);
  await texts.loadAll();
  assert.equal(texts.complete, true);
});
