import type { Curve, Measurement } from './measurement';

const WIDTH = 640;
const HEIGHT = 240;
const MARGIN = 48;

/** Cost against length as SVG, one chart below the other, with the target as a dashed line. */
export function costPlot(measurements: readonly Measurement[]): string {
  const charts = measurements.flatMap(({ name, curve, target }) =>
    curve === undefined ? [] : [{ name, curve, target }],
  );
  const body = charts.map(
    ({ name, curve, target }, index) =>
      `<g transform="translate(0 ${index * HEIGHT})">${chart(name, curve, target)}</g>`,
  );
  const height = HEIGHT * Math.max(charts.length, 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${body.join('\n')}
</svg>
`;
}

function chart(name: string, { points, lengthIn }: Curve, target: number | undefined): string {
  const longest = Math.max(...points.map(({ length }) => length));
  const highest = Math.max(1, target ?? 1, ...points.map(({ ratio }) => ratio)) * 1.1;
  const x = (length: number): number => MARGIN + (length / longest) * (WIDTH - 2 * MARGIN);
  const y = (ratio: number): number => HEIGHT - MARGIN - (ratio / highest) * (HEIGHT - 2 * MARGIN);
  const at = points.map(({ length, ratio }) => ({ length, ratio, x: x(length), y: y(ratio) }));
  const line = at.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ');
  return [
    `<text x="${MARGIN}" y="24" font-weight="bold">${name}: relative cost by ${lengthIn}</text>`,
    `<path d="M${MARGIN} ${y(highest)}V${y(0)}H${x(longest)}" fill="none" stroke="gray"/>`,
    target === undefined
      ? ''
      : `<path d="M${MARGIN} ${y(target)}H${x(longest)}" stroke="firebrick" stroke-dasharray="4"/>`,
    `<polyline points="${line}" fill="none" stroke="steelblue" stroke-width="2"/>`,
    ...at.map(
      (point) =>
        `<circle cx="${point.x}" cy="${point.y}" r="3" fill="steelblue"/>` +
        `<text x="${point.x}" y="${point.y - 8}" text-anchor="middle">${point.ratio.toFixed(2)}</text>` +
        `<text x="${point.x}" y="${y(0) + 16}" text-anchor="middle">${point.length}</text>`,
    ),
  ].join('\n');
}
