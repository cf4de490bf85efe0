// The three views of a run and the way between them; the address says which is shown.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { format, isFiltered, parse } from "./address.js";
import { CasePage } from "./case/case_page.jsx";
import { count } from "./data/figures.js";
import { Overview } from "./overview/overview.jsx";
import { RateView } from "./rate/rate_view.jsx";
import { Store } from "./rate/store.js";
import { judgedRubrics } from "./rate/queue.js";
import { CasesView } from "./table/cases_view.jsx";
import { columnsOf } from "./table/columns.js";
import { filtered, Search, sorted } from "./table/filter.js";
import { PrintedCases } from "./table/printed_cases.jsx";
import { Text, useTexts } from "./ui.jsx";

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The state that the address holds, and a function that changes some of it. */
function useAddress() {
  const [state, setState] = useState(() => parse(location.hash));
  useEffect(() => {
    const follow = () => setState(parse(location.hash));
    window.addEventListener("hashchange", follow);
    window.addEventListener("popstate", follow);
    return () => {
      window.removeEventListener("hashchange", follow);
      window.removeEventListener("popstate", follow);
    };
  }, []);
  const go = useCallback((change, { push = false } = {}) => {
    setState((before) => {
      const after = { ...before, ...change };
      const address = format(after);
      // Back leads to the view before, not through every letter that was typed.
      if (address !== location.hash) history[push ? "pushState" : "replaceState"](null, "", address);
      return after;
    });
  }, []);
  return [state, go];
}

function useShortcuts() {
  const [on, setOn] = useState(() => storage()?.getItem("judgekit.shortcuts") !== "off");
  const set = (value) => {
    setOn(value);
    try {
      storage()?.setItem("judgekit.shortcuts", value ? "on" : "off");
    } catch {
      // Then it is remembered as long as the page is open.
    }
  };
  return [on, set];
}

/** Calls the action of a key that is pressed outside of fields. */
export function useKeys(actions, on) {
  // Set while drawing: the next key may come before any effect has run.
  const latest = useRef(null);
  latest.current = on ? actions : {};
  useLayoutEffect(() => {
    const pressed = (event) => {
      // A key means one thing: what another view made of it a moment ago is not done again by the next.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      // A radio button takes arrows only; every other field takes letters.
      if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea")) return;
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : null;
      // Enter on a link or button is its own.
      if (action === null || (event.key === "Enter" && event.target.closest?.("a, button, summary"))) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}

export function App({ run }) {
  const [state, go] = useAddress();
  const [shortcuts, setShortcuts] = useShortcuts();
  const [printing, setPrinting] = useState(false);
  const version = useTexts(run.texts);
  const columns = useMemo(() => columnsOf(run), [run]);
  const search = useMemo(() => new Search(run), [run]);
  const store = useMemo(() => new Store(run.doc.run.run_id, storage(), run.doc.labels), [run]);
  const { q, status, variant, suite, agent, tag, cause, metric, result, low, high, differ, worse, changed, sort } = state;
  const needsTexts = q !== "" || sort.endsWith("output");
  const list = useMemo(() => {
    const key = columns.find((column) => column.name === sort.replace(/^-/, "")) ?? columns[0];
    return sorted(filtered(run, search, state), key.key, sort);
  }, [run, q, status, variant, suite, agent, tag, cause, metric, result, low, high, differ, worse, changed, sort, needsTexts && version]);

  useEffect(() => {
    const before = () => setPrinting(true);
    const after = () => setPrinting(false);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, []);
  useEffect(() => {
    const remind = (event) => {
      if (store.unsaved > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", remind);
    return () => window.removeEventListener("beforeunload", remind);
  }, [store]);

  const show = (view) => go({ view, case: view === "case" ? state.case : "", of: "", trial: "" }, { push: true });
  useKeys({ 1: () => show("overview"), 2: () => show("cases"), 3: () => show("rate") }, shortcuts && state.view !== "rate");
  const openCase = (entry) =>
    go(
      { view: "case", case: run.entries.get(entry, "case_id"), of: run.entries.get(entry, "variant"), trial: "" },
      { push: true },
    );
  const hrefOf = (entry) =>
    format({ ...state, view: "case", case: run.entries.get(entry, "case_id"), of: run.entries.get(entry, "variant"), trial: "" });
  const shared = { run, state, go, list, columns, openCase, hrefOf, shortcuts, store };
  const link = (view, title) => (
    <a
      href={format({ ...state, view, case: "", of: "", trial: "" })}
      aria-current={state.view === view || (view === "cases" && state.view === "case") ? "page" : undefined}
      onClick={(event) => {
        event.preventDefault();
        show(view);
      }}
    >
      {title}
    </a>
  );
  const canRate = judgedRubrics(run).length > 0 && !run.doc.omitted;
  return (
    <>
      <header class="top">
        <p class="title">
          {state.view !== "overview" && <Text>{run.doc.title}</Text>}
        </p>
        <nav aria-label="Views">
          {link("overview", "Overview")}
          {link("cases", `Cases (${count(isFiltered(state) ? list.length : run.entries.length)})`)}
          {canRate && link("rate", "Rate")}
        </nav>
      </header>
      <main id="main">
        {state.view === "overview" && <Overview {...shared} />}
        {state.view === "cases" && (printing ? <PrintedCases {...shared} /> : <CasesView {...shared} />)}
        {state.view === "case" && <CasePage {...shared} />}
        {state.view === "rate" && <RateView {...shared} />}
      </main>
      <footer>
        <label>
          <input type="checkbox" checked={shortcuts} onInput={(event) => setShortcuts(event.target.checked)} /> single-key
          shortcuts
        </label>
        <span class="quiet">
          1 2 3 views · / search · j k next and previous case · Enter open · Esc back to the table · c compare variants
        </span>
      </footer>
    </>
  );
}
