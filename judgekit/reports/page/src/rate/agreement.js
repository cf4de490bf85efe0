// Pairs of what a person and the judge said in, how far they agree out.

const YES = new Set(["pass", "yes", "true", "1"]);
const NO = new Set(["fail", "no", "false", "0"]);

/** What a label says in the words of a gate; null if it is another label. */
export function asPassed(label) {
  const said = String(label).toLowerCase();
  return YES.has(said) ? true : NO.has(said) ? false : null;
}

/** Wilson's interval of a share at 95 %. */
export function wilson(part, whole) {
  if (whole === 0) return null;
  const z = 1.959963984540054;
  const rate = part / whole;
  const middle = rate + (z * z) / (2 * whole);
  const reach = z * Math.sqrt((rate * (1 - rate)) / whole + (z * z) / (4 * whole * whole));
  const scale = 1 + (z * z) / whole;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

/**
 * Agreement of labels.
 *
 * @param {[string, string][]} pairs person's and judge's label
 * @returns {{n: number, same: number, interval: number[]|null, kappa: number|null}} kappa null where it is undefined
 */
export function agreement(pairs) {
  const n = pairs.length;
  const same = pairs.filter(([a, b]) => a === b).length;
  const shares = [new Map(), new Map()];
  for (const pair of pairs) pair.forEach((label, side) => shares[side].set(label, (shares[side].get(label) ?? 0) + 1 / n));
  let chance = 0;
  for (const [label, share] of shares[0]) chance += share * (shares[1].get(label) ?? 0);
  return { n, same, interval: wilson(same, n), kappa: n === 0 || chance > 1 - 1e-12 ? null : (same / n - chance) / (1 - chance) };
}

/** Differences of scores, judge minus person: mean, and mean size; null of none. */
export function differences(pairs) {
  if (pairs.length === 0) return null;
  const found = pairs.map(([person, judge]) => judge - person);
  const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return { mean: mean(found), size: mean(found.map(Math.abs)) };
}
