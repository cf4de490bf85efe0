// One case of one variant in, everything that is known of it out.

/** Offsets in Unicode characters as offsets in UTF-16 units. */
function inUnits(text, offsets) {
  if (!/[\ud800-\udbff]/.test(text)) return offsets;
  const units = [];
  let unit = 0;
  for (const character of text) {
    units.push(unit);
    unit += character.length;
  }
  units.push(unit);
  return offsets.map((offset) => units[Math.min(offset, units.length - 1)]);
}

/** The text with the given spans marked, in one colour: a span may be what was found as well as what is wrong. */
function marked(text, spans) {
  const edges = new Set([0, text.length]);
  const placed = spans.map(({ offsets, metric }) => ({ offsets: inUnits(text, offsets), metric }));
  const changes = new Map();
  const change = (at, one, by) => {
    edges.add(at);
    if (!changes.has(at)) changes.set(at, []);
    changes.get(at).push([one, by]);
  };
  for (const one of placed) {
    for (let place = 0; place + 1 < one.offsets.length; place += 2) {
      const from = Math.min(one.offsets[place], text.length);
      const to = Math.min(one.offsets[place + 1], text.length);
      if (from < to) {
        change(from, one, 1);
        change(to, one, -1);
      }
    }
  }
  const open = new Map();
  const parts = [];
  const ordered = [...edges].sort((a, b) => a - b);
  for (let place = 0; place + 1 < ordered.length; place += 1) {
    for (const [one, by] of changes.get(ordered[place]) ?? []) open.set(one, (open.get(one) ?? 0) + by);
    const here = [...open].filter(([, count]) => count > 0).map(([one]) => one);
    const piece = text.slice(ordered[place], ordered[place + 1]);
    if (here.length === 0) parts.push(piece);
    else {
      parts.push(el("mark", { title: here.map((one) => one.metric).join(", ") }, piece));
    }
  }
  return parts;
}

function diffLines(text) {
  return text.split("\n").map((line) => {
    const kind = /^(---|\+\+\+) /.test(line)
      ? "hunk"
      : line.startsWith("+")
        ? "added"
        : line.startsWith("-")
          ? "removed"
          : line.startsWith("@@")
            ? "hunk"
            : "same";
    return el("span", { class: `line ${kind}` }, `${line}\n`);
  });
}

function panel(entry, { previous, next, close }) {
  const { entries } = tables;
  const caseId = entries.get(entry, "case_id");
  const name = entries.get(entry, "name");
  const file = entries.get(entry, "file");
  const siblings = entriesOfCase.get(caseId);
  return el(
    "article",
    { class: "panel", "aria-labelledby": "panel-title" },
    el(
      "div",
      { class: "bar" },
      el("button", { type: "button", onclick: previous }, "← Previous"),
      el("button", { type: "button", onclick: next }, "Next →"),
      el("button", { type: "button", onclick: close }, "Close"),
    ),
    el("h3", { id: "panel-title", tabindex: "-1" }, badge(entries.get(entry, "status")), " ", caseId),
    name && name !== caseId && el("p", {}, name),
    entries.get(entry, "description") && el("p", { class: "quiet" }, entries.get(entry, "description")),
    siblings.length > 1 &&
      el(
        "nav",
        { class: "siblings", "aria-label": "Variants of this case" },
        siblings.map((one) =>
          el(
            "a",
            { href: `#case-${one}`, "aria-current": one === entry ? "true" : null },
            badge(entries.get(one, "status")),
            ` ${entries.get(one, "variant")}`,
          ),
        ),
      ),
    facts([
      ["variant", siblings.length > 1 ? null : entries.get(entry, "variant")],
      ["suite", entries.get(entry, "suite")],
      ["agent", entries.get(entry, "agent")],
      ["tags", entries.get(entry, "tags")?.split(";").join(", ")],
      ["file", file && `${file}${entries.get(entry, "line") === null ? "" : `:${entries.get(entry, "line")}`}`],
      ["gate", entries.get(entry, "gated") ? null : "does not decide on this variant"],
    ]),
    outputsOf[entry].map((output) => trial(output, outputsOf[entry].length)),
  );
}

