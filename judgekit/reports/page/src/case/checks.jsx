// The checks of an output: what failed first, with what is missing, where, and how it differs from its golden file.

import { useState } from "preact/hooks";
import { figure } from "../data/figures.js";
import { SEVERITY } from "../data/run.js";
import { Badge, Block, Choices, Cut, Disclosure, Long, Text } from "../ui.jsx";
import { sideBySide, wordDiff } from "./diff.js";
import { laidOut } from "./kinds.js";

export function Checks({ run, output, mark, onMark }) {
  const { results } = run;
  const rows = [...run.resultsOf.of(output)].filter((row) => results.get(row, "kind") !== "judge");
  if (rows.length === 0) return null;
  rows.sort((a, b) => (SEVERITY[results.get(a, "status")] ?? 9) - (SEVERITY[results.get(b, "status")] ?? 9) || a - b);
  return (
    <Block title="Checks">
      <ul class="results">
        {rows.map((row) => (
          <Check {...{ run, row, mark, onMark }} />
        ))}
      </ul>
    </Block>
  );
}

function Check({ run, row, mark, onMark }) {
  const { results } = run;
  const get = (name) => results.get(row, name);
  const metric = get("metric");
  const diff = get("diff");
  const detail = get("detail");
  return (
    <li class={get("status")}>
      <p>
        <Badge status={get("status")} />{" "}
        <strong>
          <Text>{metric}</Text>
        </strong>
        <Measured run={run} row={row} />
        {!get("required") && <span class="quiet"> not required</span>}
        {get("flags") && <span class="quiet"> {get("flags").split(";").join(", ")}</span>}
        {results.raw(row, "spans") !== null && (
          <>
            {" "}
            <button type="button" class="small" aria-pressed={String(mark === metric)} onClick={() => onMark(mark === metric ? "all" : metric)}>
              show in the output
            </button>
          </>
        )}
      </p>
      {get("reason") && (
        <p class="why">
          <Text>{get("reason")}</Text>
        </p>
      )}
      {diff && <GoldenDiff {...{ run, row, diff }} />}
      {detail && (
        <Disclosure summary="Figures">
          <Long label={`Figures of ${metric}`} text={laidOut(detail) ?? detail} />
        </Disclosure>
      )}
    </li>
  );
}

export function Measured({ run, row }) {
  const { results } = run;
  const score = results.raw(row, "score");
  const threshold = results.raw(row, "threshold");
  const cause = results.get(row, "cause");
  const label = results.get(row, "label");
  return (
    <>
      {cause && <span class="quiet"> {cause}</span>}
      {label && <span> {label}</span>}
      {score !== null && <span> {figure(score, threshold)}</span>}
      {score !== null && threshold !== null && <span class="quiet"> (threshold {figure(threshold)})</span>}
    </>
  );
}

function GoldenDiff({ run, row, diff }) {
  const [way, setWay] = useState("side");
  return (
    <>
      <Choices
        label="difference from the golden file"
        value={way}
        options={[
          ["side", "side by side"],
          ["unified", "unified"],
        ]}
        onChoose={setWay}
      />
      {way === "side" ? <SideBySide rows={sideBySide(diff)} left="golden file" right="output" /> : <Unified text={diff} />}
      <Cut {...{ run, table: run.results, row, name: "diff", file: "checks.jsonl" }} />
    </>
  );
}

function Unified({ text }) {
  const kindOf = (line) => {
    if (/^(---|\+\+\+) |^@@/.test(line)) return "hunk";
    return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
  };
  return (
    <Long label="Difference, unified" class="diff">
      {text.split("\n").map((line) => (
        <span class={`line ${kindOf(line)}`}>
          <Text>{line || " "}</Text>
        </span>
      ))}
    </Long>
  );
}

/** Lines of two sides in a table, with the changed words of changed lines marked. */
export function SideBySide({ rows, left, right }) {
  return (
    <div class="frame sides" role="region" tabIndex={0} aria-label={`${left} beside ${right}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Text>{left}</Text>
            </th>
            <th scope="col">
              <Text>{right}</Text>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            if (row.kind === "hunk") {
              return (
                <tr class="hunk">
                  <td colSpan={2}>{row.left}</td>
                </tr>
              );
            }
            const words = row.kind === "changed" && row.left !== null && row.right !== null ? wordDiff(row.left, row.right) : null;
            return (
              <tr class={row.kind}>
                <td class={row.left === null ? "none" : row.kind === "changed" ? "removed" : ""}>
                  {words ? <Words parts={words.left} kind="removed" /> : <Text>{row.left}</Text>}
                </td>
                <td class={row.right === null ? "none" : row.kind === "changed" ? "added" : ""}>
                  {words ? <Words parts={words.right} kind="added" /> : <Text>{row.right}</Text>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Parts of a text, the changed ones marked as gone or new. */
export function Words({ parts, kind }) {
  const Mark = kind === "added" ? "ins" : "del";
  return parts.map(({ text, changed }) =>
    changed ? (
      <Mark>
        <Text>{text}</Text>
      </Mark>
    ) : (
      <Text>{text}</Text>
    ),
  );
}
