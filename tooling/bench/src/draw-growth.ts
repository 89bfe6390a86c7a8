/** A measure at each size. */
export interface Curve {
  readonly name: string;
  readonly law: 'linear' | 'flat';
  readonly values: readonly number[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 420, 64, 250, 24, 48];
const COLORS = ['#1864ab', '#862e9c', '#087f5b', '#e67700', '#c92a2a', '#5c940d', '#495057'];
const LABEL_HEIGHT = 18;

/**
 * A picture of curves, both axes logarithmic, each as a multiple of its value at the smallest size. So everything that is
 * linear is one slanted line, drawn dashed to the tenfold of the largest size, and everything flat is level.
 */
export function drawGrowth(sizes: readonly number[], curves: readonly Curve[]): string {
  const [first = 1] = sizes;
  const shown = [...sizes, (sizes.at(-1) ?? first) * 10];
  const decades = Math.log10((shown.at(-1) ?? first) / first);
  const x = (size: number): number => LEFT + (Math.log10(size / first) / decades) * (WIDTH - LEFT - RIGHT);
  const highest = Math.log10(
    Math.max(
      ...curves.map(({ law, values }) => ((values.at(-1) ?? 1) / (values[0] ?? 1)) * (law === 'linear' ? 10 : 1)),
    ),
  );
  // From a tenth to the largest multiple.
  const y = (multiple: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(multiple) + 1) / (highest + 1)) * (HEIGHT - TOP - BOTTOM);
  const grid = shown.flatMap((size) => [
    line(
      [
        [x(size), TOP],
        [x(size), HEIGHT - BOTTOM],
      ],
      'stroke="#adb5bd" stroke-width="0.5"',
    ),
    `<text x="${x(size).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  ]);
  const multiples = Array.from({ length: Math.floor(highest) + 2 }, (_, index) => 10 ** (index - 1));
  const rules = multiples.flatMap((multiple) => [
    line(
      [
        [LEFT, y(multiple)],
        [WIDTH - RIGHT, y(multiple)],
      ],
      'stroke="#adb5bd" stroke-width="0.5"',
    ),
    `<text x="${LEFT - 8}" y="${(y(multiple) + 4).toFixed(1)}" text-anchor="end">${multiple}×</text>`,
  ]);
  const drawn = curves.map(({ name, law, values }, index) => {
    const color = `stroke="${COLORS[index % COLORS.length]}" stroke-width="2"`;
    const points = values.map((value, at) => [x(sizes[at] ?? first), y(value / (values[0] ?? 1))] as const);
    const [lastX, lastY] = points.at(-1) ?? [0, 0];
    const derived = [
      [lastX, lastY],
      [x(shown.at(-1) ?? first), lastY - (law === 'linear' ? y(1) - y(10) : 0)],
    ] as const;
    const label = TOP + 12 + index * LABEL_HEIGHT;
    return [
      line(points, color),
      line(derived, `${color} stroke-dasharray="4 4"`),
      line(
        [
          [WIDTH - RIGHT + 16, label - 4],
          [WIDTH - RIGHT + 36, label - 4],
        ],
        color,
      ),
      `<text x="${WIDTH - RIGHT + 42}" y="${label}">${name.replace(/, \w+$/, '')}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#343a40">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...grid, ...rules, ...drawn].join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">persons; dashed: derived</text>
</svg>
`;
}

function line(points: readonly (readonly [number, number])[], attributes: string): string {
  const at = points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ');
  return `<polyline fill="none" ${attributes} points="${at}"/>`;
}
