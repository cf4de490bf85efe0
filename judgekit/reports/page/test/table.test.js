import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN, format, parse } from "../src/address.js";
import { changedSince } from "../src/data/run.js";
import { chosenColumns, columnsOf } from "../src/table/columns.js";
import { csv, parsed } from "../src/table/csv.js";
import { filtered, Search, sorted } from "../src/table/filter.js";
import { smallRun } from "./small_run.js";

const run = smallRun();
const names = (state) =>
  filtered(run, new Search(run), { ...PLAIN, ...state }).map((entry) => `${run.entries.get(entry, "case_id")} ${run.entries.get(entry, "variant")}`);

for (const [what, state, expected] of [
  ["nothing", {}, 4],
  ["a status", { status: "fail" }, ["late-parcel v2"]],
  ["a variant", { variant: "v1" }, ["late-parcel v1", "q1-report v1"]],
  ["a tag", { tag: "q1" }, ["q1-report v1", "q1-report v2"]],
  ["a cause", { cause: "check:contains" }, ["late-parcel v2"]],
  ["where variants differ", { differ: true }, ["late-parcel v1", "late-parcel v2"]],
  ["what is worse than the reference", { worse: true }, ["late-parcel v2"]],
  ["the result of a metric", { metric: "helpfulness", result: "skipped" }, ["late-parcel v2"]],
  ["what has no score", { metric: "helpfulness", result: "without" }, ["late-parcel v2"]],
  ["a range of scores", { metric: "helpfulness", low: "3", high: "3.5" }, ["q1-report v1"]],
  ["words of an output, whatever their case", { q: "ANSWER V2 OF Q1" }, ["q1-report v2"]],
  ["words of a reason", { q: "deadline is missing" }, ["late-parcel v2"]],
]) {
  test(`the table can be filtered by ${what}`, () => {
    const found = names(state);
    assert.deepEqual(Array.isArray(expected) ? found : found.length, expected);
  });
}

test("entries without a score come last whichever way they are sorted", () => {
  const key = (entry) => run.cell(entry, "helpfulness").score;
  assert.deepEqual(sorted([0, 1, 2, 3], key, "metric:helpfulness"), [0, 2, 3, 1]);
  assert.deepEqual(sorted([0, 1, 2, 3], key, "-metric:helpfulness"), [3, 2, 0, 1]);
});

test("numbers in names are sorted as numbers", () => {
  const name = ["case-10", "case-9"];
  assert.deepEqual(sorted([0, 1], (entry) => name[entry], "case_id"), [1, 0]);
});

test("an address says what is shown and is read back", () => {
  const state = { ...PLAIN, view: "cases", q: "refund & co", status: "fail", worse: true, low: "0", sort: "-metric:helpfulness" };
  assert.deepEqual(parse(format(state)), state);
  assert.equal(format({ ...PLAIN, view: "cases", status: "fail" }), "#cases&status=fail");
});

test("an address that names a case opens it with the filters around it", () => {
  const state = parse("#case=late-parcel&of=v2&status=fail");
  assert.deepEqual([state.view, state.case, state.of, state.status], ["case", "late-parcel", "v2", "fail"]);
  assert.deepEqual(parse(format(state)), state);
});

test("an address of nonsense is the overview", () => {
  assert.deepEqual(parse("#%%%&__proto__=1"), PLAIN);
});

test("judged scores are shown unasked, and chosen columns as chosen", () => {
  const columns = columnsOf(run);
  assert.deepEqual(chosenColumns(run, columns, PLAIN), ["status", "case_id", "variant", "metric:helpfulness"]);
  assert.deepEqual(chosenColumns(run, columns, { ...PLAIN, columns: "metric%3Acontains" }), ["case_id", "metric:contains"]);
});

test("cells of CSV are quoted, never formulas, and numbers stay numbers", () => {
  const text = csv(["a", "b"], [["=1+1", -0.5], ['say "x", then\n', "-cmd"]]);
  assert.equal(text, 'a,b\r\n\'=1+1,-0.5\r\n"say ""x"", then\n",\'-cmd\r\n');
  assert.deepEqual(parsed(text)[2], ['say "x", then\n', "'-cmd"]);
});

test("flips since the earlier run are found by case and variant, in lists of either kind", () => {
  const found = changedSince({
    flips: [{ kind: "newly failing", case_id: "a", variant: "v2" }, { kind: "fixed", case_id: "b", variant: "v1" }],
    definitions_changed: [{ case_id: "c", variant: "v1", what: ["checks"] }],
  });
  assert.deepEqual([...found].sort(), [["a\u0000v2", "failing"], ["b\u0000v1", "fixed"], ["c\u0000v1", "changed"]]);
});
