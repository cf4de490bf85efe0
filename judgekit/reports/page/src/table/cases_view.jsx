// The list of cases in, a table that draws only the rows in sight; filters, columns and a map of all cases above it.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { useKeys } from "../app.jsx";
import { count, figure } from "../data/figures.js";
import { Badge, download, Text } from "../ui.jsx";
import { CaseLink } from "../overview/comparison.jsx";
import { chosenColumns, outputText, writtenColumns } from "./columns.js";
import { csv } from "./csv.js";
import { Filters } from "./filters.jsx";
import { HeatMap } from "./heat_map.jsx";

/** Height of a row in rem, as page.css has it: rows of one height never jump while they are scrolled. */
const ROW_REM = 4;

export function CasesView(shared) {
  const { run, state, go, list, columns, shortcuts } = shared;
  const names = chosenColumns(run, columns, state);
  const shown = columns.filter((column) => names.includes(column.name));
  const table = useRef(null);
  useKeys(
    {
      "/": () => document.getElementById("filter-q").focus(),
      j: () => table.current?.step(1),
      k: () => table.current?.step(-1),
    },
    shortcuts,
  );
  const save = () => {
    const rows = list.map((entry) => shown.map((column) => column.text(entry)));
    download(`${run.doc.run.run_id}.cases.csv`, csv(shown.map((column) => column.metric ?? column.name), rows));
  };
  return (
    <>
      <h1 class="hidden">Cases</h1>
      <Filters {...shared} />
      <div class="tools">
        <p role="status">
          <strong>{count(list.length)}</strong> of {count(run.entries.length)} shown
          {state.q !== "" && !run.texts.complete && <span class="missing"> · still unpacking</span>}
        </p>
        <ColumnChoice {...{ columns, names, go }} />
        <button type="button" onClick={save} disabled={list.length === 0}>
          Save as CSV
        </button>
      </div>
      <HeatMap {...shared} />
      <CasesTable {...shared} shown={shown} handle={table} />
    </>
  );
}

function ColumnChoice({ columns, names, go }) {
  const toggle = (name) => {
    const after = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    go({ columns: writtenColumns(after) });
  };
  return (
    <details class="menu">
      <summary>Columns</summary>
      <div class="sheet">
        {columns.map((column) => (
          <label>
            <input
              type="checkbox"
              checked={names.includes(column.name)}
              disabled={column.name === "case_id"}
              onInput={() => toggle(column.name)}
            />{" "}
            <Text>{column.title}</Text>
          </label>
        ))}
        <button type="button" onClick={() => go({ columns: "" })}>
          As at first
        </button>
      </div>
    </details>
  );
}

function CasesTable({ run, state, go, list, shown, openCase, hrefOf, handle }) {
  const scroller = useRef(null);
  const virtual = useRows(scroller, list.length);
  const [current, setCurrent] = useState(-1);
  const items = virtual?.getVirtualItems() ?? [];
  const before = items[0]?.start ?? 0;
  const after = (virtual?.getTotalSize() ?? 0) - (items.at(-1)?.end ?? 0);
  const kept = useRef(null);
  useLayoutEffect(() => {
    // Coming back from a case, its row is where the reader left it.
    const at = list.findIndex((entry) => entry === lastOpened.get(run));
    setCurrent(at);
    if (virtual && at >= 0) virtual.scrollToIndex(at, { align: "center" });
    else if (scroller.current) scroller.current.scrollTop = 0;
  }, [virtual, list]);
  handle.current = {
    step(by) {
      const next = Math.min(Math.max(current + by, 0), list.length - 1);
      setCurrent(next);
      virtual.scrollToIndex(next);
      kept.current = list[next];
      requestAnimationFrame(() => scroller.current?.querySelector(`tr[data-entry="${list[next]}"] a`)?.focus());
    },
  };
  const open = (entry) => {
    lastOpened.set(run, entry);
    openCase(entry);
  };
  const head = (column) => {
    const down = state.sort === `-${column.name}`;
    const up = state.sort === column.name;
    return (
      <th scope="col" class={column.kind} aria-sort={up ? "ascending" : down ? "descending" : undefined}>
        <button type="button" onClick={() => go({ sort: up ? `-${column.name}` : column.name })}>
          <Text>{column.title}</Text>
          <span aria-hidden="true">{up ? " ▲" : down ? " ▼" : ""}</span>
        </button>
      </th>
    );
  };
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label="Cases by variant">
      <table class="cases" aria-rowcount={list.length + 1}>
        <caption class="hidden">Cases by variant; open one by its name</caption>
        <thead>
          <tr aria-rowindex={1}>{shown.map(head)}</tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} columns={shown.length} />}
          {items.map(({ index }) => {
            const entry = list[index];
            return (
              <tr
                key={entry}
                data-entry={entry}
                aria-rowindex={index + 2}
                class={index === current ? "current" : ""}
                onClick={(event) => {
                  if (!event.target.closest("a") && String(getSelection()) === "") open(entry);
                }}
              >
                {shown.map((column) => (
                  <Cell {...{ run, column, entry, openCase: open, hrefOf, isWorse: state.worse }} />
                ))}
              </tr>
            );
          })}
          {after > 0 && <Space height={after} columns={shown.length} />}
        </tbody>
      </table>
      {list.length === 0 && <p class="quiet none">No case fits these filters.</p>}
    </div>
  );
}

