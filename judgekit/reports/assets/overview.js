// The summary of the run in, the sections above and below the cases out.

function header() {
  const { run } = doc;
  return [
    el("h1", {}, doc.title),
    facts([
      ["run", run.run_id],
      ["started", run.started_at],
      ["finished", run.finished_at],
      ["command", run.command && el("code", {}, Array.isArray(run.command) ? run.command.join(" ") : run.command)],
    ]),
  ];
}

function section(id, title, ...content) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...content);
}

function decisionSection() {
  const { decision } = doc.summary;
  return section(
    "decision",
    "Decision",
    el(
      "div",
      { class: `decision ${decision.passed ? "pass" : "fail"}` },
      el(
        "p",
        { class: "verdict" },
        badge(decision.passed ? "pass" : decision.exit_code === 1 ? "fail" : "error"),
        el("strong", {}, decision.passed ? "The gate passed" : "The gate did not pass"),
        ` (exit code ${decision.exit_code}${!decision.passed && decision.exit_code === 0 ? ": the gate was not enforced" : ""})`,
      ),
      el(
        "ul",
        {},
        decision.reasons.map((reason) => el("li", {}, reason)),
      ),
      doc.run.partial && el("p", {}, "This run is partial: not everything that was selected has been done."),
    ),
    decision.rules.length > 0 &&
      disclosure(
        `Rules of the gate (${decision.rules.length})`,
        grid(
          "Rules of the gate",
          ["rule", "variant", "outcome", "value", "scored", "reason"],
          decision.rules.map((rule) => [
            rule.rule,
            rule.variant,
            badge({ holds: "pass", fails: "fail" }[rule.outcome] ?? "error"),
            figure(rule.value),
            `${rule.n_scored} of ${rule.n_total}`,
            rule.reason,
          ]),
        ),
      ),
  );
}

function warningsSection() {
  const { warnings } = doc.summary;
  if (warnings.length === 0 && !doc.note) return null;
  return section(
    "warnings",
    "Read with care",
    el(
      "ul",
      {},
      doc.note && el("li", {}, doc.note),
      warnings.map((warning) => el("li", {}, warning)),
    ),
  );
}

function caseLink(caseId, variant) {
  const entry = entryOf(caseId, variant);
  return entry === undefined ? caseId : el("a", { href: `#case-${entry}` }, caseId);
}

function changes(title, found, variant) {
  if (found.length === 0) return el("div", {}, el("h3", {}, `${title} (0)`), el("p", { class: "quiet" }, "none"));
  const line = (one) => el("li", {}, caseLink(one.case_id, variant), one.reason && ": ", one.reason);
  return el(
    "div",
    {},
    el("h3", {}, `${title} (${found.length})`),
    el("ul", {}, found.slice(0, 8).map(line)),
    found.length > 8 && disclosure(`${found.length - 8} more`, el("ul", {}, found.slice(8).map(line))),
  );
}

/** Cases of one pair of variants, each once although several metrics may name it. */
function changedCases(comparisons, key) {
  const byCase = new Map();
  for (const one of comparisons.flatMap((comparison) => comparison[key])) {
    const reasons = byCase.get(one.case_id) ?? [];
    if (!reasons.includes(one.reason)) byCase.set(one.case_id, [...reasons, one.reason]);
  }
  return [...byCase].map(([case_id, reasons]) => ({ case_id, reason: reasons.filter(Boolean).join("; ") }));
}

function comparisonSection() {
  const { comparisons } = doc.summary;
  if (comparisons.length === 0) return null;
  const pairs = new Map();
  for (const one of comparisons) {
    const key = JSON.stringify([one.suite, one.variant, one.against]);
    if (!pairs.has(key)) pairs.set(key, []);
    pairs.get(key).push(one);
  }
  return section("comparison", "Comparison", [...pairs.values()].map(comparedPair));
}