function trial(output, trials) {
  const { outputs } = tables;
  const content = [
    decided(output),
    outputBlock(output),
    checksBlock(output),
    judgedBlock(output),
    inputBlock(output),
    toolsBlock(output),
    usageBlock(output),
  ];
  if (trials === 1) return content;
  const status = outputs.get(output, "status");
  return el(
    "details",
    { class: "trial", open: status !== "pass" || outputs.get(output, "trial") === 0 },
    el("summary", {}, badge(status), ` Trial ${outputs.get(output, "trial")}`),
    content,
  );
}

function decided(output) {
  const reason = tables.outputs.get(output, "reason");
  const message = tables.outputs.get(output, "message");
  return [
    reason && el("p", { class: "reason" }, reason),
    message && message !== reason && el("p", { class: "reason" }, message),
  ];
}

function block(title, ...content) {
  return el("section", { class: "block" }, el("h4", {}, title), ...content);
}

function outputBlock(output) {
  const { outputs, results } = tables;
  const text = outputs.get(output, "output");
  if (text === null)
    return block(
      "Output",
      el("p", {}, badge("error"), ` no output (${outputs.get(output, "cause") ?? "cause not known"})`),
    );
  const spans = resultsOf[output]
    .filter((row) => results.raw(row, "spans") !== null)
    .map((row) => ({ offsets: results.raw(row, "spans"), metric: results.get(row, "metric") }));
  const shown = el("div", {});
  const show = (chosen) =>
    shown.replaceChildren(
      ...long(text, {
        whole: outputs.wholeLength(output, "output"),
        content: text && marked(text, chosen),
        label: "Output",
      }).filter(Boolean),
    );
  show(spans);
  if (spans.length === 0) return block("Output", shown);
  const choices = [["all", spans], ["none", []], ...spans.map((one) => [one.metric, [one]])];
  const buttons = choices.map(([label, chosen]) =>
    el(
      "button",
      {
        type: "button",
        class: "choice",
        "aria-pressed": String(label === "all"),
        onclick: (event) => {
          for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
          show(chosen);
        },
      },
      label,
    ),
  );
  return block(
    "Output",
    el(
      "p",
      { class: "choices", role: "group", "aria-label": "Marked in the output" },
      el("span", { class: "quiet" }, "marked: "),
      buttons,
    ),
    shown,
  );
}

function checksBlock(output) {
  const { results } = tables;
  const rows = resultsOf[output].filter((row) => results.get(row, "kind") !== "judge");
  if (rows.length === 0) return null;
  // What failed is what a reader came for.
  const order = { fail: 0, error: 1, unscored: 2, skipped: 3 };
  rows.sort((a, b) => (order[results.get(a, "status")] ?? 4) - (order[results.get(b, "status")] ?? 4));
  return block("Checks", el("ul", { class: "results" }, rows.map(resultLine)));
}

function resultLine(row) {
  const { results } = tables;
  const diff = results.get(row, "diff");
  const detail = results.get(row, "detail");
  return el(
    "li",
    {},
    el(
      "p",
      {},
      badge(results.get(row, "status")),
      " ",
      el("strong", {}, results.get(row, "metric")),
      measured(row),
      !results.raw(row, "required") && el("span", { class: "quiet" }, " not required"),
      flags(results.get(row, "flags")),
    ),
    results.get(row, "reason") && el("p", { class: "why" }, results.get(row, "reason")),
    diff !== null &&
      el(
        "pre",
        { class: "long diff", tabindex: "0", role: "group", "aria-label": "Difference from the golden file" },
        diffLines(diff),
      ),
    results.wholeLength(row, "diff") > 0 &&
      el(
        "p",
        { class: "cut" },
        `cut at ${diff.length.toLocaleString("en")} of ${results.wholeLength(row, "diff").toLocaleString("en")} characters; full text in checks.jsonl`,
      ),
    detail !== null && disclosure("Figures", long(laidOut(detail), { label: "Figures" })),
  );
}