/** The case that was opened from the table last, by run. */
const lastOpened = new WeakMap();

function Space({ height, columns }) {
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}

/** The rows in sight, as the virtualiser of @tanstack/virtual-core finds them. */
function useRows(scroller, length) {
  const [, again] = useReducer((n) => n + 1, 0);
  const [virtual, setVirtual] = useState(null);
  const options = useMemo(
    () => ({
      getScrollElement: () => scroller.current,
      estimateSize: () => ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize),
      overscan: 12,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => again(),
    }),
    [],
  );
  useLayoutEffect(() => {
    const made = new Virtualizer({ ...options, count: length });
    const end = made._didMount();
    made._willUpdate();
    setVirtual(made);
    return end;
  }, []);
  if (virtual && virtual.options.count !== length) virtual.setOptions({ ...options, count: length });
  useLayoutEffect(() => virtual?._willUpdate());
  return virtual;
}

export function Cell({ run, column, entry, openCase, hrefOf, isWorse }) {
  if (column.kind === "status") {
    return (
      <td class="status">
        <Badge status={run.entries.get(entry, "status")} />
      </td>
    );
  }
  if (column.kind === "case") {
    return (
      <th scope="row" class="case">
        <CaseLink {...{ run, entry, openCase, hrefOf }} />
        <Changed run={run} entry={entry} />
        <span class="excerpt">
          <Text>{isWorse ? whatIsWorse(run, entry) : excerpt(run, entry)}</Text>
        </span>
      </th>
    );
  }
  if (column.kind === "metric") {
    const { status, score, cause } = run.cell(entry, column.metric);
    if (status === null) return <td class="metric quiet">–</td>;
    return (
      <td class={`metric ${status}`}>
        <span class={`mark ${status}`}>{score === null ? <span title={cause}>{status}</span> : column.show(entry)}</span>
      </td>
    );
  }
  const text = column.show ? column.show(entry) : column.text(entry);
  return (
    <td class={column.kind}>
      <span class="clamp">
        <Text>{text.length > 300 ? `${text.slice(0, 300)}…` : text}</Text>
      </span>
    </td>
  );
}

function Changed({ run, entry }) {
  const kind = run.sinceLast(entry);
  const words = { failing: "newly failing", fixed: "fixed", changed: "definition changed" };
  return kind === null ? null : <span class="tag"> {words[kind]}</span>;
}

/** In which metrics an entry is worse than the reference, and why. */
function whatIsWorse(run, entry) {
  const reference = run.referenceOf(entry);
  const said = run
    .worseThanReference(entry)
    .filter((metric) => metric !== "case")
    .map((metric) => {
      const [there, here] = [run.cell(reference, metric), run.cell(entry, metric)];
      const reason = run.reasonOf(entry, metric);
      const change = run.losesPair(entry, metric) ? "lost the pair" : `${figure(there.score)} → ${figure(here.score)}`;
      return `${metric} ${change}${reason ? `: ${reason}` : ""}`;
    });
  return (said.join(" · ") || run.entries.get(entry, "reason")).slice(0, 400);
}

/** What decided, and where nothing has to be said, how the output begins. */
function excerpt(run, entry) {
  const text = run.entries.get(entry, "reason") || outputText(run, entry);
  return text ? text.slice(0, 240).replace(/\s+/g, " ") : "";
}
