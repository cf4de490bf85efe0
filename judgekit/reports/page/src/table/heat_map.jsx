// The listed cases and all metrics in, one picture of both out: where it is red, and whether that is a column or a row.

import { useEffect, useRef, useState } from "preact/hooks";
import { count, figure } from "../data/figures.js";
import { SEVERITY } from "../data/run.js";
import { Text } from "../ui.jsx";

/** Pixels of a row: as high as a name that is to be pressed has to be. */
const ROW = 24;
const MOST_METRICS = 40;
const COLOURS = { fail: "--fail-map", error: "--warn-map", unscored: "--warn-map", pass: "--pass-map", negative_ok: "--pass-map", skipped: "--none-map" };

/** Metrics of the listed cases with how many of them they fail on, worst first. */
function failing(run, list) {
  const counts = new Map();
  for (const entry of list) {
    for (const output of run.outputsOf.of(entry)) {
      for (const row of run.resultsOf.of(output)) {
        const status = run.results.get(row, "status");
        const metric = run.results.get(row, "metric");
        const fails = status === "fail" || status === "error" || status === "unscored";
        counts.set(metric, (counts.get(metric) ?? 0) + Number(fails));
      }
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** What a column of the picture shows of a metric: its worst status, else its mean score as a share of the scale. */
function summed(run, entries, metric) {
  let worst = null;
  let sum = 0;
  let n = 0;
  for (const entry of entries) {
    const { status, score } = run.cell(entry, metric);
    if (status === null) continue;
    if (worst === null || SEVERITY[status] < SEVERITY[worst]) worst = status;
    if (score !== null) {
      sum += score;
      n += 1;
    }
  }
  const { scale_min: low = 0, scale_max: high = 1 } = run.doc.metrics[metric];
  return { status: worst, share: n === 0 ? null : (sum / n - low) / (high - low || 1) };
}

export function HeatMap(shared) {
  // On a narrow screen the table is what one came for.
  const [open, setOpen] = useState(() => matchMedia("(min-width: 40rem)").matches);
  if (shared.run.metrics.length === 0 || shared.list.length === 0) return null;
  return (
    <details class="map" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Map of cases and metrics</summary>
      {open && <Picture {...shared} />}
    </details>
  );
}

function Picture({ run, list, go, openCase }) {
  const canvas = useRef(null);
  const [width, setWidth] = useState(0);
  const [said, setSaid] = useState("");
  const metrics = failing(run, list).slice(0, MOST_METRICS);
  useEffect(() => {
    const watch = new ResizeObserver(([seen]) => setWidth(Math.floor(seen.contentRect.width)));
    watch.observe(canvas.current.parentElement);
    return () => watch.disconnect();
  }, []);
  const columns = Math.min(list.length, Math.max(1, Math.floor(width / 2)));
  const binOf = (column) => list.slice(Math.floor((column * list.length) / columns), Math.floor(((column + 1) * list.length) / columns));
  useEffect(() => {
    if (width === 0) return undefined;
    const draw = () => {
      const node = canvas.current;
      if (!node) return;
      const ratio = window.devicePixelRatio || 1;
      node.width = width * ratio;
      node.height = metrics.length * ROW * ratio;
      const pen = node.getContext("2d");
      pen.scale(ratio, ratio);
      const style = getComputedStyle(document.documentElement);
      const colour = Object.fromEntries(Object.entries(COLOURS).map(([status, name]) => [status, style.getPropertyValue(name)]));
      const scored = style.getPropertyValue("--score-map");
      const step = Math.min(width / columns, 24);
      for (let column = 0; column < columns; column += 1) {
        const entries = binOf(column);
        metrics.forEach(([metric], row) => {
          const { status, share } = summed(run, entries, metric);
          if (status === null) return;
          pen.globalAlpha = status === "scored" ? 0.15 + 0.85 * (share ?? 0) : 1;
          pen.fillStyle = status === "scored" ? scored : colour[status];
          pen.fillRect(column * step, row * ROW, step > 4 ? step - 1 : step, ROW - 1);
        });
      }
    };
    // Twenty thousand cases take a moment: the table comes first.
    const waiting = setTimeout(draw, 30);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      clearTimeout(waiting);
      dark.removeEventListener("change", draw);
    };
  }, [width, list, run]);
  const at = (event) => {
    const step = Math.min(width / columns, 24);
    const column = Math.floor(event.offsetX / step);
    const metric = metrics[Math.floor(event.offsetY / ROW)]?.[0];
    if (column >= columns || metric === undefined) return null;
    return { entries: binOf(column), metric };
  };
  return (
    <>
      <div class="heat">
        <ul>
          {metrics.map(([metric, n]) => (
            <li>
              <button type="button" title={`Only cases that fail ${metric}`} onClick={() => go({ metric, result: "fail" })}>
                <Text>{metric}</Text>
              </button>{" "}
              <span class="quiet">{n > 0 ? count(n) : ""}</span>
            </li>
          ))}
        </ul>
        <div>
          <canvas
            ref={canvas}
            role="img"
            aria-label={`Map of ${count(list.length)} listed cases from left to right and ${metrics.length} metrics from top to bottom. ${metrics
              .filter(([, n]) => n > 0)
              .slice(0, 10)
              .map(([metric, n]) => `${metric}: ${n} without a pass`)
              .join("; ")}`}
            style={{ width: `${width}px`, height: `${metrics.length * ROW}px` }}
            onMouseMove={(event) => {
              const found = at(event);
              if (!found) return setSaid("");
              const { status, score } = run.cell(found.entries[0], found.metric);
              const more = found.entries.length > 1 ? ` and ${found.entries.length - 1} more` : "";
              return setSaid(`${found.metric}: ${run.entries.get(found.entries[0], "case_id")} ${run.entries.get(found.entries[0], "variant")}${more} ${status ?? ""} ${score === null ? "" : figure(score)}`);
            }}
            onMouseLeave={() => setSaid("")}
            onClick={(event) => {
              const found = at(event);
              if (found) {
                const worst = found.entries.reduce((a, b) => {
                  const rank = (entry) => SEVERITY[run.cell(entry, found.metric).status] ?? 9;
                  return rank(b) < rank(a) ? b : a;
                });
                openCase(worst);
              }
            }}
          />
        </div>
      </div>
      <p class="quiet small said">
        <Text>{said || "Cases from left to right as listed below; red fails, yellow is without a result, blue is the stronger the higher the score."}</Text>
      </p>
    </>
  );
}
