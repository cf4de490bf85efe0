// Agents of a release gate and their history in, a table with a trend against the threshold out.

function agentsSection() {
  if (doc.agents.length === 0) return null;
  const trends = doc.history.length > 0;
  const header = ["agent", "rubric", "score", "threshold", "state", "golden", "negative", "violations"];
  const rows = doc.agents.map((one) => [
    one.agent,
    one.rubric,
    scoreText(one),
    figure(one.threshold, one.score),
    badge(one.passed ? "pass" : "fail"),
    one.n_golden,
    one.n_negative,
    one.n_violations,
    ...(trends ? [trend(doc.history.filter((past) => past.agent === one.agent && past.rubric === one.rubric))] : []),
  ]);
  return section(
    "agents",
    "Agents",
    el("p", { class: "quiet" }, "Each score is the exact mean over the golden fixtures."),
    grid("Agents", trends ? [...header, "trend"] : header, rows),
  );
}

/** A score, with what it is the mean of where that is not every golden fixture. */
function scoreText(one) {
  const shown = figure(one.score, one.threshold);
  return 0 < one.n_scored && one.n_scored < one.n_golden ? `${shown} (${one.n_scored} of ${one.n_golden})` : shown;
}

/** Scores as a line over runs, oldest first, the threshold as a dashed one; in words for who can't see it. */
function trend(past) {
  const known = past.filter((one) => one.score !== null);
  if (known.length === 0) return "–";
  const width = 160;
  const height = 32;
  const values = known.flatMap((one) => [one.score, one.threshold]);
  const low = Math.max(0, Math.min(...values) - 0.05);
  const high = Math.min(1, Math.max(...values) + 0.05);
  const x = (place) => (past.length === 1 ? width / 2 : 4 + (place / (past.length - 1)) * (width - 8));
  const y = (value) => height - 4 - ((value - low) / (high - low || 1)) * (height - 8);
  const points = past.map((one, place) => [one, x(place)]);
  const scored = points.filter(([one]) => one.score !== null);
  const line = { fill: "none", stroke: "currentColor", "vector-effect": "non-scaling-stroke" };
  const along = (key, of) => of.map(([one, at]) => `${at},${y(one[key])}`).join(" ");
  const edge = points.length === 1 ? [[points[0][0], 4], [points[0][0], width - 4]] : points;
  const [first, last] = [known[0], known[known.length - 1]];
  return [
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      svg("polyline", { ...line, points: along("threshold", edge), "stroke-dasharray": "3 3", opacity: 0.7 }),
      svg("polyline", { ...line, points: along("score", scored), "stroke-width": 1.5 }),
      ...scored.map(([one, at]) =>
        svg("circle", { cx: at, cy: y(one.score), r: 2.5, stroke: "currentColor", fill: one.passed ? "currentColor" : "none" }),
      ),
    ),
    el(
      "div",
      { class: "quiet" },
      known.length === 1
        ? "first run"
        : `${known.length} runs: ${figure(first.score, first.threshold)} → ${figure(last.score, last.threshold)}`,
    ),
  ];
}