function measured(row) {
  const { results } = tables;
  const score = results.raw(row, "score");
  const threshold = results.raw(row, "threshold");
  const cause = results.get(row, "cause");
  const label = results.get(row, "label");
  return [
    cause && el("span", { class: "quiet" }, ` ${cause}`),
    label && ` ${label}`,
    score !== null && ` ${figure(score, threshold)}`,
    score !== null && threshold !== null && el("span", { class: "quiet" }, ` (threshold ${figure(threshold)})`),
  ];
}

function flags(text) {
  return text ? el("span", { class: "quiet" }, ` ${text.split(";").join(", ")}`) : null;
}

function judgedBlock(output) {
  const { results, verdicts } = tables;
  const rows = resultsOf[output].filter((row) => results.get(row, "kind") === "judge");
  const samples = verdictsOf[output];
  if (rows.length === 0 && samples.length === 0) return null;
  const left = new Set(samples);
  const lines = rows.map((row) => {
    const own = samples.filter((sample) => belongs(sample, row));
    for (const sample of own) left.delete(sample);
    return judgedLine(row, own);
  });
  // The items of a checklist or of criteria come from one reply: it is shown with the row of its rubric, else here.
  const others = [...left].map((sample) =>
    el(
      "li",
      {},
      el("p", {}, badge(verdicts.get(sample, "status")), " ", el("strong", {}, verdicts.get(sample, "rubric"))),
      sampleBlock(sample),
    ),
  );
  return block("Judged", el("ul", { class: "results" }, lines, others));
}

function belongs(sample, row) {
  const { results, verdicts } = tables;
  return (
    verdicts.get(sample, "rubric") === results.get(row, "metric") &&
    (verdicts.get(sample, "judge") ?? "") === (results.get(row, "judge") ?? "") &&
    (verdicts.get(sample, "against") ?? "") === (results.get(row, "against") ?? "")
  );
}

function judgedLine(row, samples) {
  const { results } = tables;
  const { scale_min: low, scale_max: high, question } = doc.metrics[results.get(row, "metric")] ?? {};
  const readable = results.raw(row, "n_samples");
  const spread = results.raw(row, "score_sd");
  return el(
    "li",
    {},
    el(
      "p",
      {},
      badge(results.get(row, "status")),
      " ",
      el("strong", {}, results.get(row, "metric")),
      measured(row),
      results.raw(row, "score") !== null && el("span", { class: "quiet" }, ` on ${figure(low)}–${figure(high)}`),
      results.get(row, "against") && ` against ${results.get(row, "against")}`,
      el("span", { class: "quiet" }, results.raw(row, "required") ? " required" : " informs only"),
      flags(results.get(row, "flags")),
    ),
    question &&
      (question.length > 160
        ? disclosure("What was asked", el("p", {}, question))
        : el("p", { class: "quiet" }, question)),
    results.get(row, "reason") && el("p", { class: "why" }, results.get(row, "reason")),
    samples.length > 1 &&
      el(
        "p",
        { class: "quiet" },
        `${readable ?? 0} of ${samples.length} samples readable${spread === null ? "" : `, spread ${figure(spread)}`}`,
      ),
    samples.map((sample) => sampleBlock(sample, samples.length > 1)),
  );
}

