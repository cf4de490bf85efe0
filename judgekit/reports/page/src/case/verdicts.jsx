// What judges said of an output: a row per rubric and judge, behind it every sample with prompt, reply and cost.

import { figure, seconds, usd } from "../data/figures.js";
import { TrustBadge } from "../overview/trust.jsx";
import { Badge, Block, Cut, Disclosure, Facts, Long, Text } from "../ui.jsx";
import { laidOut } from "./kinds.js";
import { Measured } from "./checks.jsx";

export function Verdicts({ run, output }) {
  const { results, verdicts } = run;
  const rows = [...run.resultsOf.of(output)].filter((row) => results.get(row, "kind") === "judge");
  const samples = [...run.verdictsOf.of(output)];
  if (rows.length === 0 && samples.length === 0) return null;
  const belongs = (row) => (sample) =>
    verdicts.get(sample, "rubric") === results.get(row, "metric") &&
    (verdicts.get(sample, "judge") === results.get(row, "judge") || results.get(row, "judge") === null) &&
    (verdicts.get(sample, "against") ?? "") === (results.get(row, "against") ?? "");
  const placed = new Set(rows.flatMap((row) => samples.filter(belongs(row))));
  const rest = samples.filter((sample) => !placed.has(sample));
  return (
    <Block title="Judged">
      <ul class="results">
        {rows.map((row) => (
          <Judged {...{ run, row }} samples={samples.filter(belongs(row))} />
        ))}
        {rest.length > 0 && (
          <li>
            {rest.map((sample) => (
              <Sample {...{ run, sample }} several />
            ))}
          </li>
        )}
      </ul>
    </Block>
  );
}

function Judged({ run, row, samples }) {
  const { results, doc } = run;
  const get = (name) => results.get(row, name);
  const metric = get("metric");
  const scale = doc.metrics[metric];
  const n = get("n_samples");
  return (
    <li class={get("status")}>
      <p>
        <Badge status={get("status")} />{" "}
        <strong>
          <Text>{metric}</Text>
        </strong>
        {get("against") && <span> against {get("against")}</span>}
        <Measured run={run} row={row} />
        {get("score") !== null && scale && !get("label") && (
          <span class="quiet">
            {" "}
            on {figure(scale.scale_min)}–{figure(scale.scale_max)}
          </span>
        )}
        {n > 1 && (
          <span class="quiet">
            {" "}
            · {n} samples{get("score_sd") !== null && `, spread ${figure(Number(get("score_sd").toPrecision(2)))}`}
          </span>
        )}
        {!get("required") && <span class="quiet"> not required</span>} <TrustBadge doc={doc} metric={metric} judge={get("judge")} />
      </p>
      {get("reason") && (
        <p class="why">
          <Text>{get("reason")}</Text>
        </p>
      )}
      {samples.map((sample) => (
        <Sample {...{ run, sample }} several={samples.length > 1} />
      ))}
      {scale?.question && (
        <Disclosure summary="What was asked">
          <p>
            <Text>{scale.question}</Text>
          </p>
          {scale.anchors && <Facts pairs={Object.entries(scale.anchors)} />}
        </Disclosure>
      )}
    </li>
  );
}

function Sample({ run, sample, several }) {
  const { verdicts } = run;
  const get = (name) => verdicts.get(sample, name);
  const first = run.shownFirst(sample);
  const items = get("items") ?? [];
  const pairs = [];
  for (let at = 0; at < items.length; at += 2) pairs.push([items[at], items[at + 1]]);
  const said = get("label") || (get("score") === null ? get("cause") : figure(get("score")));
  const number = get("sample");
  const name = first ? `${first} shown first${number > 0 ? `, sample ${number}` : ""}` : several && `sample ${number}`;
  const title = [
    name && `${name}: ${said}`,
    get("judge"),
    get("cached") && "from the cache",
    get("repaired") && "asked twice",
  ];
  const reply = get("reply");
  return (
    <div class="sample">
      {several && get("reason") && (
        <p class="why">
          <strong>{name}: </strong>
          <Text>{get("reason")}</Text>
        </p>
      )}
      <Facts pairs={pairs} />
      <Disclosure summary={<Text>{title.filter(Boolean).join(" · ")}</Text>}>
        <Facts
          pairs={[
            ["cause", get("cause")],
            ["model returned", get("model_returned")],
            ["asked for", get("params_requested")],
            ["applied", get("params_applied") ?? (get("params_requested") && "not known")],
            ["tokens", get("input_tokens") === null ? null : `${get("input_tokens")} in, ${get("output_tokens") ?? "?"} out`],
            ["cost", get("cost_usd") === null ? null : usd(get("cost_usd"))],
            ["took", seconds(get("latency_s"))],
            ["flags", get("flags")],
          ]}
        />
        {!run.doc.omitted && get("prompt") !== null && (
          <>
            <h3>Prompt as sent</h3>
            <Long label="Prompt as sent" text={get("prompt")} />
            <Cut {...{ run, table: verdicts, row: sample, name: "prompt", file: "verdicts.jsonl" }} />
          </>
        )}
        {!run.doc.omitted && reply !== null && (
          <>
            <h3>Raw reply</h3>
            <Long label="Raw reply" text={reply && (laidOut(reply) ?? reply)} />
            <Cut {...{ run, table: verdicts, row: sample, name: "reply", file: "verdicts.jsonl" }} />
          </>
        )}
      </Disclosure>
    </div>
  );
}
