// Paired differences between variants: sentences, a forest plot with its figures, and the cases that changed.

import { figure, percent, pValue, signed } from "../data/figures.js";
import { Disclosure, Grid, Section, Text } from "../ui.jsx";
import { Dot } from "./charts.jsx";

export function Comparisons({ run, openCase, hrefOf, go }) {
  const { comparisons } = run.doc.summary;
  if (comparisons.length === 0) return null;
  const pairs = new Map();
  for (const one of comparisons) {
    const key = JSON.stringify([one.suite, one.variant, one.against]);
    if (!pairs.has(key)) pairs.set(key, []);
    pairs.get(key).push(one);
  }
  return (
    <Section id="comparison" title="Comparison">
      {[...pairs.values()].map((found) => (
        <Pair run={run} comparisons={found} openCase={openCase} hrefOf={hrefOf} go={go} />
      ))}
    </Section>
  );
}

function Pair({ run, comparisons, openCase, hrefOf, go }) {
  const [{ suite, variant, against }] = comparisons;
  const scaleOf = (one) => {
    const { scale_min: low = 0, scale_max: high = 1 } = run.doc.metrics[one.metric] ?? {};
    return high - low || 1;
  };
  // Differences of all scales on one axis, in shares of the scale, as wide as the widest interval needs.
  const shares = comparisons.flatMap((one) =>
    [one.difference, one.ci_low, one.ci_high].map((number) => Math.abs(number ?? 0) / scaleOf(one)),
  );
  const widest = Math.max(...shares) || 1;
  const [first, ...others] = comparisons;
  const rows = comparisons.map((one) => {
    const reach = 1.1 * widest * scaleOf(one);
    const value = (number) => (one.kind === "case" ? percent(number) : figure(number));
    return [
      one.kind === "case" ? "cases that pass" : <Text>{one.metric}</Text>,
      <span class="nowrap">
        {one.n}
        {one.n_left_out > 0 && <span class="missing"> · {one.n_left_out} left out</span>}
      </span>,
      value(one.value_against),
      value(one.value),
      <Dot value={one.difference} from={one.ci_low} to={one.ci_high} low={-reach} high={reach} zero={0} width={220} kind="forest" />,
      <span class="nowrap">
        {signed(one.difference)} <Limits one={one} />
      </span>,
      one.p_adjusted === null || one.p_adjusted === undefined ? (
        pValue(one.p_value)
      ) : (
        <span class="nowrap" title={`unadjusted ${pValue(one.p_value)}`}>
          {pValue(one.p_adjusted)} <span class="quiet">adjusted</span>
        </span>
      ),
      figure(one.minimum_detectable_difference),
      <strong>{one.verdict}</strong>,
    ];
  });
  const worse = changedCases(comparisons, "regressions");
  const better = changedCases(comparisons, "improvements");
  return (
    <div class="pair">
      <h3>
        <Text>{variant}</Text> against <Text>{against}</Text>
        {suite && <span class="quiet"> in {suite}</span>}
      </h3>
      <p class="headline">
        <Text>{first.sentence}</Text>
      </p>
      {others.length > 0 && (
        <ul class="sentences">
          {others.map((one) => (
            <li>
              <Text>{one.sentence}</Text>
            </li>
          ))}
        </ul>
      )}
      <Grid
        label={`Differences of ${variant} and ${against}${suite ? ` in ${suite}` : ""}`}
        header={[
          "metric",
          "cases",
          against,
          variant,
          <span>
            worse ← <span class="quiet">no difference</span> → better
          </span>,
          "difference",
          "p",
          <span title="The smallest difference that so many cases would show four times in five">detectable from</span>,
          "verdict",
        ]}
        rows={rows}
      />
      <div class="columns">
        <Changes title="Got worse" found={worse} {...{ run, variant, openCase, hrefOf }} />
        <Changes title="Got better" found={better} {...{ run, variant, openCase, hrefOf }} />
      </div>
      <p class="choices">
        <button type="button" onClick={() => go({ ...noFilters, view: "cases", variant, worse: true }, { push: true })}>
          Every case that is worse under {variant}
        </button>
        <button type="button" onClick={() => go({ ...noFilters, view: "cases", differ: true, suite: suite && !suite.includes(";") ? suite : "" }, { push: true })}>
          Every case where variants differ
        </button>
      </p>
    </div>
  );
}

export const noFilters = {
  q: "",
  status: "",
  variant: "",
  suite: "",
  agent: "",
  tag: "",
  cause: "",
  metric: "",
  result: "",
  low: "",
  high: "",
  differ: false,
  worse: false,
  changed: "",
  case: "",
  of: "",
};

/** Cases of one pair of variants, each once although several metrics may name it. */
function changedCases(comparisons, key) {
  const byCase = new Map();
  for (const one of comparisons.flatMap((comparison) => comparison[key] ?? [])) {
    const reasons = byCase.get(one.case_id) ?? [];
    if (!reasons.includes(one.reason)) byCase.set(one.case_id, [...reasons, one.reason]);
  }
  return [...byCase].map(([id, reasons]) => ({ id, reason: reasons.filter(Boolean).join("; ") }));
}

function Changes({ title, found, run, variant, openCase, hrefOf }) {
  const line = ({ id, reason }) => {
    const entry = run.entryOf(id, variant) ?? run.entryOf(id);
    return (
      <li>
        {entry === null ? <Text>{id}</Text> : <CaseLink {...{ run, entry, openCase, hrefOf }} />}
        {reason && <span class="clamp">: <Text>{reason}</Text></span>}
      </li>
    );
  };
  return (
    <div>
      <h4>
        {title} ({found.length})
      </h4>
      {found.length === 0 ? <p class="quiet">none</p> : <ul>{found.slice(0, 6).map(line)}</ul>}
      {found.length > 6 && (
        <Disclosure summary={`${found.length - 6} more`}>
          <ul>{found.slice(6).map(line)}</ul>
        </Disclosure>
      )}
    </div>
  );
}

export function CaseLink({ run, entry, openCase, hrefOf, children }) {
  return (
    <a
      href={hrefOf(entry)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openCase(entry);
      }}
    >
      {children ?? <Text>{run.entries.get(entry, "case_id")}</Text>}
    </a>
  );
}

export function Limits({ one }) {
  if (one.ci_low === null || one.ci_low === undefined || one.ci_high === null) return null;
  const level = one.level ? `${Number((100 * one.level).toFixed(1))}%: ` : "";
  return (
    <span class="quiet nowrap" title={one.method}>
      {level}
      {figure(one.ci_low)} to {figure(one.ci_high)}
    </span>
  );
}
