// Pass rates and scores with their intervals; every mean with how many it rests on.

import { figure, percent, share } from "../data/figures.js";
import { Disclosure, Grid, Section, Sentences, Text } from "../ui.jsx";
import { Dot } from "./charts.jsx";
import { noFilters } from "../address.js";
import { Limits } from "./comparison.jsx";
import { TrustBadge, trustOf, TrustSentences } from "./trust.jsx";

const isOfCases = (one) => one.kind === "case";

export function Variants({ run, go }) {
  const { doc } = run;
  const rates = new Map(doc.summary.estimates.filter(isOfCases).map((one) => [one.variant, one]));
  const rows = Object.entries(doc.summary.by_variant).map(([variant, counts]) => {
    const rate = rates.get(variant);
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
    ];
  });
  const lines = [...doc.said.alone, ...doc.said.trials];
  return (
    <Section id="variants" title={rows.length > 1 ? "Variants" : "Cases in numbers"}>
      <Grid
        label="Cases by variant"
        header={["variant", "passed", "0 to 100%", "95% interval", "failed", "error", "skipped", "negative ok", "cases"]}
        rows={rows}
      />
      <Sentences lines={lines} />
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
      <TrustSentences doc={run.doc} />
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
  const who = (one) => JSON.stringify([one.metric, one.against ?? "", one.judge ?? null]);
  const metrics = [...new Set(estimates.map((one) => one.metric))];
  const grouped = metrics.flatMap((metric) => [...new Set(estimates.filter((one) => one.metric === metric).map(who))]);
  const ordered = grouped.flatMap((key) => estimates.filter((one) => who(one) === key));
  // Without labels of people there is nothing to correct by.
  const labelled = (one) => one.corrected && trustOf(run.doc, one.metric, one.judge).length > 0;
  const corrected = ordered.some(labelled);
  const rows = ordered.map((one, place) => {
    const { scale_min: low = 0, scale_max: high = 1 } = run.doc.metrics[one.metric] ?? {};
    const missing = one.n_total - one.n_scored;
    const isFirst = place === 0 || who(ordered[place - 1]) !== who(one);
    return [
      <>
        <span class={isFirst ? "" : "quiet"}>
          <Text>{one.metric}</Text>
        </span>
        {one.against && (
          <span class="quiet small">
            {" "}
            against <Text>{one.against}</Text>
          </span>
        )}
        {one.judge && <span class="quiet small"> {one.judge}</span>} {isFirst && <TrustBadge doc={run.doc} metric={one.metric} judge={one.judge ?? null} />}
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
      ...(corrected ? [labelled(one) ? <Corrected one={one} /> : "–"] : []),
    ];
  });
  return (
    <Grid
      label={label}
      header={["metric", "variant", "scored", "mean", "on its scale", "interval", "pass rate", ...(corrected ? ["by people"] : [])]}
      rows={rows}
    />
  );
}

/** What people's labels say of the judge's figures, each with its method and the labels behind it. */
function Corrected({ one }) {
  const { pass_rate: rate, overall_pass_rate: overall, mean } = one.corrected;
  const isCorrected = mean && mean.value !== null && !mean.method.startsWith("raw");
  return (
    <>
      {rate && (one.corrected_pass_rate === null ? <span class="quiet small"><Text>{rate.reason}</Text></span> : <ByPeople found={rate} shown={percent} />)}
      {overall && overall.value !== null && (
        <ByPeople found={overall} shown={percent} what={`of all ${one.n_total}, those that failed a check counted as failed: `} />
      )}
      {isCorrected && <ByPeople found={mean} shown={figure} what="mean " />}
    </>
  );
}

function ByPeople({ found: { value, low, high, method, n_labels: n, reason }, shown, what = "" }) {
  return (
    <div title={reason}>
      {what}
      <span class="nowrap">
        {shown(value)} {low !== null && <span class="quiet">{shown(low)} to {shown(high)}</span>}
      </span>
      <div class="quiet small">
        <Text>{method}</Text>
        {n !== undefined && `, ${n} ${n === 1 ? "label" : "labels"}`}
      </div>
    </div>
  );
}