function sampleBlock(sample, several = false) {
  const { verdicts } = tables;
  const get = (name) => verdicts.get(sample, name);
  const items = get("items") ?? [];
  const pairs = [];
  for (let place = 0; place < items.length; place += 2) pairs.push([items[place], items[place + 1]]);
  const title = [
    several && `Sample ${get("sample")}: `,
    several && (get("label") || (get("score") === null ? get("cause") : figure(get("score")))),
    several && " · ",
    get("order") && `order ${get("order")} · `,
    get("judge"),
    get("cached") && " · from the cache",
    get("repaired") && " · asked twice",
  ];
  return el(
    "div",
    { class: "sample" },
    several && get("reason") && el("p", { class: "why" }, el("strong", {}, `${get("sample")}: `), get("reason")),
    facts(pairs),
    disclosure(
      title.filter(Boolean).join(""),
      facts([
        ["cause", get("cause")],
        ["model returned", get("model_returned")],
        ["parameters requested", get("params_requested")],
        ["parameters applied", get("params_applied")],
        [
          "tokens",
          get("input_tokens") === null ? null : `${get("input_tokens")} in, ${get("output_tokens") ?? "?"} out`,
        ],
        ["cost", get("cost_usd") === null ? null : usd(get("cost_usd"))],
        ["took", seconds(get("latency_s"))],
        ["flags", get("flags")],
      ]),
      get("prompt") !== null && [
        el("h5", {}, "Prompt as sent"),
        long(get("prompt"), {
          whole: verdicts.wholeLength(sample, "prompt"),
          file: "verdicts.jsonl",
          label: "Prompt as sent",
        }),
      ],
      get("reply") !== null && [
        el("h5", {}, "Raw reply"),
        long(get("reply"), {
          whole: verdicts.wholeLength(sample, "reply"),
          file: "verdicts.jsonl",
          label: "Raw reply",
        }),
      ],
    ),
  );
}

function inputBlock(output) {
  const { outputs } = tables;
  const text = (name, title) =>
    outputs.get(output, name) !== null && [
      el("h5", {}, title),
      long(outputs.get(output, name), { whole: outputs.wholeLength(output, name), label: title }),
    ];
  const context = outputs.get(output, "context");
  const pieces = [];
  for (let place = 0; context !== null && place < context.length; place += 2) {
    const position = outputs.raw(output, "context")[place + 1];
    pieces.push([
      context[place] && el("p", { class: "quiet" }, context[place]),
      long(context[place + 1], { whole: doc.cut[position] ?? 0, label: "Context" }),
    ]);
  }
  return block(
    "Input",
    long(outputs.get(output, "input") ?? "", { whole: outputs.wholeLength(output, "input"), label: "Input" }),
    text("reference", "Reference"),
    pieces.length > 0 && disclosure(`Context (${pieces.length})`, pieces),
    outputs.get(output, "vars") !== null &&
      disclosure("Variables", long(laidOut(outputs.get(output, "vars")), { label: "Variables" })),
  );
}

function toolsBlock(output) {
  const calls = tables.outputs.get(output, "tool_calls");
  if (calls === null) return null;
  if (calls.length === 0) return block("Tool calls", el("p", { class: "quiet" }, "none made"));
  const lines = [];
  for (let place = 0; place < calls.length; place += 3) {
    const [name, args, result] = calls.slice(place, place + 3);
    lines.push(
      el(
        "li",
        {},
        el("strong", {}, name),
        long(laidOut(args), { label: `Arguments of ${name}` }),
        result && disclosure("Result", long(laidOut(result), { label: `Result of ${name}` })),
      ),
    );
  }
  return block("Tool calls", el("ol", {}, lines));
}

function usageBlock(output) {
  const get = (name) => tables.outputs.get(output, name);
  const known = facts([
    ["model", get("model")],
    ["finish reason", get("finish_reason")],
    [
      "tokens",
      get("input_tokens") === null && get("output_tokens") === null
        ? null
        : `${get("input_tokens") ?? "?"} in, ${get("output_tokens") ?? "?"} out`,
    ],
    ["cost", get("cost_usd") === null ? null : usd(get("cost_usd"))],
    ["took", seconds(get("latency_s"))],
    ["flags", get("flags")],
  ]);
  return known && block("Target", known);
}
