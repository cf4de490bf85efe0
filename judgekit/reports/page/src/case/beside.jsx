// Two variants of one case beside each other: outputs with their changed words, and every metric of both.

import { useMemo, useState } from "preact/hooks";
import { figure } from "../data/figures.js";
import { outputText } from "../table/columns.js";
import { Badge, Block, Choices, Grid, Text } from "../ui.jsx";
import { SideBySide, Words } from "./checks.jsx";
import { lineRows, unifiedWords, wordDiff } from "./diff.js";
import { Input } from "./case_page.jsx";

export function Beside({ run, left, right }) {
  const [way, setWay] = useState("side");
  const [a, b] = [left, right].map((entry) => outputText(run, entry));
  const names = [left, right].map((entry) => run.entries.get(entry, "variant"));
  const ready = a !== undefined && b !== undefined;
  const words = useMemo(() => (ready && a !== null && b !== null ? wordDiff(a, b) : null), [a, b]);
  const unified = useMemo(() => (way === "unified" && ready && a !== null && b !== null ? unifiedWords(a, b) : null), [a, b, way]);
  const lines = useMemo(() => (words === null && ready && a !== null && b !== null ? lineRows(a, b) : null), [a, b, words]);
  return (
    <>
      {!run.doc.omitted && (
        <>
          <Input run={run} output={run.outputsOf.of(right)[0]} />
          <Block title="Outputs">
            {a !== null && b !== null && a === b && <p class="quiet">Both variants said the same.</p>}
            {words !== null && (
              <Choices
                label="shown"
                value={way}
                options={[
                  ["side", "side by side"],
                  ["unified", "in one text"],
                ]}
                onChoose={setWay}
              />
            )}
            {way === "unified" && unified !== null ? (
              <pre class="long" tabIndex={0} role="group" aria-label={`From ${names[0]} to ${names[1]}`}>
                {unified.map(({ text, kind }) =>
                  kind === "added" ? (
                    <ins>
                      <Text>{text}</Text>
                    </ins>
                  ) : kind === "removed" ? (
                    <del>
                      <Text>{text}</Text>
                    </del>
                  ) : (
                    <Text>{text}</Text>
                  ),
                )}
              </pre>
            ) : words === null && lines !== null ? (
              <SideBySide rows={lines.slice(0, 5000)} left={names[0]} right={names[1]} />
            ) : (
              <div class="beside">
                {[a, b].map((text, side) => (
                  <div>
                    <p>
                      <Badge status={run.entries.get([left, right][side], "status")} />{" "}
                      <strong>
                        <Text>{names[side]}</Text>
                      </strong>
                    </p>
                    <pre class="long" dir="auto" tabIndex={0} role="group" aria-label={`Output of ${names[side]}`}>
                      {text === undefined ? (
                        "unpacking…"
                      ) : text === null ? (
                        <em>no output</em>
                      ) : words ? (
                        <Words parts={side === 0 ? words.left : words.right} kind={side === 0 ? "removed" : "added"} />
                      ) : (
                        <Text>{text}</Text>
                      )}
                    </pre>
                  </div>
                ))}
              </div>
            )}
          </Block>
        </>
      )}
      <Block title="What was found">
        <Metrics {...{ run, left, right, names }} />
      </Block>
    </>
  );
}

function Metrics({ run, left, right, names }) {
  const rows = run.metrics
    .map((metric) => [metric, run.cell(left, metric), run.cell(right, metric)])
    .filter(([, a, b]) => a.status !== null || b.status !== null);
  // What differs comes first.
  const differs = ([, a, b]) => a.status !== b.status || a.score !== b.score;
  rows.sort((one, other) => Number(differs(other)) - Number(differs(one)));
  const cell = (entry, metric, { status, score }) =>
    status === null ? (
      <span class="quiet">–</span>
    ) : (
      <>
        <Badge status={status} /> {score === null ? "" : figure(score)}
        {(status === "fail" || run.doc.metrics[metric].kind === "judge") && (
          <p class="why">
            <Text>{run.reasonOf(entry, metric)}</Text>
          </p>
        )}
      </>
    );
  return (
    <Grid
      label={`Metrics of ${names[0]} and ${names[1]}`}
      class="metrics"
      header={["metric", names[0], names[1]]}
      rows={rows.map((row) => [
        <span class={differs(row) ? "" : "quiet"}>
          <Text>{row[0]}</Text>
        </span>,
        cell(left, row[0], row[1]),
        cell(right, row[0], row[2]),
      ])}
    />
  );
}
