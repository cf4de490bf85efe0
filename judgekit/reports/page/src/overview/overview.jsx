// The summary of a run in the order of a reader's questions: did it pass, what changed, how sure is that, at what cost.

import { count, figure, percent, quantile, seconds, usd } from "../data/figures.js";
import { Badge, Disclosure, Facts, Grid, Section, Sentences, Text } from "../ui.jsx";
import { Trend } from "./charts.jsx";
import { noFilters } from "../address.js";
import { Changes, Comparisons } from "./comparison.jsx";
import { Scores, Variants } from "./scores.jsx";

export function Overview(shared) {
  const { run } = shared;
  return (
    <>
      <Head doc={run.doc} />
      <Decision doc={run.doc} />
      <Care doc={run.doc} />
      <Comparisons {...shared} />
      <Since {...shared} />
      <Baseline doc={run.doc} />
      <Agents doc={run.doc} />
      <Variants {...shared} />
      <Scores {...shared} />
      <Cost run={run} />
      <Judges doc={run.doc} />
      <Made doc={run.doc} />
    </>
  );
}

function Head({ doc }) {
  const { run } = doc;
  return (
    <>
      <h1>
        <Text>{doc.title}</Text>
      </h1>
      <Facts
        pairs={[
          ["run", run.run_id],
          ["started", run.started_at],
          ["finished", run.finished_at],
          ["command", run.command && <code>{[run.command].flat().join(" ")}</code>],
        ]}
      />
    </>
  );
}

function Decision({ doc }) {
  const { decision } = doc.summary;
  const unenforced = !decision.passed && decision.exit_code === 0 ? ": the gate was not enforced" : "";
  return (
    <Section id="decision" title="Decision">
      <div class={`decision ${decision.passed ? "pass" : "fail"}`}>
        <p class="verdict">
          <Badge status={decision.passed ? "pass" : decision.exit_code === 1 ? "fail" : "error"} />{" "}
          <strong>{decision.passed ? "The gate passed" : "The gate did not pass"}</strong> (exit code {decision.exit_code}
          {unenforced})
        </p>
        <ul>
          {decision.reasons.map((reason) => (
            <li>
              <Text>{reason}</Text>
            </li>
          ))}
        </ul>
        {doc.run.partial && <p>This run is partial: not everything that was selected has been done.</p>}
      </div>
      {decision.rules.length > 0 && (
        <Disclosure summary={`Rules of the gate (${decision.rules.length})`}>
          <Grid
            label="Rules of the gate"
            header={["rule", "variant", "outcome", "value", "scored", "reason"]}
            rows={decision.rules.map((rule) => [
              <Text>{rule.rule}</Text>,
              <Text>{rule.variant}</Text>,
              <Badge status={{ holds: "pass", fails: "fail" }[rule.outcome] ?? "error"} />,
              figure(rule.value),
              `${rule.n_scored} of ${rule.n_total}`,
              <Text>{rule.reason}</Text>,
            ])}
          />
        </Disclosure>
      )}
    </Section>
  );
}

