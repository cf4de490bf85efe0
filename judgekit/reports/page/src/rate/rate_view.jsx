// Judged outputs in random order in, ratings of a person out; verdict and variant stay hidden until a rating is kept.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKeys } from "../app.jsx";
import { count, figure, percent } from "../data/figures.js";
import { CaseLink } from "../overview/comparison.jsx";
import { Badge, Block, Choices, Disclosure, download, Facts, Long, Text } from "../ui.jsx";
import { waysToRead } from "../case/kinds.js";
import { Markdown } from "../case/markdown.jsx";
import { Input } from "../case/case_page.jsx";
import { agreement, differences } from "./agreement.js";
import { keyOf, read, written } from "./labels.js";
import { generator, judgedOutputs, judgedRubrics, stratified } from "./queue.js";
import { RatingForm } from "./rating_form.jsx";
import { labelOf } from "./rate_one.jsx";
import { pairsOf } from "./said.js";
import { asRating, waysToRate } from "./scale.js";

const KEY = "judgekit.annotator";

export function annotator() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function RateView(shared) {
  const { run, store } = shared;
  const rubrics = judgedRubrics(run);
  const [rubric, setRubric] = useState(rubrics[0] ?? "");
  const [size, setSize] = useState(40);
  const [seed, setSeed] = useState("1");
  const [name, setName] = useState(annotator());
  const [queue, setQueue] = useState(null);
  const [, again] = useState(0);
  if (rubrics.length === 0 || run.doc.omitted) {
    return (
      <>
        <h1>Rate</h1>
        <p>{run.doc.omitted ? "The outputs are left out of this page: there is nothing to rate." : "No judge was asked in this run: there is nothing to compare ratings with."}</p>
      </>
    );
  }
  const candidates = judgedOutputs(run, rubric);
  const labels = store.all.filter((label) => label.rubric === rubric);
  const start = () => {
    const mine = new Set(store.all.filter((label) => label.annotator === name).map(keyOf));
    const drawn = stratified(candidates, `${run.doc.run.run_id} ${rubric} ${seed}`).slice(0, size);
    setQueue(drawn.filter((item) => !mine.has(keyOf({ ...labelOf(run, item.output, rubric, item.against), annotator: name }))));
  };
  const rename = (text) => {
    setName(text);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Then it is remembered as long as the page is open.
    }
  };
  if (queue !== null) {
    return (
      <Queue
        key="queue"
        {...shared}
        {...{ rubric, queue, name }}
        onDone={() => setQueue(null)}
      />
    );
  }
  return (
    <>
      <h1>Rate</h1>
      <p>
        How far can the judge be trusted? Rate some of the outputs that it judged, without seeing its verdict or the variant,
        then save the ratings and run <code>judgekit calibrate FILE</code>. Thirty are the least that says something.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <div>
          <label for="rate-rubric">Rubric</label>
          <select id="rate-rubric" value={rubric} onInput={(event) => setRubric(event.target.value)}>
            {rubrics.map((one) => (
              <option value={one}>{one}</option>
            ))}
          </select>
        </div>
        <div>
          <label for="rate-name">Your name</label>
          <input id="rate-name" type="text" autocomplete="off" value={name} onInput={(event) => rename(event.target.value)} />
        </div>
        <div>
          <label for="rate-size">How many of {count(candidates.length)}</label>
          <input id="rate-size" type="number" min={1} value={size} onInput={(event) => setSize(Number(event.target.value))} />
        </div>
        <div>
          <label for="rate-seed">Seed of the draw</label>
          <input id="rate-seed" type="text" value={seed} onInput={(event) => setSeed(event.target.value)} />
        </div>
        <button type="submit">Rate {Math.min(size || 0, candidates.length)}</button>
      </form>
      <Saved {...shared} onChange={() => again((n) => n + 1)} />
      <Agreement run={run} rubric={rubric} labels={labels} />
      <Given {...shared} labels={labels} onChange={() => again((n) => n + 1)} />
    </>
  );
}

