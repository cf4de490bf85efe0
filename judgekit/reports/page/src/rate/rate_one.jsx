// One output that a person picked out: rated with verdict and variant in sight, and marked as such.

import { useState } from "preact/hooks";
import { Block, Disclosure, Text } from "../ui.jsx";
import { judgedRubrics } from "./queue.js";
import { RatingForm } from "./rating_form.jsx";
import { annotator } from "./rate_view.jsx";
import { asRating, waysToRate } from "./scale.js";

export function RateOne({ run, entry, output, store, shortcuts }) {
  const rubrics = judgedRubrics(run).filter((rubric) =>
    [...run.resultsOf.of(output)].some((row) => run.results.get(row, "metric") === rubric && !run.results.get(row, "against")),
  );
  const [rubric, setRubric] = useState(rubrics[0]);
  const [said, setSaid] = useState("");
  if (rubrics.length === 0 || run.outputs.raw(output, "output") === null) return null;
  const given = store.all.filter(
    (label) =>
      label.case_id === run.entries.get(entry, "case_id") &&
      label.variant === run.entries.get(entry, "variant") &&
      Number(label.trial) === run.outputs.raw(output, "trial"),
  );
  return (
    <Block title="People">
      {given.length > 0 && (
        <ul>
          {given.map((label) => (
            <li>
              <Text>{label.annotator || "a person"}</Text>: <Text>{label.rubric}</Text> <strong><Text>{label.label || label.score}</Text></strong>
              {label.comment && (
                <>
                  , <Text>{label.comment}</Text>
                </>
              )}{" "}
              <span class="quiet">({label.sampling === "random" ? "drawn at random" : "chosen"}{String(label.blind) === "true" ? ", blind" : ""})</span>
            </li>
          ))}
        </ul>
      )}
      <Disclosure summary="Rate this output">
        {rubrics.length > 1 && (
          <label>
            Rubric{" "}
            <select value={rubric} onInput={(event) => setRubric(event.target.value)}>
              {rubrics.map((one) => (
                <option value={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
        <RatingForm
          ways={waysToRate(run.doc.metrics[rubric], false)}
          shortcuts={shortcuts}
          isMain={false}
          onRate={(way, value, comment) => {
            store.put({
              ...labelOf(run, output, rubric, ""),
              ...asRating(way, value, false),
              comment,
              annotator: annotator(),
              sampling: "chosen",
              blind: "false",
            });
            setSaid(`kept: ${value}`);
          }}
        />
        <p role="status">{said}</p>
      </Disclosure>
    </Block>
  );
}

/** What a rating is of, as the label format names it. */
export function labelOf(run, output, rubric, against) {
  const entry = run.outputs.raw(output, "entry");
  return {
    run_id: run.doc.run.run_id,
    case_id: run.entries.get(entry, "case_id"),
    variant: run.entries.get(entry, "variant"),
    against,
    trial: run.outputs.raw(output, "trial"),
    rubric,
    output_hash: run.outputs.get(output, "hash"),
  };
}
