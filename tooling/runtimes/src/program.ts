import { createHrClient, isHrError } from '@hr/client';

/** Calls that fail. */
export interface Task {
  readonly baseUrl: string;
  readonly twist: 'aborted' | 'abort' | 'hurry' | 'headers' | 'kept' | 'fetch' | undefined;
}

export const kinds = ['read', 'payment'] as const;
export type Kind = (typeof kinds)[number];

const SHORT_MS = 500;
const payment = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const names = ['accept-encoding', 'cookie', 'date', 'dnt', 'host', 'origin', 'referer', 'te', 'trailer', 'via'];
const headers = Object.fromEntries(names.map((name) => [name, '1']));
const pause = () => new Promise((resolve) => void setTimeout(resolve, SHORT_MS));

async function faultyFetch(url: string, init: RequestInit): Promise<Response> {
  await fetch(url, init);
  throw new TypeError('x is not a function');
}

async function reportOn(kind: Kind, { baseUrl: base, twist }: Task) {
  const baseUrl = `${base}/${kind}`;
  const controller = new AbortController();
  if (twist === 'aborted') controller.abort();
  if (twist === 'abort') setTimeout(() => controller.abort(), SHORT_MS);
  try {
    if (twist === 'kept') {
      // Before it, a server that left comes back. After it, the connection is free.
      await pause();
      await (await fetch(baseUrl)).text();
      await pause();
    }
    const { payroll, time } = createHrClient({
      baseUrl,
      auth: () => 's3cret',
      retry: { limit: 0 },
      allowInsecureHttp: true,
      ...(twist === 'hurry' && { attemptTimeout: SHORT_MS, idleTimeout: SHORT_MS }),
      ...(twist === 'fetch' && { fetch: faultyFetch }),
    });
    const options = { signal: controller.signal, ...(twist === 'headers' && { headers }) };
    if (kind === 'read') await time.absences('Ekin', {}, options);
    else await payroll.submitVariablePayment('Ekin', payment, options);
    throw new Error(`${baseUrl} did not fail.`);
  } catch (error) {
    if (!isHrError(error)) throw error;
    const { code, outcome, message } = error;
    return { code, outcome, message };
  }
}

/** What the client says about a call. */
export type Report = Awaited<ReturnType<typeof reportOn>>;
export type Reports = readonly Record<Kind, Report>[];

/** The bundler puts them in. */
declare const TASKS: readonly Task[];

/** Makes the calls, one after the other. */
export async function report(): Promise<Reports> {
  const reports: Record<Kind, Report>[] = [];
  // oxlint-disable no-await-in-loop -- one after the other
  for (const task of TASKS)
    reports.push({ read: await reportOn('read', task), payment: await reportOn('payment', task) });
  return reports;
}
