// The judged outputs of a run in, those to rate in random order out: drawn anew they are the same, for one seed.

/** Numbers in [0, 1) that follow from a text. */
export function generator(seed) {
  let state = 2166136261;
  for (let at = 0; at < seed.length; at += 1) state = Math.imul(state ^ seed.charCodeAt(at), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffled(items, random) {
  const found = [...items];
  for (let at = found.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [found[at], found[other]] = [found[other], found[at]];
  }
  return found;
}

/** Rubrics that a judge was asked about, in order of appearance; items of a checklist are parts of theirs. */
export function judgedRubrics(run) {
  const judged = run.metrics.filter((name) => run.doc.metrics[name].kind === "judge");
  return judged.filter((name) => !judged.some((other) => other !== name && name.startsWith(`${other}.`)));
}

/** Each judged output once, whatever the number of judges: {output, row, variant, against}. */
export function judgedOutputs(run, rubric) {
  const found = new Map();
  const { results, outputs, entries } = run;
  for (let row = 0; row < results.length; row += 1) {
    if (results.get(row, "kind") !== "judge" || results.get(row, "metric") !== rubric) continue;
    if (results.raw(row, "score") === null && !results.get(row, "label")) continue;
    const output = results.raw(row, "output");
    const against = results.get(row, "against") ?? "";
    // What a panel says together is what decides.
    if (output === null || (found.has(`${output} ${against}`) && results.get(row, "judge") !== "panel")) continue;
    found.set(`${output} ${against}`, { output, row, variant: entries.get(outputs.raw(output, "entry"), "variant"), against });
  }
  return [...found.values()];
}

/** Items in random order, variants in turn, so that however early a person stops each variant has its share. */
export function stratified(items, seed) {
  const random = generator(seed);
  const groups = new Map();
  for (const item of items) {
    if (!groups.has(item.variant)) groups.set(item.variant, []);
    groups.get(item.variant).push(item);
  }
  const piles = [...groups.values()].map((group) => shuffled(group, random));
  const found = [];
  while (piles.some((pile) => pile.length > 0)) {
    // In another order each round: a rater must not learn which variant comes next.
    for (const pile of shuffled(piles, random)) if (pile.length > 0) found.push(pile.pop());
  }
  return found;
}
