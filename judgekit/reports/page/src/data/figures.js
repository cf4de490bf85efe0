// Numbers in, the words that the page shows out; judgekit/reports/wording.py says the same in the other reports.

/** Up to four decimals, and more where rounding would contradict the comparison with a threshold. */
export function figure(value, against = null) {
  if (value === null || value === undefined) return "–";
  for (let digits = 4; digits <= 17; digits += 1) {
    const shown = value.toFixed(digits);
    const rounded = Number(shown);
    const kept = rounded !== 0 || value === 0;
    if (kept && (against === null || Math.sign(rounded - against) === Math.sign(value - against)))
      return shown.includes(".") ? shown.replace(/\.?0+$/, "") : shown;
  }
  return String(value);
}

export function signed(value) {
  return value === null || value === undefined ? "–" : `${value > 0 ? "+" : ""}${figure(value)}`;
}

/** A difference of rates in percentage points, as judgekit.frame.comparing.wording words it. */
export function points(difference, { unit = true } = {}) {
  if (difference === null || difference === undefined) return "–";
  const size = Math.abs(100 * difference);
  let shown = size.toFixed(1);
  for (let digits = 2; digits <= 3 && Number(shown) === 0 && size > 0; digits += 1) shown = size.toFixed(digits);
  return `${difference > 0 ? "+" : difference < 0 ? "-" : ""}${shown.replace(/\.?0+$/, "")}${unit ? " points" : ""}`;
}

/** A rate in percent; 100 % and 0 % are said only of all and none. */
export function percent(rate) {
  if (rate === null || rate === undefined) return "–";
  let tenths = Math.round(1000 * rate);
  if (rate < 1) tenths = Math.min(tenths, 999);
  if (rate > 0) tenths = Math.max(tenths, 1);
  return `${tenths / 10}%`;
}

export function share(part, whole) {
  return `${whole ? percent(part / whole) : "–"} (${part} of ${whole})`;
}

/** An unknown amount is said to be unknown, never 0. */
export function usd(value) {
  if (value === null || value === undefined) return "unknown";
  return value === 0 || value >= 1 ? `$${value.toFixed(2)}` : `$${Number(value.toPrecision(3))}`;
}

export function seconds(value) {
  return value === null || value === undefined ? null : `${Number(value.toPrecision(3))} s`;
}

export function count(value) {
  return value === null || value === undefined ? "unknown" : value.toLocaleString("en");
}

export function pValue(value) {
  if (value === null || value === undefined) return "–";
  return value < 0.001 ? "< 0.001" : figure(Number(value.toPrecision(2)));
}

/** The value below which a share of the numbers lies, linearly between neighbours; null of none. */
export function quantile(numbers, share) {
  if (numbers.length === 0) return null;
  const sorted = Float64Array.from(numbers).sort();
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}
