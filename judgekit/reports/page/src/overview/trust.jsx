// What is known of a judge's agreement with people: a badge per judged metric and judge.

import { figure } from "../data/figures.js";
import { Text } from "../ui.jsx";

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

export function TrustBadge({ doc, metric, judge = null, brief = false }) {
  const found = trustOf(doc, metric, judge);
  if (found.length === 0) return null;
  return found.map((one) => (
    <span class="trust">
      <span class={`badge ${BADGES[one.level]}`} title={trustFigures(one)}>
        trust: {one.level}
      </span>
      {!brief && (
        <span class="quiet small">
          {" "}
          {found.length > 1 && (
            <>
              <Text>{one.judge}</Text>:{" "}
            </>
          )}
          <Text>{one.sentence}</Text>
        </span>
      )}
    </span>
  ));
}
