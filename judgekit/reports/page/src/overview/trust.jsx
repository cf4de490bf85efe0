// What is known of the judge's agreement with people: one badge per judged metric.

import { figure } from "../data/figures.js";

/** The record of a metric, in whichever of the summary's shapes: by metric, or by judge identity and rubric. */
export function trustOf(doc, metric) {
  const trust = doc.summary.trust ?? {};
  const rubric = doc.metrics[metric]?.kind === "judge" ? metric : null;
  if (rubric === null) return null;
  const records = Array.isArray(trust) ? trust : Object.values(trust).flatMap((one) => (isRecord(one) ? [one] : Object.values(one ?? {})));
  const direct = Array.isArray(trust) ? undefined : trust[metric];
  const inside = Object.values(Array.isArray(trust) ? {} : trust).find((one) => !isRecord(one) && one?.[metric]);
  return (isRecord(direct) ? direct : undefined) ?? records.find((one) => one?.rubric === metric) ?? inside?.[metric] ?? null;
}

function isRecord(one) {
  return typeof one === "object" && one !== null && ("badge" in one || "rubric" in one || "kappa" in one || "n" in one);
}

const BADGES = { strong: "pass", fair: "scored", weak: "unscored", uncalibrated: "skipped" };

/** The figures of a record that a reader can take in at a glance. */
export function trustFigures(record) {
  return Object.entries(record)
    .filter(([name, value]) => !["badge", "rubric", "judge", "judge_identity"].includes(name) && ["number", "string"].includes(typeof value))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "number" ? figure(value) : value}`)
    .slice(0, 8)
    .join(", ");
}

export function TrustBadge({ doc, metric }) {
  if (doc.metrics[metric]?.kind !== "judge" || metric.includes(".")) return null;
  const record = trustOf(doc, metric);
  // That a judge is not calibrated is said once for all, under "Read with care".
  if (record === null) return null;
  const badge = record.badge ?? "uncalibrated";
  const figures = trustFigures(record);
  return (
    <span class="trust">
      <span class={`badge ${BADGES[badge] ?? "scored"}`} title={figures}>
        trust: {badge}
      </span>
      <span class="quiet small"> {figures}</span>
    </span>
  );
}