function comparedPair(comparisons) {
  const [{ suite, variant, against }] = comparisons;
  // Differences of all scales on one axis, in shares of the scale, as wide as the widest interval needs.
  const shares = comparisons.flatMap((one) =>
    [one.difference, one.ci_low, one.ci_high].map((number) => Math.abs(number ?? 0) / scaleOf(one)),
  );
  const widest = Math.max(...shares) || 1;
  const rows = comparisons.map((one) => {
    const reach = 1.1 * widest * scaleOf(one);
    return [
      one.metric,
      one.n,
      figure(one.value_against),
      figure(one.value),
      one.difference === null
        ? "–"
        : [el("span", { class: "nowrap" }, `${one.difference > 0 ? "+" : ""}${figure(one.difference)}`), limits(one)],
      one.difference === null ? "" : interval(one.difference, one.ci_low, one.ci_high, -reach, reach, 0),
      probability(one),
      figure(one.minimum_detectable_difference),
      one.verdict,
    ];
  });
  return el(
    "div",
    { class: "pair" },
    el("h3", {}, `${variant} against ${against}`, suite && el("span", { class: "quiet" }, ` in ${suite}`)),
    el(
      "ul",
      { class: "sentences" },
      comparisons.map((one) => el("li", {}, one.sentence)),
    ),
    grid(
      `Differences of ${variant} and ${against}${suite ? ` in ${suite}` : ""}`,
      ["metric", "cases", against, variant, "difference", "interval", "p", "detectable from", "verdict"],
      rows,
    ),
    el(
      "div",
      { class: "columns" },
      changes("Got worse", changedCases(comparisons, "regressions"), variant),
      changes("Got better", changedCases(comparisons, "improvements"), variant),
    ),
  );
}

function scaleOf(one) {
  const { scale_min: low = 0, scale_max: high = 1 } = doc.metrics[one.metric] ?? {};
  return high - low || 1;
}

function probability(one) {
  const [value, word] =
    one.p_adjusted === null || one.p_adjusted === undefined ? [one.p_value, ""] : [one.p_adjusted, " (adjusted)"];
  if (value === null || value === undefined) return "–";
  return `${value < 0.001 ? "< 0.001" : figure(Number(value.toPrecision(2)))}${word}`;
}

function limits(one) {
  if (one.ci_low === null || one.ci_high === null) return null;
  const level = one.level ? `${Number((100 * one.level).toFixed(1))}%: ` : "";
  return el(
    "span",
    { class: "quiet nowrap", title: one.method },
    ` ${level}${figure(one.ci_low)} to ${figure(one.ci_high)}`,
  );
}

function variantsSection() {
  const passed = new Map(Object.entries(doc.passed));
  const rates = new Map(doc.summary.estimates.filter(isOfCases).map((one) => [one.variant, one]));
  const rows = Object.entries(doc.summary.by_variant).map(([variant, counts]) => [
    variant,
    share(...(passed.get(variant) ?? [0, 0])),
    ...(rates.size > 0 ? [rateInterval(rates.get(variant))] : []),
    ...["fail", "error", "skipped", "negative_ok", "cases"].map((key) =>
      counts[key] ? counts[key] : el("span", { class: "quiet" }, 0),
    ),
  ]);
  return section(
    "variants",
    rows.length > 1 ? "Variants" : "Cases in numbers",
    grid(
      "Cases by variant",
      [
        "variant",
        "passed",
        ...(rates.size > 0 ? ["interval"] : []),
        "failed",
        "error",
        "skipped",
        "negative ok",
        "cases",
      ],
      rows,
    ),
  );
}

/** Whether an estimate is the pass rate of whole cases, which stands with the counts and not with the metrics. */
function isOfCases(one) {
  return one.kind === "case";
}

function rateInterval(one) {
  if (!one || one.mean === null || one.ci_low === null || one.ci_high === null) return "–";
  const level = one.level ? `${Number((100 * one.level).toFixed(1))}%: ` : "";
  return [
    interval(one.mean, one.ci_low, one.ci_high, 0, 1),
    el(
      "span",
      { class: "quiet nowrap", title: one.method },
      `${level}${percent(one.ci_low)} to ${percent(one.ci_high)}`,
    ),
  ];
}

