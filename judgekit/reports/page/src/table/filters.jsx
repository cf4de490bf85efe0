// Every filter of the table as a field; what they say stands in the address.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isFiltered } from "../address.js";
import { count } from "../data/figures.js";
import { SEVERITY } from "../data/run.js";
import { noFilters } from "../address.js";
import { word } from "../ui.jsx";

const DELAY_MS = 150;

export function Filters({ run, state, go }) {
  const counts = useMemo(() => {
    const causes = new Map();
    for (let entry = 0; entry < run.entries.length; entry += 1)
      for (const cause of run.causesOf(entry)) causes.set(cause, (causes.get(cause) ?? 0) + 1);
    const statuses = [...run.valuesOf("status")].sort(([a], [b]) => (SEVERITY[a] ?? 9) - (SEVERITY[b] ?? 9));
    return {
      status: statuses,
      variant: [...run.valuesOf("variant")],
      suite: [...run.valuesOf("suite")],
      agent: [...run.valuesOf("agent")],
      tag: [...run.valuesOf("tags")],
      cause: [...causes],
    };
  }, [run]);
  const choice = (name, label, atLeast = 2) =>
    counts[name].length >= atLeast && (
      <Select
        {...{ name, label, value: state[name] }}
        options={counts[name].map(([value, n]) => [value, `${word(value)} (${count(n)})`])}
        onChoose={(value) => go({ [name]: value })}
      />
    );
  const scale = run.doc.metrics[state.metric];
  const check = (name, label) => (
    <label class="check">
      <input type="checkbox" id={`filter-${name}`} checked={state[name]} onInput={(event) => go({ [name]: event.target.checked })} /> {label}
    </label>
  );
  const hasReference = Object.keys(run.doc.against).length > 0 && run.variants.length > 1;
  return (
    <form class="filters" role="search" aria-label="Filter the cases" onSubmit={(event) => event.preventDefault()}>
      <SearchField value={state.q} onSearch={(q) => go({ q })} />
      {choice("status", "Status")}
      {choice("variant", "Variant")}
      {choice("suite", "Suite")}
      {choice("agent", "Agent")}
      {choice("tag", "Tag", 1)}
      {choice("cause", "Cause", 1)}
      {run.metrics.length > 0 && (
        <Select
          name="metric"
          label="Metric"
          value={state.metric}
          empty="none"
          options={run.metrics.map((name) => [name, name])}
          onChoose={(metric) => go(metric === "" ? { metric, result: "", low: "", high: "" } : { metric })}
        />
      )}
      {state.metric !== "" && (
        <>
          <Select
            name="result"
            label="Its result"
            value={state.result}
            options={[...["pass", "fail", "scored", "unscored", "error", "skipped"].map((one) => [one, one]), ["without", "without a score"]]}
            onChoose={(result) => go({ result })}
          />
          <Range {...{ state, go, low: scale?.scale_min ?? 0, high: scale?.scale_max ?? 1 }} />
        </>
      )}
      {run.doc.summary.since && (
        <Select
          name="changed"
          label="Since the earlier run"
          value={state.changed}
          options={[
            ["any", "changed"],
            ["failing", "newly failing"],
            ["fixed", "fixed"],
            ["changed", "definition changed"],
          ]}
          onChoose={(changed) => go({ changed })}
        />
      )}
      {run.variants.length > 1 && check("differ", "only where variants differ")}
      {hasReference && check("worse", "only regressions")}
      {isFiltered(state) && (
        <button type="button" onClick={() => go(noFilters)}>
          Clear filters
        </button>
      )}
    </form>
  );
}

function Select({ name, label, value, options, onChoose, empty = "all" }) {
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} value={value} onInput={(event) => onChoose(event.target.value)}>
        <option value="">{empty}</option>
        {options.map(([one, shown]) => (
          <option value={one}>{shown}</option>
        ))}
      </select>
    </div>
  );
}

function Range({ state, go, low, high }) {
  const field = (name, label, hint) => (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <input
        id={`filter-${name}`}
        type="number"
        step="any"
        placeholder={String(hint)}
        value={state[name]}
        onInput={(event) => go({ [name]: event.target.value })}
      />
    </div>
  );
  return (
    <>
      {field("low", "Score from", low)}
      {field("high", "to", high)}
    </>
  );
}

/** Searches when typing rests: every letter would look through all texts. */
function SearchField({ value, onSearch }) {
  const [typed, setTyped] = useState(value);
  const waiting = useRef(0);
  useEffect(() => setTyped(value), [value]);
  return (
    <div class="search">
      <label for="filter-q">Search in ids, inputs, outputs and reasons</label>
      <input
        id="filter-q"
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          const text = event.target.value;
          setTyped(text);
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => onSearch(text), DELAY_MS);
        }}
      />
    </div>
  );
}
