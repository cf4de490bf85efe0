// Values with their intervals in, drawings out; the figures always stand beside them as text.

/** A dot with its interval on an axis from `low` to `high`; `zero` draws the line of no difference. */
export function Dot({ value, from, to, low, high, zero = null, width = 160, kind = "" }) {
  if (value === null || value === undefined) return null;
  const at = (number) => 6 + ((Math.min(Math.max(number, low), high) - low) / (high - low || 1)) * (width - 12);
  const bounded = from !== null && from !== undefined && to !== null && to !== undefined;
  return (
    <svg class={`dots ${kind}`} viewBox={`0 0 ${width} 20`} width={width} height={20} aria-hidden="true">
      <line class="axis" x1={6} x2={width - 6} y1={10} y2={10} />
      {zero !== null && <line class="zero" x1={at(zero)} x2={at(zero)} y1={0} y2={20} />}
      {bounded && <line class="span" x1={at(from)} x2={at(to)} y1={10} y2={10} />}
      {bounded && [from, to].map((end) => <line class="span" x1={at(end)} x2={at(end)} y1={6} y2={14} />)}
      <circle class="dot" cx={at(value)} cy={10} r={4} />
    </svg>
  );
}

/**
 * Values over time as a line with dots and intervals, on one axis.
 *
 * @param {{points: {value: number|null, low?: number|null, high?: number|null, title: string, href?: string}[],
 *   low: number, high: number, threshold?: number|null}} props
 */
export function Trend({ points, low, high, threshold = null, width = 320, height = 72 }) {
  const x = (place) => (points.length === 1 ? width / 2 : 10 + (place / (points.length - 1)) * (width - 20));
  const y = (value) => height - 8 - ((value - low) / (high - low || 1)) * (height - 16);
  const known = points.map((point, place) => ({ ...point, place })).filter((point) => point.value !== null && point.value !== undefined);
  return (
    <svg class="dots trend" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <line class="axis" x1={4} x2={width - 4} y1={y(low)} y2={y(low)} />
      <line class="axis" x1={4} x2={width - 4} y1={y(high)} y2={y(high)} />
      {threshold !== null && <line class="zero" x1={4} x2={width - 4} y1={y(threshold)} y2={y(threshold)} />}
      <polyline class="line" points={known.map((point) => `${x(point.place)},${y(point.value)}`).join(" ")} />
      {known.map((point) => (
        <g>
          <title>{point.title}</title>
          {point.low !== null && point.low !== undefined && (
            <line class="span thin" x1={x(point.place)} x2={x(point.place)} y1={y(point.low)} y2={y(point.high)} />
          )}
          <circle class={`dot ${threshold !== null && point.value < threshold ? "below" : ""}`} cx={x(point.place)} cy={y(point.value)} r={3.5} />
        </g>
      ))}
    </svg>
  );
}