function Queue(shared) {
  const { run, rubric, queue, name, store, shortcuts, onDone } = shared;
  const [at, setAt] = useState(0);
  const [kept, setKept] = useState(null);
  const item = queue[at];
  const metric = run.doc.metrics[rubric];
  const title = useRef(null);
  // Keys are for what is in sight: the focus must not stay on a button that stood here before.
  useLayoutEffect(() => {
    if (kept === null) title.current?.focus();
  }, [at, kept === null]);
  const next = () => {
    setKept(null);
    setAt(at + 1);
  };
  useKeys(kept ? { Enter: next, n: next } : {}, shortcuts);
  const labels = store.all.filter((label) => label.rubric === rubric);
  if (item === undefined) {
    return (
      <>
        <h1>Rate</h1>
        <p>{queue.length === 0 ? "You have rated all of these already. Another seed draws others." : `That was the last of ${queue.length}. Save them as a file now.`}</p>
        <p>
          <button type="button" onClick={onDone}>
            Back
          </button>
        </p>
        <Saved {...shared} onChange={() => setKept(null)} />
        <Agreement run={run} rubric={rubric} labels={labels} />
      </>
    );
  }
  const isPair = item.against !== "";
  const isSwapped = isPair && generator(`${run.doc.run.run_id} ${item.output} ${item.against}`)() < 0.5;
  const keep = (way, value, comment) => {
    const label = {
      ...labelOf(run, item.output, rubric, item.against),
      ...asRating(way, value, isSwapped),
      comment,
      annotator: name,
      sampling: "random",
      blind: "true",
    };
    store.put(label);
    setKept(label);
  };
  return (
    <>
      <h1 tabIndex={-1} ref={title}>
        Rate <Text>{rubric}</Text>
      </h1>
      <div class="bar">
        <button type="button" onClick={onDone}>
          Stop
        </button>
        <span class="quiet" role="status">
          {at + 1} of {queue.length} · {store.unsaved} not saved as a file
        </span>
      </div>
      {metric.question && (
        <p>
          <Text>{metric.question}</Text>
        </p>
      )}
      {kept && <Revealed key={at} {...{ ...shared, item, kept, next, isSwapped }} />}
      <div class="two">
        <div>
          <Input key={`input ${at}`} run={run} output={item.output} />
          {isPair ? <Pair {...{ run, item, isSwapped }} /> : <Shown key={at} title="Output" text={run.outputs.get(item.output, "output")} />}
        </div>
        <div>{!kept && <RatingForm key={at} ways={waysToRate(metric, isPair)} onRate={keep} shortcuts={shortcuts} isMain />}</div>
      </div>
      <Agreement run={run} rubric={rubric} labels={labels} />
    </>
  );
}

function Pair({ run, item, isSwapped }) {
  const entry = run.outputs.raw(item.output, "entry");
  const other = run.entryOf(run.entries.get(entry, "case_id"), item.against);
  const rows = other === null ? [] : [...run.outputsOf.of(other)];
  const trial = run.outputs.raw(item.output, "trial");
  const row = rows.find((one) => run.outputs.raw(one, "trial") === trial) ?? rows[0];
  const texts = [run.outputs.get(item.output, "output"), row === undefined ? null : run.outputs.get(row, "output")];
  if (isSwapped) texts.reverse();
  return (
    <div class="beside">
      <Shown title="A" text={texts[0]} />
      <Shown title="B" text={texts[1]} />
    </div>
  );
}

function Shown({ title, text }) {
  const ways = text ? waysToRead(text) : ["plain"];
  const [way, setWay] = useState(null);
  const read = way ?? ways[0];
  return (
    <Block title={title}>
      {ways.length > 1 && (
        <Choices label="read" value={read} options={ways.map((one) => [one, one === "plain" ? "as it is" : one])} onChoose={setWay} />
      )}
      {read === "markdown" ? (
        <div class="long markdown" dir="auto" tabIndex={0} role="group" aria-label={title}>
          <Markdown source={text} />
        </div>
      ) : (
        <Long label={title} text={text ?? ""} />
      )}
    </Block>
  );
}

/** What the judge said of the output that was just rated, and whose it was. */
function Revealed({ run, item, kept, next, isSwapped, openCase, hrefOf }) {
  const { results } = run;
  // In the letters that the rater saw: "win" is the variant's, whose text stood as A or as B.
  const preferred = (label) => {
    if (label !== "win" && label !== "loss") return label === "tie" ? "neither" : "nothing that could be read";
    const who = label === "win" ? item.variant : item.against;
    return `${(label === "win") === isSwapped ? "B" : "A"} (${who})`;
  };
  const entry = run.outputs.raw(item.output, "entry");
  const button = useRef(null);
  useLayoutEffect(() => button.current.focus(), []);
  return (
    <div class="decision revealed" role="status">
      <p>
        {item.against ? (
          <>
            You preferred <strong><Text>{preferred(kept.label)}</Text></strong>; the judge preferred{" "}
            <strong><Text>{preferred(results.get(item.row, "label"))}</Text></strong>
          </>
        ) : (
          <>
            You said <strong><Text>{kept.label || kept.score}</Text></strong>; the judge said <Badge status={results.get(item.row, "status")} />{" "}
            <strong>
              <Text>{results.get(item.row, "label") || figure(results.raw(item.row, "score"))}</Text>
            </strong>{" "}
            of <Text>{item.variant}</Text>
          </>
        )}
        , case <CaseLink {...{ run, entry, openCase, hrefOf }} />.
        {item.against && <span class="quiet"> In its own words A is what it was shown first:</span>}
      </p>
      <p class="why">
        <Text>{results.get(item.row, "reason")}</Text>
      </p>
      <button type="button" ref={button} onClick={next}>
        Next <kbd>Enter</kbd>
      </button>
    </div>
  );
}