function Care({ doc }) {
  const found = [
    ...(doc.omitted ? ["Inputs, outputs, prompts and replies are left out of this page; reasons may quote a few words of them."] : []),
    ...(doc.note ? [doc.note] : []),
    ...doc.summary.warnings,
  ];
  const cut = Object.keys(doc.cut).length;
  if (cut > 0)
    found.push(`${cut === 1 ? "One text is" : `${count(cut)} texts are`} shortened here, and whole in ${doc.side ? "the page beside this one" : "the run folder"}.`);
  if (found.length === 0) return null;
  return (
    <Section id="warnings" title="Read with care">
      <ul>
        {found.map((warning) => (
          <li>
            <Text>{warning}</Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What became of the cases since an earlier run. */
function Since({ run, go, openCase, hrefOf }) {
  const { since } = run.doc.summary;
  if (!since) return null;
  const of = (kind) =>
    since.flips
      .filter((one) => one.kind === kind)
      .map(({ case_id: id, variant, reason }) => ({ id, variant, reason: reason && (kind === "fixed" ? `was: ${reason}` : reason) }));
  const isSame = since.flips.length === 0 && since.definitions_changed.length === 0;
  const more = since.newly_failing + since.fixed - since.flips.length;
  return (
    <Section id="since" title="Since the earlier run">
      <p>
        <Text>{run.doc.said.since[0]}</Text>
      </p>
      {!isSame && (
        <>
          <div class="columns">
            <Changes heading="h3" title="Newly failing" found={of("newly failing")} {...{ run, openCase, hrefOf }} />
            <Changes heading="h3" title="Fixed" found={of("fixed")} {...{ run, openCase, hrefOf }} />
          </div>
          {more > 0 && <p class="quiet">{more} more are counted and not listed.</p>}
          <p>
            <button type="button" onClick={() => go({ ...noFilters, view: "cases", changed: "any" }, { push: true })}>
              Every case that changed
            </button>
          </p>
        </>
      )}
    </Section>
  );
}

function Baseline({ doc }) {
  if (doc.said.baseline.length === 0) return null;
  return (
    <Section id="baseline" title="Baseline">
      <Sentences lines={doc.said.baseline} />
    </Section>
  );
}

/** A score, and how many of the golden fixtures it is the mean of where that is not all. */
function AgentScore({ one }) {
  const part = one.n_scored > 0 && one.n_scored < one.n_golden;
  return (
    <span>
      {figure(one.score, one.threshold)}
      {part && <span class="missing"> ({one.n_scored} of {one.n_golden})</span>}
      {one.threshold !== null && <span class="quiet"> (at least {figure(one.threshold)})</span>}
    </span>
  );
}

function Agents({ doc }) {
  const { agents, history } = doc;
  if (agents.length === 0 && history.length === 0) return null;
  const rows = agents.map((one) => [
    <Text>{one.agent}</Text>,
    <Text>{one.rubric}</Text>,
    <Badge status={one.passed ? "pass" : "fail"} />,
    <AgentScore one={one} />,
    one.n_golden,
    one.n_negative,
    one.n_violations ? <strong class="missing">{one.n_violations}</strong> : 0,
  ]);
  const series = new Map();
  for (const row of history) {
    const key = JSON.stringify([row.agent, row.rubric]);
    if (!series.has(key)) series.set(key, []);
    series.get(key).push(row);
  }
  return (
    <Section id="agents" title="Agents">
      {rows.length > 0 && (
        <Grid label="Agents and their rubrics" header={["agent", "rubric", "state", "score", "golden cases", "negative cases", "violations"]} rows={rows} />
      )}
      {series.size > 0 && (
        <ul class="trends">
          {[...series.values()].map((found) => {
            const last = found.at(-1);
            return (
              <li>
                <p>
                  <strong>
                    <Text>{last.agent}</Text>
                  </strong>{" "}
                  <Text>{last.rubric}</Text>: {found.length} runs, last {figure(last.score, last.threshold)}
                </p>
                <Trend
                  low={0}
                  high={1}
                  threshold={last.threshold}
                  points={found.map((row) => ({ value: row.score, title: `${row.time} ${row.revision ?? ""} ${figure(row.score, row.threshold)}` }))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

/** Sums and quantiles of the targets by variant; what no output tells is unknown. */
function targetFigures(run) {
  const found = new Map(run.variants.map((variant) => [variant, { cost: [], input: [], output: [], latency: [], n: 0 }]));
  const { outputs, entries } = run;
  for (let row = 0; row < outputs.length; row += 1) {
    const one = found.get(entries.get(outputs.raw(row, "entry"), "variant"));
    one.n += 1;
    for (const [key, name] of [["cost", "cost_usd"], ["input", "input_tokens"], ["output", "output_tokens"], ["latency", "latency_s"]]) {
      const value = outputs.raw(row, name);
      if (value !== null) one[key].push(value);
    }
  }
  return found;
}

function Cost({ run }) {
  const { cost, tokens, judge_calls: calls } = run.doc.summary;
  const sum = (numbers) => (numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0));
  const some = (numbers, n) => numbers.length < n && numbers.length > 0 && <span class="missing"> · {numbers.length} of {n} known</span>;
  const rows = [...targetFigures(run)].map(([variant, one]) => [
    <Text>{variant}</Text>,
    one.n,
    <span>{usd(sum(one.cost))}{some(one.cost, one.n)}</span>,
    count(sum(one.input)),
    count(sum(one.output)),
    <span>{seconds(quantile(one.latency, 0.5)) ?? "unknown"}{some(one.latency, one.n)}</span>,
    seconds(quantile(one.latency, 0.95)) ?? "unknown",
  ]);
  return (
    <Section id="costs" title="Cost and time">
      <Facts
        pairs={[
          ["targets", usd(cost.target_usd)],
          ["judge", usd(cost.judge_usd)],
          ["judge calls made", count(calls.made)],
          ["from the cache", count(calls.cached)],
          ["saved by failed checks", `${count(calls.skipped)} calls${cost.saved_usd ? `, ${usd(cost.saved_usd)}` : ""}`],
          ["without a known price", cost.unpriced.join(", ")],
          ...Object.entries(tokens ?? {})
            .filter(([name, value]) => value !== null && name.startsWith("judge"))
            .map(([name, value]) => [`${name.replaceAll("_", " ")} tokens`, count(value)]),
        ]}
      />
      <Grid
        label="Targets by variant"
        header={["target", "outputs", "cost", "tokens in", "tokens out", "latency, median", "95% under"]}
        rows={rows}
      />
    </Section>
  );
}

function Judges({ doc }) {
  if (doc.judges.length === 0) return null;
  const words = (params) =>
    params === null
      ? "not known"
      : Object.entries(params)
          .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
          .join(", ") || "none";
  return (
    <Section id="judges" title="The judge">
      <Grid
        label="What the judge was asked for, and what was applied"
        header={["rubric", "model", "asked for", "applied", "returned as", "identity"]}
        rows={doc.judges.map((judge) => {
          const [asked, applied] = [words(judge.params_requested), words(judge.params_applied)];
          return [
            <Text>{judge.rubric}</Text>,
            <Text>{judge.judge}</Text>,
            <Text>{asked}</Text>,
            asked === applied ? <Text>{applied}</Text> : <strong class="missing">{applied}</strong>,
            <Text>{(judge.models_returned ?? []).join(", ")}</Text>,
            <code>{String(judge.identity).slice(0, 12)}</code>,
          ];
        })}
      />
      <Sentences lines={doc.said.judges} />
    </Section>
  );
}

function Made({ doc }) {
  const { versions, seed } = doc.run;
  const trials = doc.summary.estimates.find((one) => one.level);
  return (
    <Section id="made" title="How this was made">
      <Facts
        pairs={[
          ...Object.entries(versions ?? {}),
          ["seed", seed === null || seed === undefined ? null : String(seed)],
          ["intervals", trials ? `${percent(trials.level)}; the method shows where the pointer rests on one` : null],
        ]}
      />
    </Section>
  );
}
