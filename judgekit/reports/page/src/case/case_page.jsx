// One case of one variant: what was asked, what came, what was found, and the other variant beside it.

import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../app.jsx";
import { format } from "../address.js";
import { seconds, usd } from "../data/figures.js";
import { CaseLink } from "../overview/comparison.jsx";
import { Badge, Block, Cut, Disclosure, Facts, Long, Text } from "../ui.jsx";
import { Beside } from "./beside.jsx";
import { Checks } from "./checks.jsx";
import { laidOut } from "./kinds.js";
import { Output } from "./output.jsx";
import { ToolCalls } from "./tool_calls.jsx";
import { Verdicts } from "./verdicts.jsx";
import { RateOne } from "../rate/rate_one.jsx";

export function CasePage(shared) {
  const { run, state, go, list, openCase, shortcuts } = shared;
  const entry = run.entryOf(state.case, state.of) ?? run.entryOf(state.case);
  const title = useRef(null);
  const place = entry === null ? -1 : list.indexOf(entry);
  const step = (by) => {
    const next = list[place === -1 ? 0 : place + by];
    if (next !== undefined) openCase(next);
  };
  const back = () => go({ view: "cases", case: "", of: "", trial: "" }, { push: true });
  const siblings = entry === null ? [] : run.byCase.get(run.entries.get(entry, "case_id"));
  const variants = siblings.map((one) => run.entries.get(one, "variant"));
  const mine = entry === null ? "" : run.entries.get(entry, "variant");
  const reference = entry === null ? null : run.referenceOf(entry);
  const other = reference === null ? variants.find((one) => one !== mine) : run.entries.get(reference, "variant");
  const beside = state.beside === mine ? "" : variants.includes(state.beside) ? state.beside : state.beside ? other : "";
  const compare = () => other && go({ beside: beside ? "" : other });
  useKeys({ j: () => step(1), k: () => step(-1), Escape: back, c: compare }, shortcuts);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [entry]);
  if (entry === null) {
    return (
      <>
        <h1>There is no such case in this run</h1>
        <p>
          The address asks for <Text>{state.case}</Text>. <button type="button" onClick={back}>All cases</button>
        </p>
      </>
    );
  }
  const { entries } = run;
  const get = (name) => entries.get(entry, name);
  const outputs = [...run.outputsOf.of(entry)];
  const trial = outputs.find((row) => String(run.outputs.raw(row, "trial")) === state.trial) ?? firstToShow(run, entry, outputs);
  return (
    <article class="case-page" aria-labelledby="case-title">
      <div class="bar">
        <button type="button" onClick={() => step(-1)} disabled={place <= 0}>
          ← Previous
        </button>
        <button type="button" onClick={() => step(1)} disabled={place === -1 ? list.length === 0 : place === list.length - 1}>
          Next →
        </button>
        <span class="quiet">{place === -1 ? "not in the list that is shown" : `${place + 1} of ${list.length}`}</span>
        <button type="button" onClick={back}>
          Back to the table
        </button>
      </div>
      <h1 id="case-title" tabIndex={-1} ref={title}>
        <Badge status={get("status")} /> <Text>{get("case_id")}</Text>
      </h1>
      {get("name") && get("name") !== get("case_id") && (
        <p>
          <Text>{get("name")}</Text>
        </p>
      )}
      {get("description") && (
        <p class="quiet">
          <Text>{get("description")}</Text>
        </p>
      )}
      {siblings.length > 1 && (
        <nav class="siblings" aria-label="Variants of this case">
          {siblings.map((one) => (
            <span class={one === entry ? "here" : ""}>
              {one === entry ? (
                <span aria-current="true">
                  <Badge status={entries.get(one, "status")} /> <Text>{entries.get(one, "variant")}</Text>
                </span>
              ) : (
                <CaseLink {...shared} entry={one}>
                  <Badge status={entries.get(one, "status")} /> <Text>{entries.get(one, "variant")}</Text>
                </CaseLink>
              )}
            </span>
          ))}
          <button type="button" aria-pressed={String(Boolean(beside))} onClick={compare}>
            Side by side
          </button>
          {beside && siblings.length > 2 && (
            <label>
              with{" "}
              <select value={beside} onInput={(event) => go({ beside: event.target.value })}>
                {variants
                  .filter((one) => one !== mine)
                  .map((one) => (
                    <option value={one}>{one}</option>
                  ))}
              </select>
            </label>
          )}
        </nav>
      )}
      {get("reason") && (
        <p class={`reason ${get("status")}`}>
          <Text>{get("reason")}</Text>
        </p>
      )}
      {beside ? (
        <Beside run={run} left={run.entryOf(state.case, beside)} right={entry} />
      ) : (
        <>
          {outputs.length > 1 && <Trials {...{ run, outputs, trial, go }} />}
          <Trial key={trial} {...shared} entry={entry} output={trial} />
        </>
      )}
      <Facts
        pairs={[
          ["suite", get("suite")],
          ["agent", get("agent")],
          ["tags", (get("tags") ?? "").split(";").join(", ")],
          ["file", get("file") && `${get("file")}${get("line") === null ? "" : `:${get("line")}`}`],
          ["gate", get("gated") ? null : "does not decide on this variant"],
          ["link", <a href={format({ ...state, view: "case" })}>to this view</a>],
        ]}
      />
    </article>
  );
}

