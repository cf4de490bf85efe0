// Several runs in, each metric over time out, with links to their reports.

import { figure, percent, usd } from "./data/figures.js";
import { Trend } from "./overview/charts.jsx";
import { Badge, Grid, Section, Text } from "./ui.jsx";

export function RunIndex({ doc }) {
  const runs = doc.runs;
  const series = new Map();
  runs.forEach((run, place) => {
    for (const one of run.estimates) {
      const key = JSON.stringify([one.metric, one.kind, one.against ?? "", one.scale_min, one.scale_max]);
      if (!series.has(key)) series.set(key, new Map());
      const byVariant = series.get(key);
      if (!byVariant.has(one.variant)) byVariant.set(one.variant, Array.from({ length: runs.length }, () => null));
      byVariant.get(one.variant)[place] = one;
    }
  });
  const bounds = (found) => {
    const { scale_min: low = 0, scale_max: high = 1 } = found.find(Boolean);
    return [low ?? 0, high ?? 1];
  };
  return (
    <>
      <header class="top">
        <p class="title">
          <Text>{doc.title}</Text>
        </p>
      </header>
      <main id="main">
        <h1>
          <Text>{doc.title}</Text>
        </h1>
        <Section id="runs" title={`Runs (${runs.length})`}>
          <Grid
            label="Runs, oldest first"
            header={["run", "started", "decision", "cases", "passed", "failed", "error", "cost"]}
            rows={runs.map((run) => [
              run.href ? (
                <a href={run.href}>
                  <Text>{run.run_id}</Text>
                </a>
              ) : (
                <Text>{run.run_id}</Text>
              ),
              run.started_at,
              <Badge status={run.passed ? "pass" : run.exit_code === 1 ? "fail" : "error"} />,
              run.counts.cases,
              run.counts.pass,
              run.counts.fail,
              run.counts.error,
              usd(run.cost_usd),
            ])}
          />
        </Section>
        <Section id="metrics" title="Each metric over time">
          {[...series].map(([key, byVariant]) => {
            const [metric, kind, against] = JSON.parse(key);
            return (
              <div class="over-time">
                <h3>{kind === "case" ? "cases that pass" : <Text>{against ? `${metric} in pairs with ${against}` : metric}</Text>}</h3>
                <ul class="trends">
                  {[...byVariant].map(([variant, found]) => {
                    const [low, high] = bounds(found);
                    const last = found.findLast((one) => one !== null);
                    return (
                      <li>
                        <p>
                          <strong>
                            <Text>{variant}</Text>
                          </strong>{" "}
                          last {kind === "case" ? percent(last.mean) : figure(last.mean)}{" "}
                          <span class="quiet">
                            ({last.n_scored} of {last.n_total} scored)
                          </span>
                        </p>
                        <Trend
                          low={low}
                          high={high}
                          points={found.map((one, place) => ({
                            value: one?.mean ?? null,
                            low: one?.ci_low,
                            high: one?.ci_high,
                            title: `${runs[place].run_id}: ${figure(one?.mean)}`,
                          }))}
                        />
                      </li>
                    );
                  })}
                </ul>
                <details>
                  <summary>Figures</summary>
                  <Grid
                    label={`${metric} by run`}
                    header={["run", ...byVariant.keys()]}
                    rows={runs.map((run, place) => [
                      <Text>{run.run_id}</Text>,
                      ...[...byVariant.values()].map((found) => {
                        const one = found[place];
                        if (one === null) return "–";
                        const limits = one.ci_low === null || one.ci_low === undefined ? "" : ` (${figure(one.ci_low)} to ${figure(one.ci_high)})`;
                        return `${figure(one.mean)}${limits}, ${one.n_scored} of ${one.n_total}`;
                      }),
                    ])}
                  />
                </details>
              </div>
            );
          })}
        </Section>
      </main>
    </>
  );
}
