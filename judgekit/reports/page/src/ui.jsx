// Small parts that every view is made of. Texts of a run enter the page through <Text> as text nodes, and only so.

import { Fragment } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { count } from "./data/figures.js";

// Control characters, and those that turn the direction of writing or hide: a reader must see that they are there.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** A text of nothing but NUL would become one element a character. */
const MOST_UNSEEN = 2000;

/** A text with unseen characters written out by their code. */
export function Text({ children }) {
  const text = children === null || children === undefined ? "" : String(children);
  if (text.search(UNSEEN) === -1) return text;
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (parts.length >= 2 * MOST_UNSEEN) break;
    parts.push(text.slice(from, found.index));
    const code = `U+${found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push(<span class="unseen">{code}</span>);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return <Fragment>{parts}</Fragment>;
}

const MARKS = { pass: "✓", fail: "✗", error: "!", unscored: "?", skipped: "–", scored: "•", negative_ok: "✓" };
const WORDS = { negative_ok: "negative ok" };

export function word(status) {
  return WORDS[status] ?? status;
}

export function Badge({ status, children }) {
  return (
    <span class={`badge ${status}`}>
      <span aria-hidden="true">{MARKS[status] ?? "•"}</span> {children ?? word(status)}
    </span>
  );
}

export function Section({ id, title, children, class: kind }) {
  return (
    <section id={id} class={kind} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

export function Block({ title, children, class: kind }) {
  return (
    <section class={`block ${kind ?? ""}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A table inside a frame that scrolls by itself where the window is narrow. */
export function Grid({ label, header, rows, class: kind }) {
  return (
    <div class={`frame ${kind ?? ""}`} role="region" aria-label={label} tabIndex={0}>
      <table>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {header.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{row.map((cell, place) => (place === 0 ? <th scope="row">{cell}</th> : <td>{cell}</td>))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A list of names and values; values that are nothing are left out with their names. */
export function Facts({ pairs }) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <Text>{value}</Text> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Sentences of a run as a list; nothing where there are none. */
export function Sentences({ lines }) {
  if (lines.length === 0) return null;
  return (
    <ul class="sentences">
      {lines.map((line) => (
        <li>
          <Text>{line}</Text>
        </li>
      ))}
    </ul>
  );
}

export function Disclosure({ summary, children, open = false }) {
  return (
    <details open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

/** A group of buttons of which one is pressed. */
export function Choices({ label, options, value, onChoose }) {
  return (
    <div class="choices" role="group" aria-label={label}>
      <span class="quiet" aria-hidden="true">
        {label}
      </span>
      {options.map(([name, shown]) => (
        <button type="button" aria-pressed={String(name === value)} onClick={() => onChoose(name)}>
          {shown}
        </button>
      ))}
    </div>
  );
}

/** Where the whole of a cut text stands: in the page beside this one, or else in the run folder. */
export function Cut({ run, table, row, name, file }) {
  const whole = run.wholeLength(table, row, name);
  if (whole === 0) return null;
  const position = table.raw(row, name);
  const here = table.get(row, name)?.length;
  return (
    <p class="cut">
      cut at {count(here)} of {count(whole)} characters;{" "}
      {run.doc.side ? <a href={`${run.doc.side}#text=${position}`}>the whole text</a> : `full text in ${file} of the run`}
    </p>
  );
}

/** A text as it is, in a box that scrolls. */
export function Long({ label, text, children, class: kind }) {
  return (
    <pre class={`long ${kind ?? ""}`} dir="auto" tabIndex={0} role="group" aria-label={label}>
      {children ?? (text === undefined ? <em>unpacking…</em> : text === "" ? <em>(empty)</em> : <Text>{text}</Text>)}
    </pre>
  );
}

/** Draws again whenever more texts have been unpacked. */
export function useTexts(texts) {
  const [, again] = useReducer((n) => n + 1, 0);
  useEffect(() => (texts.complete ? undefined : texts.onLoad(() => again())), [texts]);
  return texts.version;
}

/** Offers a text as a file. */
export function download(name, text, type = "text/csv;charset=utf-8") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
