// Paired differences between variants: sentences, a forest plot with its figures, and the cases that changed.

import { noFilters } from "../address.js";
import { figure, percent, points, pValue, signed } from "../data/figures.js";
import { Disclosure, Grid, Section, Sentences, Text } from "../ui.jsx";
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

/** Whether values are shares of cases or pairs: they are shown in percent, differences in points. */
const isRate = (one) => one.kind === "case" || one.kind === "pairwise";

function Name({ one }) {
  if (one.kind === "case") return "cases that pass";
  return (
    <>
      <Text>{one.metric}</Text>
      {one.kind === "pairwise" && (
        <>
          , in pairs <span class="quiet small"><Text>{one.judge}</Text></span>
        </>
      )}
    </>
  );
}

/** Paired cases, and with the reasons at hand those that are not. */
function Count({ one }) {
  const reasons = one.left_out.map((group) => `${group.n} ${group.reason}`).join(", ");
  return (
    <span class="nowrap">
      {one.n}
      {one.n_left_out > 0 && (
        <span class="missing" title={reasons}>
          {" "}
          · {one.n_left_out} left out
        </span>
      )}
    </span>
  );
}

function Pair({ run, comparisons, openCase, hrefOf, go }) {
  const [{ suite, variant, against }] = comparisons;
  const scaleOf = (one) => one.scale_max - one.scale_min;
  // Differences of all scales on one axis, in shares of the scale, as wide as the widest interval needs.
  const shares = comparisons.flatMap((one) =>
    [one.difference, one.ci_low, one.ci_high].map((number) => Math.abs(number ?? 0) / scaleOf(one)),
  );
  const widest = Math.max(...shares) || 1;
  const [first, ...others] = comparisons;
  const rows = comparisons.map((one) => {
    const reach = 1.1 * widest * scaleOf(one);
    const value = isRate(one) ? percent : figure;
    const difference = isRate(one) ? points : signed;
    const detectable = one.minimum_detectable_difference;
    return [
      <Name one={one} />,
      <Count one={one} />,
      value(one.value_against),
      value(one.value),
      <Dot value={one.difference} from={one.ci_low} to={one.ci_high} low={-reach} high={reach} zero={0} width={220} kind="forest" />,
      <span class="nowrap">
        {difference(one.difference)}{" "}
        <Limits one={{ ...one, method: one.interval_method }} shown={isRate(one) ? (end) => points(end, { unit: false }) : figure} />
      </span>,
      <span class="nowrap">
        {one.wins} / {one.ties} / {one.losses}
      </span>,
      one.p_adjusted === one.p_value ? (
        <span title={one.method}>{pValue(one.p_value)}</span>
      ) : (
        <span class="nowrap" title={`${one.method}; unadjusted ${pValue(one.p_value)}, adjusted for ${one.n_tests} tests`}>
          {pValue(one.p_adjusted)} <span class="quiet">adjusted</span>
        </span>
      ),
      <span class="nowrap">{isRate(one) && detectable !== null ? points(detectable).slice(1) : figure(detectable)}</span>,
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
      <Sentences lines={[...(first.notes ?? []), ...others.flatMap((one) => [one.sentence, ...(one.notes ?? [])])]} />
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
          <span title="Cases or pairs where the first has the higher, the same, the lower value">better / same / worse</span>,
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

/** Cases of one pair of variants, each once although several metrics may name it. */
function changedCases(comparisons, key) {
  const byCase = new Map();
  for (const one of comparisons.flatMap((comparison) => comparison[key] ?? [])) {
    const reasons = byCase.get(one.case_id) ?? [];
    if (!reasons.includes(one.reason)) byCase.set(one.case_id, [...reasons, one.reason]);
  }
  return [...byCase].map(([id, reasons]) => ({ id, reason: reasons.filter(Boolean).join("; ") }));
}

export function Changes({ title, found, run, variant, openCase, hrefOf, heading: Heading = "h4" }) {
  const line = ({ id, reason, variant: own = variant }) => {
    const entry = run.entryOf(id, own) ?? run.entryOf(id);
    return (
      <li>
        {entry === null ? <Text>{id}</Text> : <CaseLink {...{ run, entry, openCase, hrefOf }} />}
        {reason && <span class="clamp">: <Text>{reason}</Text></span>}
      </li>
    );
  };
  return (
    <div>
      <Heading>
        {title} ({found.length})
      </Heading>
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

export function Limits({ one, shown = figure }) {
  if (one.ci_low === null || one.ci_low === undefined || one.ci_high === null) return null;
  const level = one.level ? `${Number((100 * one.level).toFixed(1))}%: ` : "";
  return (
    <span class="quiet nowrap" title={one.method}>
      {level}
      {shown(one.ci_low)} to {shown(one.ci_high)}
    </span>
  );
}
