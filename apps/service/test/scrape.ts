import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** Reads a service's metrics: the values by name and labels as written, `name{label="value"}`. */
export async function scrape({ metricsUrl = '' }: Pick<TestService, 'metricsUrl'>): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = samples.map((line): [string, number] => {
    const [, key = '', value] = /^(\w+(?:\{.+\})?) (\S+)$/.exec(line) ?? [];
    return [key, Number(value)];
  });
  const values = new Map(series);
  // Prometheus refuses a scrape with a series twice.
  expect([values.size, values.has('')]).toEqual([samples.length, false]);
  return values;
}

/**
 * Which of the service's own values `work` changed, by how much.
 *
 * @param awaited one that goes up, after which nothing more is waited for
 */
export async function changedBy(
  service: Pick<TestService, 'metricsUrl'>,
  awaited: string,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await scrape(service);
  await work();
  let after = before;
  await expect
    .poll(async () => {
      after = await scrape(service);
      return after.get(awaited) ?? 0;
    })
    .toBeGreaterThan(before.get(awaited) ?? 0);
  const differences = [...after].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(differences.filter(([key, by]) => key.startsWith('hr_') && by !== 0));
}

/** The series that counts the requests of an operation that were answered with a status. */
export function requests(operation: string, status: number): string {
  return `hr_http_requests_total{operation="${operation}",status="${status}"}`;
}
