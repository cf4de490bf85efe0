import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, percent, points, quantile, share, usd } from "../src/data/figures.js";

test("a rounded score never contradicts its threshold", () => {
  assert.equal(figure(0.79999, 0.8), "0.79999");
  assert.equal(figure(2 / 3), "0.6667");
  assert.equal(figure(4), "4");
  assert.equal(figure(null), "–");
});

test("all and none are said only of all and none", () => {
  assert.equal(percent(0.99999), "99.9%");
  assert.equal(percent(0.00001), "0.1%");
  assert.equal(share(0, 0), "– (0 of 0)");
});

test("differences of rates are in points, and a small one is not none", () => {
  assert.equal(points(0.325), "+32.5 points");
  assert.equal(points(-0.1, { unit: false }), "-10");
  assert.equal(points(0.0004), "+0.04 points");
  assert.equal(points(0), "0 points");
});

test("an unknown price is not 0", () => {
  assert.equal(usd(null), "unknown");
  assert.equal(usd(0), "$0.00");
});

test("a quantile lies between its neighbours", () => {
  assert.equal(quantile([4, 1, 2, 3], 0.5), 2.5);
  assert.equal(quantile([], 0.5), null);
});
