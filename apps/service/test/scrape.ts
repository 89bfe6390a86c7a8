import { expect } from 'vitest';
import { parseExposition, type Exposition } from './exposition.ts';
import type { TestService } from './service.ts';

/** Reads a service's metrics as Prometheus does. */
export async function scrape({ metricsUrl = '' }: Pick<TestService, 'metricsUrl'>): Promise<Exposition> {
  return parseExposition(await (await fetch(metricsUrl)).text());
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