function Saved({ run, store, onChange }) {
  const [problems, setProblems] = useState([]);
  const [said, setSaid] = useState("");
  const save = () => {
    download(`${run.doc.run.run_id}.labels.csv`, written(store.all));
    store.markExported();
    setSaid("");
    onChange();
  };
  const hashOf = (label) => {
    const entry = run.entryOf(label.case_id, label.variant || run.variants[0]);
    if (entry === null) return null;
    const row = [...run.outputsOf.of(entry)].find((one) => run.outputs.raw(one, "trial") === label.trial);
    return row === undefined ? null : run.outputs.get(row, "hash");
  };
  const load = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const found = read(await file.text(), run.doc.run.run_id, hashOf);
    for (const label of found.labels) store.put({ ...label, exported: true });
    setProblems(found.problems);
    setSaid(`${count(found.labels.length)} ratings read from ${file.name}.`);
    event.target.value = "";
    onChange();
  };
  return (
    <div class="saved">
      <p class="tools">
        <button type="button" onClick={save} disabled={store.all.length === 0}>
          Save {count(store.all.length)} ratings as CSV
        </button>
        <label>
          Read ratings from a file <input type="file" accept=".csv,text/csv" onInput={load} />
        </label>
        {store.unsaved > 0 && <strong class="missing">{count(store.unsaved)} not saved as a file yet</strong>}
      </p>
      {!store.kept && <p class="missing">This browser keeps nothing for this page: save before you close it.</p>}
      <p role="status">{said}</p>
      {problems.length > 0 && (
        <Disclosure summary={`${count(problems.length)} rows were not used`} open>
          <ul>
            {problems.slice(0, 50).map((one) => (
              <li>
                <Text>{one}</Text>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

function Agreement({ run, rubric, labels }) {
  // What was chosen, or rated with the verdict in sight, says nothing of the judge.
  const counted = labels.filter((label) => label.sampling === "random" && String(label.blind) === "true");
  const found = useMemo(() => pairsOf(run, rubric, counted), [run, rubric, labels.length, labels.map((one) => one.label + one.score).join()]);
  if (labels.length === 0) return null;
  const said = agreement(found.labels);
  const scores = differences(found.scores);
  const exact = found.scores.filter(([a, b]) => a === b).length;
  const near = found.scores.filter(([a, b]) => Math.abs(a - b) <= 1).length;
  return (
    <Block title="You and the judge" class="agreement">
      <Facts
        pairs={[
          ["ratings", `${count(labels.length)}, of them ${count(counted.length)} random and blind`],
          [
            "agree",
            said.n > 0 &&
              `${said.same} of ${said.n} (${percent(said.same / said.n)}, 95%: ${percent(said.interval[0])} to ${percent(said.interval[1])})`,
          ],
          ["kappa", said.n > 0 && (said.kappa === null ? "not defined while one label is used throughout" : figure(Number(said.kappa.toFixed(2))))],
          ["same score", scores && `${exact} of ${found.scores.length}; within one point ${near}`],
          ["judge against you", scores && `${scores.mean > 0 ? "+" : ""}${figure(Number(scores.mean.toFixed(2)))} on average, ${figure(Number(scores.size.toFixed(2)))} apart`],
          ["not comparable", found.unmatched > 0 && String(found.unmatched)],
        ]}
      />
      {counted.length < 30 && <p class="quiet">Fewer than 30 say little: the interval shows how little.</p>}
    </Block>
  );
}

function Given({ run, store, labels, onChange, openCase, hrefOf }) {
  if (labels.length === 0) return null;
  return (
    <Disclosure summary={`Ratings (${count(labels.length)})`}>
      <ul>
        {labels.slice(-500).map((label) => {
          const entry = run.entryOf(label.case_id, label.variant);
          return (
            <li>
              {entry === null ? <Text>{label.case_id}</Text> : <CaseLink {...{ run, entry, openCase, hrefOf }} />} <Text>{label.variant}</Text>:{" "}
              <strong>
                <Text>{label.label || label.score}</Text>
              </strong>
              {label.comment && (
                <>
                  , <Text>{label.comment}</Text>
                </>
              )}{" "}
              <span class="quiet">
                {label.sampling}
                {String(label.blind) === "true" ? ", blind" : ""}
              </span>{" "}
              <button
                type="button"
                class="small"
                onClick={() => {
                  store.remove(label);
                  onChange();
                }}
              >
                Remove
              </button>
            </li>
          );
        })}
      </ul>
    </Disclosure>
  );
}
