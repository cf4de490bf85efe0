// Pass rates and scores with their intervals; every mean with how many it rests on.

import { figure, percent, share } from "../data/figures.js";
import { Disclosure, Grid, Section, Text } from "../ui.jsx";
import { Dot } from "./charts.jsx";
import { Limits, noFilters } from "./comparison.jsx";
import { TrustBadge } from "./trust.jsx";

const isOfCases = (one) => one.kind === "case";

export function Variants({ run, go }) {
  const { doc } = run;
  const rates = new Map(doc.summary.estimates.filter(isOfCases).map((one) => [one.variant, one]));
  const rows = Object.entries(doc.summary.by_variant).map(([variant, counts]) => {
    const rate = rates.get(variant);
    const several = Object.entries(rate?.pass_hat_k ?? {});
    return [
      <Text>{variant}</Text>,
      <span class="nowrap">{share(...(doc.passed[variant] ?? [0, 0]))}</span>,
      rate && <Dot value={rate.mean} from={rate.ci_low} to={rate.ci_high} low={0} high={1} />,
      rate && rate.ci_low !== null && (
        <span class="quiet nowrap" title={rate.method}>
          {percent(rate.ci_low)} to {percent(rate.ci_high)}
        </span>
      ),
      ...["fail", "error", "skipped", "negative_ok"].map((status) =>
        counts[status] ? (
          <button type="button" class="link" onClick={() => go({ ...noFilters, view: "cases", variant, status }, { push: true })}>
            {counts[status]}
          </button>
        ) : (
          <span class="quiet">0</span>
        ),
      ),
      counts.cases,
      several.length > 0 && several.map(([k, value]) => `pass^${k} ${percent(value)}`).join(", "),
    ];
  });
  const tried = rows.some((row) => row.at(-1));
  return (
    <Section id="variants" title={rows.length > 1 ? "Variants" : "Cases in numbers"}>
      <Grid
        label="Cases by variant"
        header={["variant", "passed", "0 to 100%", "95% interval", "failed", "error", "skipped", "negative ok", "cases", ...(tried ? ["trials"] : [])]}
        rows={tried ? rows : rows.map((row) => row.slice(0, -1))}
      />
    </Section>
  );
}

export function Scores({ run, go }) {
  const estimates = run.doc.summary.estimates.filter((one) => !isOfCases(one));
  if (estimates.length === 0) return null;
  const judged = estimates.filter((one) => one.kind !== "check");
  const checks = estimates.filter((one) => one.kind === "check");
  // What every output met tells a reader nothing.
  const met = checks.filter((one) => one.pass_rate === 1 && one.n_scored === one.n_total);
  const missed = checks.filter((one) => !met.includes(one));
  return (
    <Section id="scores" title="Scores">
      {judged.length > 0 && <Table label="Rubrics" estimates={judged} {...{ run, go }} />}
      {missed.length > 0 && (
        <>
          <h3>Checks that some output missed</h3>
          <Table label="Checks that some output missed" estimates={missed} {...{ run, go }} />
        </>
      )}
      {met.length > 0 && (
        <Disclosure summary={`Checks that every output met (${met.length})`}>
          <Table label="Checks that every output met" estimates={met} {...{ run, go }} />
        </Disclosure>
      )}
    </Section>
  );
}

function Table({ label, estimates, run, go }) {
  const ordered = [...new Set(estimates.map((one) => one.metric))].flatMap((metric) => estimates.filter((one) => one.metric === metric));
  const corrected = ordered.some((one) => correction(one) !== null);
  const rows = ordered.map((one, place) => {
    const { scale_min: low = 0, scale_max: high = 1 } = run.doc.metrics[one.metric] ?? {};
    const missing = one.n_total - one.n_scored;
    const isFirst = place === 0 || ordered[place - 1].metric !== one.metric;
    return [
      <>
        <span class={isFirst ? "" : "quiet"}>
          <Text>{one.metric}</Text>
        </span>
        {one.judge && <span class="quiet small"> {one.judge}</span>} {isFirst && <TrustBadge doc={run.doc} metric={one.metric} />}
      </>,
      <Text>{one.variant}</Text>,
      <span>
        {one.n_scored} of {one.n_total}
        {missing > 0 && (
          <>
            {" "}
            <button type="button" class="link missing" onClick={() => go({ ...noFilters, view: "cases", variant: one.variant, metric: one.metric, result: "without" }, { push: true })}>
              {missing} without a score
            </button>
          </>
        )}
      </span>,
      one.mean === null ? (
        <span class="quiet">{one.reason || "no score"}</span>
      ) : (
        <span class="nowrap">
          {figure(one.mean)} <span class="quiet">on {figure(low)}–{figure(high)}</span>
        </span>
      ),
      <Dot value={one.mean} from={one.ci_low} to={one.ci_high} low={low} high={high} />,
      one.ci_low === null ? <span class="quiet">{one.mean === null ? "–" : one.reason || "–"}</span> : <Limits one={one} />,
      one.pass_rate === null || one.pass_rate === undefined ? (
        "–"
      ) : (
        <span class="nowrap">
          {percent(one.pass_rate)}{" "}
          {one.pass_rate_low !== null && one.pass_rate_low !== undefined && (
            <span class="quiet">
              {percent(one.pass_rate_low)} to {percent(one.pass_rate_high)}
            </span>
          )}
        </span>
      ),
      ...(corrected ? [correction(one) ?? "–"] : []),
    ];
  });
  return (
    <Grid
      label={label}
      header={["metric", "variant", "scored", "mean", "on its scale", "interval", "pass rate", ...(corrected ? ["corrected by people"] : [])]}
      rows={rows}
    />
  );
}

/** The rate corrected for the judge's mistakes, where a calibration gave one. */
function correction(one) {
  const found = one.corrected_pass_rate ?? one.corrected ?? null;
  if (found === null) return null;
  if (typeof found === "number") return percent(found);
  const value = found.value ?? found.mean ?? null;
  const low = found.low ?? found.ci_low ?? null;
  const high = found.high ?? found.ci_high ?? null;
  return `${percent(value)}${low === null ? "" : ` (${percent(low)} to ${percent(high)})`}${found.method ? `, ${found.method}` : ""}`;
}
