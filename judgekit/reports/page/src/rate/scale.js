// A rubric in, the ways to rate by it, each with its choices and keys, out.

/**
 * @param {object} metric entry of the document's `metrics`
 * @param {boolean} isPair whether two outputs are compared
 * @returns {{name: string, title: string, choices: {value: string, title: string, key: string, hint?: string}[]|null}[]}
 *   choices null: any number on the scale
 */
export function waysToRate(metric, isPair) {
  if (isPair) {
    return [
      {
        name: "pair",
        title: "which is better",
        choices: [
          { value: "first", title: "A is better", key: "1" },
          { value: "tie", title: "neither", key: "2" },
          { value: "second", title: "B is better", key: "3" },
        ],
      },
    ];
  }
  const passFail = {
    name: "pass",
    title: "pass or fail",
    choices: [
      { value: "pass", title: "pass", key: "p" },
      { value: "fail", title: "fail", key: "f" },
    ],
  };
  const labels = Object.keys(metric.labels ?? {});
  if (labels.length > 0) {
    const choices = labels.map((value, at) => ({ value, title: value, key: String(at + 1) }));
    return [{ name: "label", title: "labels", choices }, passFail];
  }
  if (metric.checklist || metric.criteria) return [passFail];
  const { scale_min: low, scale_max: high } = metric;
  const points = high - low + 1;
  const isCounted = Number.isInteger(low) && Number.isInteger(high) && points <= 10 && low >= 0 && high <= 9 && points > 2;
  const scale = {
    name: "score",
    title: `${low} to ${high}`,
    choices: isCounted
      ? Array.from({ length: points }, (_, at) => ({ value: String(low + at), title: String(low + at), key: String(low + at), hint: metric.anchors?.[low + at] }))
      : null,
  };
  // Where a threshold decides, what a person says is compared with what the gate says.
  return metric.threshold === undefined || metric.threshold === null ? [scale, passFail] : [passFail, scale];
}

/** What a choice means in the label format: `label` or `score`. A pair's choice counts for the variant. */
export function asRating(way, value, isSwapped) {
  if (way.name === "score") return { label: "", score: value };
  if (way.name !== "pair") return { label: value, score: "" };
  if (value === "tie") return { label: "tie", score: "" };
  return { label: (value === "first") === !isSwapped ? "win" : "loss", score: "" };
}