function scoresSection() {
  const estimates = doc.summary.estimates.filter((one) => !isOfCases(one));
  if (estimates.length === 0) return null;
  const suites = new Set(estimates.map((one) => one.suite)).size > 1;
  const rows = estimates.map((one) => {
    const { scale_min: low = 0, scale_max: high = 1 } = doc.metrics[one.metric] ?? {};
    const missing = one.n_total - one.n_scored;
    return [
      one.metric,
      ...(suites ? [one.suite] : []),
      one.variant,
      el(
        "span",
        {},
        `${one.n_scored} of ${one.n_total}`,
        missing > 0 && el("strong", { class: "missing" }, ` · ${missing} without a score`),
      ),
      one.mean === null
        ? el("span", { class: "quiet" }, one.reason || "no score")
        : [figure(one.mean), el("span", { class: "quiet" }, ` on ${figure(low)}–${figure(high)}`)],
      one.mean === null ? "" : interval(one.mean, one.ci_low, one.ci_high, low, high),
      one.mean === null ? "–" : (limits(one) ?? el("span", { class: "quiet" }, one.reason || "–")),
      one.pass_rate === null || one.pass_rate === undefined ? "–" : [percent(one.pass_rate), rateLimits(one)],
    ];
  });
  const header = [
    "metric",
    ...(suites ? ["suite"] : []),
    "variant",
    "scored",
    "mean",
    "on its scale",
    "interval",
    "pass rate",
  ];
  const judged = (one) => one.kind !== "check";
  const table = (label, keep) => {
    const kept = rows.filter((_, place) => keep(estimates[place]));
    return kept.length > 0 ? grid(label, header, kept) : null;
  };
  const checks = table("Checks", (one) => !judged(one));
  return section(
    "scores",
    "Scores",
    table("Rubrics", judged),
    checks &&
      (estimates.some(judged)
        ? disclosure(`Checks (${estimates.filter((one) => !judged(one)).length})`, checks)
        : checks),
  );
}

function rateLimits(one) {
  if (one.pass_rate_low === null || one.pass_rate_low === undefined) return null;
  return el("span", { class: "quiet nowrap" }, ` ${percent(one.pass_rate_low)} to ${percent(one.pass_rate_high)}`);
}

function costSection() {
  const { cost, tokens, judge_calls: calls } = doc.summary;
  const words = (value) =>
    value === null || value === undefined
      ? "unknown"
      : typeof value === "number"
        ? value.toLocaleString("en")
        : JSON.stringify(value);
  return section(
    "costs",
    "Cost",
    facts([
      ["target", usd(cost.target_usd)],
      ["judge", usd(cost.judge_usd)],
      ["saved", usd(cost.saved_usd)],
      ["without a known price", cost.unpriced.join(", ")],
      ["judge calls made", words(calls.made)],
      ["from the cache", words(calls.cached)],
      ["skipped", words(calls.skipped)],
      ...Object.entries(tokens ?? {})
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name.replaceAll("_", " "), words(value)]),
    ]),
  );
}

function judgesSection() {
  if (doc.judges.length === 0) return null;
  const asked = (params) =>
    params === null || params === undefined
      ? "not known"
      : Object.entries(params)
          .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
          .join(", ") || "none";
  const rows = doc.judges.map((judge) => {
    const applied = asked(judge.params_applied);
    const requested = asked(judge.params_requested);
    return [
      judge.rubric,
      judge.judge,
      requested,
      applied === requested ? applied : el("strong", {}, applied),
      el("code", {}, String(judge.identity).slice(0, 12)),
    ];
  });
  return section(
    "judges",
    "The judge",
    grid(
      "What the judge was asked for",
      ["rubric", "model", "parameters requested", "parameters applied", "identity"],
      rows,
    ),
  );
}

function madeWithSection() {
  const { versions, seed } = doc.run;
  return section(
    "made",
    "How this was made",
    facts([...Object.entries(versions ?? {}), ["seed", seed === null ? null : String(seed)]]),
  );
}
