import assert from "node:assert/strict";
import { test } from "node:test";
import { agreement, differences, wilson } from "../src/rate/agreement.js";
import { COLUMNS, read, written } from "../src/rate/labels.js";
import { judgedOutputs, judgedRubrics, stratified } from "../src/rate/queue.js";
import { pairsOf } from "../src/rate/said.js";
import { asRating, waysToRate } from "../src/rate/scale.js";
import { Store } from "../src/rate/store.js";
import { smallRun } from "./small_run.js";

const label = (more = {}) => ({
  run_id: "r1",
  case_id: "q1-report",
  variant: "v1",
  against: "",
  trial: 0,
  rubric: "helpfulness",
  output_hash: "h2",
  label: "pass",
  score: "",
  comment: "",
  annotator: "ana",
  sampling: "random",
  blind: "true",
  ...more,
});

test("what was skipped is not among the judged outputs", () => {
  const run = smallRun();
  assert.deepEqual(judgedRubrics(run), ["helpfulness"]);
  assert.deepEqual(judgedOutputs(run, "helpfulness").map((item) => item.output), [0, 2, 3]);
});

const items = Array.from({ length: 90 }, (_, at) => ({ output: at, variant: at < 60 ? "v1" : "v2" }));

test("a draw is the same for one seed and another for another", () => {
  assert.deepEqual(stratified(items, "r1 helpfulness 1"), stratified(items, "r1 helpfulness 1"));
  assert.notDeepEqual(stratified(items, "r1 helpfulness 1"), stratified(items, "r1 helpfulness 2"));
});

test("each variant has its share however early one stops", () => {
  const drawn = stratified(items, "seed");
  assert.equal(drawn.slice(0, 40).filter((item) => item.variant === "v2").length, 20);
  assert.equal(new Set(drawn.map((item) => item.output)).size, 90);
});

test("which variant comes first in a round does not follow a pattern", () => {
  const firsts = stratified(items, "seed").slice(0, 60).filter((_, at) => at % 2 === 0).map((item) => item.variant);
  assert.equal(new Set(firsts).size, 2);
});

test("every output is drawn first about equally often", () => {
  // 6 items, 3000 seeds: 500 times each; the spread is sqrt(3000 * 1/6 * 5/6) = 20.4, four of which is 82.
  const six = Array.from({ length: 6 }, (_, output) => ({ output, variant: "v1" }));
  const counts = new Array(6).fill(0);
  for (let seed = 0; seed < 3000; seed += 1) counts[stratified(six, `seed ${seed}`)[0].output] += 1;
  for (const count of counts) assert.ok(Math.abs(count - 500) < 82, String(counts));
});

test("ratings come back from the file that they were saved in", () => {
  const given = [label({ comment: '=1+1, "so"\nso' }), label({ variant: "v2", label: "", score: "4", output_hash: "h3" })];
  const text = written(given);
  assert.equal(text.split("\r\n")[0], COLUMNS.join(","));
  const { labels, problems } = read(text, "r1", (one) => (one.variant === "v1" ? "h2" : "h3"));
  assert.deepEqual(problems, []);
  assert.deepEqual(labels, given);
});

test("rows of another run, output or shape are named and not used", () => {
  const text = written([label({ run_id: "r0" }), label({ output_hash: "old" }), label({ case_id: "gone" }), label({ label: "" })]);
  const { labels, problems } = read(text, "r1", (one) => (one.case_id === "gone" ? null : "h2"));
  assert.deepEqual(labels, []);
  assert.match(problems.join("\n"), /Row 2 .*is of run r0.*\n.*Row 3 .*has changed.*\n.*Row 4 \(gone\).*no such output.*\n.*Row 5 .*neither label nor score/);
});

test("a file of something else is refused by its header", () => {
  assert.match(read("name,age\nx,1\n", "r1", () => "h").problems[0], /no column case_id, rubric, output_hash, label or score/);
});

test("agreement beyond chance", () => {
  // p_o = 3/4; person: 1/2 pass, judge: 3/4 pass; p_e = 1/2*3/4 + 1/2*1/4 = 1/2; kappa = (3/4 - 1/2) / (1/2) = 1/2
  const found = agreement([["pass", "pass"], ["pass", "pass"], ["fail", "fail"], ["fail", "pass"]]);
  assert.equal(found.same, 3);
  assert.ok(Math.abs(found.kappa - 0.5) < 1e-12);
});

test("agreement of one label throughout is not defined", () => {
  assert.equal(agreement([["pass", "pass"]]).kappa, null);
  assert.equal(agreement([]).interval, null);
});

test("Wilson's interval of 8 of 10", () => {
  // 0.4902 to 0.9433: as judgekit.stats.wilson_interval(8, 10) gives.
  assert.deepEqual(wilson(8, 10).map((end) => Number(end.toFixed(4))), [0.4902, 0.9433]);
});

test("the judge's mean difference has a sign and a size", () => {
  assert.deepEqual(differences([[3, 4], [3, 2]]), { mean: 0, size: 1 });
});

test("scores are compared with scores; where the judge decides nothing a pass is not comparable", () => {
  const run = smallRun();
  const found = pairsOf(run, "helpfulness", [label({ label: "", score: "4" }), label({ variant: "v2" })]);
  assert.deepEqual(found, { labels: [], scores: [[4, 3]], unmatched: 1 });
});

test("a rubric is rated on its own terms", () => {
  const names = (metric, pair = false) => waysToRate(metric, pair).map((way) => way.name);
  assert.deepEqual(names({ scale_min: 1, scale_max: 5 }), ["score", "pass"]);
  assert.deepEqual(names({ scale_min: 1, scale_max: 5, threshold: 4 }), ["pass", "score"]);
  assert.deepEqual(names({ labels: { A: 1, B: 0 } }), ["label", "pass"]);
  assert.deepEqual(names({}, true), ["pair"]);
  assert.equal(waysToRate({ scale_min: 0, scale_max: 1 }, false)[0].choices, null);
});

test("the better one of a pair counts for the variant whichever side it was on", () => {
  const [way] = waysToRate({}, true);
  assert.equal(asRating(way, "first", false).label, "win");
  assert.equal(asRating(way, "first", true).label, "loss");
  assert.equal(asRating(way, "tie", true).label, "tie");
});

const memory = () => {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
};

test("ratings are kept under the run's id and found again", () => {
  const storage = memory();
  new Store("r1", storage).put(label());
  assert.equal(new Store("r1", storage).all.length, 1);
  assert.equal(new Store("r2", storage).all.length, 0);
});

test("what was not saved as a file is counted until it is", () => {
  const store = new Store("r1", memory(), [label({ annotator: "ben" })]);
  store.put(label());
  store.put(label({ label: "fail" }));
  assert.equal(store.unsaved, 1);
  store.markExported();
  assert.equal(store.unsaved, 0);
});

for (const [what, storage] of [
  ["has no storage", null],
  ["keeps rubbish", { getItem: () => "{", setItem: () => undefined }],
  ["is full", { getItem: () => null, setItem: () => { throw new Error("QuotaExceededError"); } }],
]) {
  test(`ratings live on in the page where the browser ${what}`, () => {
    const store = new Store("r1", storage);
    store.put(label());
    assert.equal(store.all.length, 1);
  });
}
