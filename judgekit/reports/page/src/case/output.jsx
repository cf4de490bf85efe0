// An output in, read as what it is: plain with the places marked that results speak of, as JSON, or as Markdown.

import { useEffect, useRef, useState } from "preact/hooks";
import { Badge, Block, Choices, Cut, Long, Text } from "../ui.jsx";
import { laidOut, waysToRead } from "./kinds.js";
import { Markdown } from "./markdown.jsx";
import { pieces } from "./spans.js";

const NAMES = { plain: "as it is", markdown: "Markdown", json: "JSON" };

/** Spans of the results on an output, by metric. */
export function spansOf(run, output) {
  return [...run.resultsOf.of(output)]
    .filter((row) => run.results.raw(row, "spans") !== null)
    .map((row) => ({ name: run.results.get(row, "metric"), offsets: run.results.raw(row, "spans"), failed: run.results.get(row, "status") === "fail" }));
}

export function Output({ run, output, mark, onMark }) {
  const text = run.outputs.get(output, "output");
  const message = run.outputs.get(output, "message");
  const spans = spansOf(run, output);
  const [way, setWay] = useState(null);
  const place = useRef(null);
  useEffect(() => {
    if (mark !== "all" && mark !== "none") place.current?.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }, [mark]);
  if (text === null) {
    return (
      <Block title="Output">
        <p>
          <Badge status="error" /> no output ({run.outputs.get(output, "cause") ?? "cause not known"})
        </p>
        {message && (
          <p>
            <Text>{message}</Text>
          </p>
        )}
      </Block>
    );
  }
  const ways = text === undefined ? ["plain"] : waysToRead(text);
  // Marks stand in the text as it is: where a check failed at a place, that place is what a reader wants to see.
  const asked = mark !== "all" && mark !== "none";
  const read = asked ? "plain" : (way ?? (spans.some((one) => one.failed) ? "plain" : ways[0]));
  return (
    <Block title="Output">
      <div class="row">
        {ways.length > 1 && (
          <Choices
            label="read"
            value={read}
            options={ways.map((one) => [one, NAMES[one]])}
            onChoose={(one) => {
              setWay(one);
              if (one !== "plain") onMark("all");
            }}
          />
        )}
        {spans.length > 0 && read === "plain" && (
          <Choices
            label="marked"
            value={mark}
            options={[["all", "all"], ["none", "none"], ...spans.map((one) => [one.name, <Text>{one.name}</Text>])]}
            onChoose={onMark}
          />
        )}
      </div>
      <div ref={place}>
        {read === "markdown" ? (
          <div class="long markdown" dir="auto" tabIndex={0} role="group" aria-label="Output, as Markdown">
            <Markdown source={text} />
          </div>
        ) : read === "json" ? (
          <Long label="Output, as JSON" text={laidOut(text)} />
        ) : (
          <Marked text={text} spans={mark === "none" ? [] : mark === "all" ? spans : spans.filter((one) => one.name === mark)} />
        )}
      </div>
      <Cut {...{ run, table: run.outputs, row: output, name: "output", file: "outputs.jsonl" }} />
    </Block>
  );
}

function Marked({ text, spans }) {
  if (text === undefined || text === "" || spans.length === 0) return <Long label="Output" text={text} />;
  return (
    <Long label="Output">
      {pieces(text, spans).map(({ text: piece, names }) =>
        names.length === 0 ? (
          <Text>{piece}</Text>
        ) : (
          <mark title={names.join(", ")}>
            <Text>{piece}</Text>
          </mark>
        ),
      )}
    </Long>
  );
}
