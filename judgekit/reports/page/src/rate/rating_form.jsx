// The choices of a rubric in, a rating out: a key chooses, Enter keeps it.

import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../app.jsx";
import { Choices, Text } from "../ui.jsx";

export function RatingForm({ ways, onRate, shortcuts, isMain }) {
  const [way, setWay] = useState(ways[0]);
  const [value, show] = useState("");
  const [comment, setComment] = useState("");
  const field = useRef(null);
  const form = useRef(null);
  // What was chosen counts at once: Enter may come before the choice has been drawn.
  const chosen = useRef("");
  const setValue = (one) => {
    chosen.current = one;
    show(one);
  };
  useEffect(() => setWay(ways[0]), [ways[0].name]);
  const isGiven = (one) => one !== "" && (way.choices !== null || Number.isFinite(Number(one)));
  const keep = () => isGiven(chosen.current) && onRate(way, chosen.current, comment);
  const keys = { c: () => field.current.focus(), Enter: keep };
  for (const choice of way.choices ?? []) {
    keys[choice.key] = () => {
      setValue(choice.value);
      // Off a button that was pressed before: Enter would press it again.
      form.current.querySelector(`input[value="${CSS.escape(choice.value)}"]`)?.focus();
    };
  }
  useKeys(keys, isMain && shortcuts);
  return (
    <form
      class="rating"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      {ways.length > 1 && (
        <Choices
          label="rate by"
          value={way.name}
          options={ways.map((one) => [one.name, one.title])}
          onChoose={(name) => {
            setWay(ways.find((one) => one.name === name));
            setValue("");
          }}
        />
      )}
      {way.choices ? (
        <fieldset>
          <legend class="hidden">Your rating</legend>
          {way.choices.map((choice) => (
            <label class={`option ${value === choice.value ? "chosen" : ""}`}>
              <input
                type="radio"
                name="rating"
                value={choice.value}
                checked={value === choice.value}
                onInput={() => setValue(choice.value)}
              />{" "}
              <strong>
                <Text>{choice.title}</Text>
              </strong>
              {isMain && choice.key !== choice.title && <kbd>{choice.key}</kbd>}
              {choice.hint && (
                <span class="quiet">
                  {" "}
                  <Text>{choice.hint}</Text>
                </span>
              )}
            </label>
          ))}
        </fieldset>
      ) : (
        <label>
          Score ({way.title}){" "}
          <input type="number" step="any" value={value} onInput={(event) => setValue(event.target.value)} />
        </label>
      )}
      <label>
        Comment {isMain && <kbd>c</kbd>}
        <input type="text" ref={field} value={comment} onInput={(event) => setComment(event.target.value)} />
      </label>
      <button type="submit" disabled={!isGiven(value)}>
        Keep {isMain && <kbd>Enter</kbd>}
      </button>
    </form>
  );
}