/** The trial that the standing of the case speaks of. */
function firstToShow(run, entry, outputs) {
  const status = run.entries.get(entry, "status");
  return outputs.find((row) => run.outputs.get(row, "status") === status) ?? outputs[0];
}

function Trials({ run, outputs, trial, go }) {
  return (
    <div class="choices trials" role="group" aria-label="Trials">
      {outputs.map((row) => (
        <button type="button" aria-pressed={String(row === trial)} onClick={() => go({ trial: String(run.outputs.raw(row, "trial")) })}>
          <Badge status={run.outputs.get(row, "status")} /> trial {run.outputs.raw(row, "trial")}
        </button>
      ))}
    </div>
  );
}

function Trial(shared) {
  const { run, output } = shared;
  const { outputs } = run;
  const [mark, setMark] = useState("all");
  const get = (name) => outputs.get(output, name);
  const several = run.outputsOf.of(shared.entry).length > 1;
  return (
    <div class="two">
      <div>
        {several && get("reason") && (
          <p class="reason">
            <Text>{get("reason")}</Text>
          </p>
        )}
        {!run.doc.omitted && (
          <>
            <Input run={run} output={output} />
            <Output run={run} output={output} mark={mark} onMark={setMark} />
            <ToolCalls run={run} output={output} />
          </>
        )}
        <Facts
          pairs={[
            ["model", get("model")],
            ["finish reason", get("finish_reason")],
            ["tokens", get("input_tokens") === null && get("output_tokens") === null ? null : `${get("input_tokens") ?? "?"} in, ${get("output_tokens") ?? "?"} out`],
            ["cost", get("cost_usd") === null ? null : usd(get("cost_usd"))],
            ["took", seconds(get("latency_s"))],
            ["flags", get("flags")],
          ]}
        />
      </div>
      <div>
        <Checks run={run} output={output} mark={mark} onMark={setMark} />
        <Verdicts run={run} output={output} />
        {!run.doc.omitted && <RateOne {...shared} />}
      </div>
    </div>
  );
}

export function Input({ run, output }) {
  const { outputs } = run;
  const reference = outputs.get(output, "reference");
  const context = outputs.get(output, "context");
  const vars = outputs.get(output, "vars");
  const pieces = [];
  for (let at = 0; context && at < context.length; at += 2) pieces.push([context[at], context[at + 1]]);
  return (
    <Block title="Input">
      <Long label="Input" text={outputs.get(output, "input") ?? ""} />
      <Cut {...{ run, table: outputs, row: output, name: "input", file: "outputs.jsonl" }} />
      {reference !== null && (
        <Disclosure summary="Reference">
          <Long label="Reference" text={reference} />
        </Disclosure>
      )}
      {pieces.length > 0 && (
        <Disclosure summary={`Context (${pieces.length})`}>
          {pieces.map(([id, text]) => (
            <>
              {id && <p class="quiet">{id}</p>}
              <Long label="Context" text={text} />
            </>
          ))}
        </Disclosure>
      )}
      {vars && (
        <Disclosure summary="Variables">
          <Long label="Variables" text={laidOut(vars) ?? vars} />
        </Disclosure>
      )}
    </Block>
  );
}
