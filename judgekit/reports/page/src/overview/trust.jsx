// What is known of a judge's agreement with people: a badge per judged metric and judge.

import { figure } from "../data/figures.js";
import { Sentences } from "../ui.jsx";

const BADGES = { strong: "pass", fair: "scored", weak: "unscored", uncalibrated: "skipped" };

/** The records that people's labels stand behind; that a judge has none is said once for all, under "Read with care". */
export function trustOf(doc, metric, judge = null) {
  return doc.trust.filter((one) => one.run_id && one.metric === metric && (judge === null || one.judge === judge));
}

/** The figures of a record that a reader can take in at a glance. */
export function trustFigures({ figures, calibrated_at: at }) {
  const estimates = Object.entries(figures.estimates ?? {}).map(([name, one]) => {
    const ends = one.low === null || one.high === null ? "" : ` [${figure(one.low)}, ${figure(one.high)}]`;
    return `${name.replaceAll("_", " ")} ${one.value === null ? one.reason : `${figure(one.value)}${ends}`}`;
  });
  const on = `${figures.n_outputs} labelled outputs of ${figures.n_cases} cases, ${figures.n_compared} compared`;
  return [on, ...estimates, at && `calibrated ${at}`].filter(Boolean).join("\n");
}

/** The badge of each judge of a metric, its figures where the pointer rests on it. */
export function TrustBadge({ doc, metric, judge = null }) {
  return trustOf(doc, metric, judge).map((one) => (
    <span class={`badge ${BADGES[one.level]}`} title={trustFigures(one)}>
      trust: {one.level}
    </span>
  ));
}

/** What stands behind the badges, a sentence each. */
export function TrustSentences({ doc }) {
  const known = doc.trust.filter((one) => one.run_id);
  return <Sentences lines={known.map((one) => `${one.metric} by ${one.judge}: ${one.level}, ${one.sentence}`)} />;
}
