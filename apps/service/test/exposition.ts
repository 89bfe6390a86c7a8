import { expect } from 'vitest';

/** The values of a scrape, by name and labels as written: `name{label="value"}`. */
export type Exposition = ReadonlyMap<string, number>;

const help = /^# HELP (\w+) \S.*$/;
const type = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/;
const sample =
  /^([a-z_]\w*)(\{[a-z]\w*="[^"\\\n]*"(?:,[a-z]\w*="[^"\\\n]*")*\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[Nn]an|\+Inf)$/;
const suffixes = {
  counter: /^$/,
  gauge: /^$/,
  histogram: /^_(?:bucket|sum|count)$/,
  summary: /^(?:_sum|_count)?$/,
} as const;

/**
 * Reads Prometheus' text format strictly: each family is described once, before its samples; each series is there once;
 * the buckets of a histogram add up.
 */
export function parseExposition(text: string): Exposition {
  const series = new Map<string, number>();
  const described = new Set<string>();
  let family = '';
  let kind: keyof typeof suffixes = 'gauge';
  expect(text).toMatch(/\n$/);
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('# HELP')) {
      family = matched(help, line)[1] ?? '';
      expect(described).not.toContain(family);
      described.add(family);
    } else if (line.startsWith('#')) {
      const [, name, of] = matched(type, line);
      expect(name).toBe(family);
      kind = of as typeof kind;
    } else {
      const [, name = '', labels = '', value] = matched(sample, line);
      expect(name.startsWith(family)).toBe(true);
      expect(name.slice(family.length)).toMatch(suffixes[kind]);
      expect(series).not.toContain(name + labels);
      series.set(name + labels, Number(value?.replace('+Inf', 'Infinity')));
    }
  }
  checkHistograms(series);
  return series;
}

function matched(pattern: RegExp, line: string): RegExpExecArray {
  const found = pattern.exec(line);
  if (!found) throw new Error(`This is not the text format: ${line}`);
  return found;
}

function checkHistograms(series: Exposition): void {
  let before: { rest: string; count: number } | undefined;
  for (const [key, count] of series) {
    const [, name, bound, labels = ''] = /^(\w+)_bucket\{le="([^"]+)"(?:,(.*))?\}$/.exec(key) ?? [];
    if (name === undefined) continue;
    const rest = `${name}_count${labels && `{${labels}}`}`;
    if (before?.rest === rest) expect(count).toBeGreaterThanOrEqual(before.count);
    if (bound === '+Inf') expect(count).toBe(series.get(rest));
    before = { rest, count };
  }
}
