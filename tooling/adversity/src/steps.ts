import { bffRequests } from 'console/test/bff-requests.ts';
import fc from 'fast-check';
import { pathsLike } from 'service/test/fuzz/addresses.ts';
import { bodies } from 'service/test/fuzz/bodies.ts';
import { personIds } from 'service/test/fuzz/canaries.ts';
import type { FuzzRequest } from 'service/test/fuzz/fuzz-request.ts';
import { oddHeaders, type Header } from 'service/test/fuzz/headers.ts';
import { mostly } from 'service/test/fuzz/mostly.ts';
import { rawBytes } from 'service/test/fuzz/raw-bytes.ts';
import { requests } from 'service/test/fuzz/requests.ts';
import { placeholders } from 'service/test/fuzz/secrets.ts';
import { seen, writes, type Sent } from './writes.ts';

/** Clients that send at the same time, each one request after the other. */
export const LANES = 6;
/** The first of them see everything, and have a person of their own whose changes are followed. */
export const WRITERS = 4;
export const faults = {
  'kill the service': 6,
  'stop and continue the service': 3,
  'end the connections to PostgreSQL': 3,
  'kill PostgreSQL': 1,
  'fill the disk': 1,
  'kill the console': 1,
} as const;
export type Fault = keyof typeof faults;

/** One thing that is done. A file of them has no secret: requests name secrets and ids by placeholders. */
export type Step =
  | ({ readonly kind: 'request'; readonly lane: number } & Sent)
  | { readonly kind: 'raw'; readonly lane: number; readonly bytes: string }
  | { readonly kind: 'console'; readonly lane: number; readonly request: FuzzRequest }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly ms: number }
  | { readonly kind: 'check' };

/** Puts ids of earlier responses where a request names an id of the same kind. */
function withSeenIds(request: FuzzRequest, index: number): FuzzRequest {
  const of = (name: string): string => seen('shared', name, index);
  const target = request.target
    .replace(/(?<=\/webhook-endpoints\/)\d+/, of('endpointId'))
    .replace(placeholders.victimId, index % 2 === 0 ? placeholders.victimId : of('clientId'))
    .replace(/(?<=[?&]after=)[^&]*/, of('cursor'));
  return { ...request, target };
}

const anyIndex = fc.nat({ max: 7 });
const anyLane = fc.nat({ max: LANES - 1 });

const rows = [
  { contractId: 'ledger-c-0', payment: { billingPeriod: '2026-01', compensationComponentId: 'X', amount: 1 } },
];
/** Better bodies for the console than those in its table of requests. */
const consoleBodies: Readonly<Record<string, object>> = {
  'POST /bff/payments/batches': { batch: 'RUN', name: 'A batch', rows },
  'POST /bff/payments/check': { rows },
  'POST /bff/payments/decisions': { run: 'RUN', decision: 'approve', chosen: { ids: ['1', '2'] } },
  'POST /bff/system/sync': { collection: 'persons', action: 'full' },
};

function consoleRequest([route, { query = '', body }]: (typeof consoleRoutes)[number]): fc.Arbitrary<FuzzRequest> {
  const [method = '', url = ''] = route.split(' ');
  const parameter = url.includes('contracts') ? '{contractId}' : url.includes('people') ? '{id}' : '{paymentId}';
  const path = url.replace(/:(?:id|key)/, parameter).replace(/:\w+/, 'RUN');
  const known = consoleBodies[route] ?? body;
  const parts = fc.tuple(
    pathsLike(path),
    known ? bodies(fc.constant(known)) : fc.constant(''),
    oddHeaders,
    mostly(fc.constant('~session~'), 20, fc.constantFrom('', 'x', '~viewer-session~')),
    fc.constantFrom(1, 2, 3, 4),
  );
  return parts.map(([target, text, more, session, run]) => {
    const fill = (one: string): string =>
      one.replaceAll('RUN', `019b0000-0000-7000-8000-00000000000${run}`).replaceAll('PERSON', personIds[0] ?? '');
    const headers: Header[] = [
      ['Host', '~console~'],
      ['Origin', 'http://~console~'],
      ['Cookie', `hr-console=${session}`],
      ...(text === '' ? [] : [['Content-Type', 'application/json'] as const]),
      ...more,
    ];
    const address = fill(target + query.replace('USER', 'local%23mara.demo'));
    return { method, target: address, headers, body: fill(text).replace('USER', 'local#mara.demo'), chunked: false };
  });
}

/** Every route but the end of a session, and the events, which do not end. */
const consoleRoutes = Object.entries(bffRequests).filter(([route]) => !/DELETE \/bff\/session|events/.test(route));

type Make = (index: number) => Step;

const inputs: fc.Arbitrary<Make> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(anyLane, requests, anyIndex).map(([lane, request, index]): Make => {
      return () => ({ kind: 'request', lane, request: withSeenIds(request, index), owner: 'shared' });
    }),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat({ max: WRITERS - 1 }), anyIndex, fc.constantFrom(...writes))
      .map(([lane, choice, write]): Make => {
        return (index) => ({ kind: 'request', lane, ...write({ lane, choice, index }), owner: lane });
      }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyLane, rawBytes).map(([lane, bytes]): Make => () => ({ kind: 'raw', lane, bytes })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyLane, fc.oneof(...consoleRoutes.map(consoleRequest))).map(([lane, request]): Make => {
      return () => ({ kind: 'console', lane, request });
    }),
  },
);

const INPUTS_A_FAULT = 2000;

/** Inputs in an order, with faults among them, and checks of everything that is stored. The same seed makes the same. */
export function anySteps(seed: number, count: number, possible: readonly Fault[]): Step[] {
  const made = fc.sample(inputs, { seed, numRuns: count }).map((make, index) => make(index));
  const someFaults = fc.record({
    at: fc.nat({ max: count }),
    fault: fc.oneof(...possible.map((fault) => ({ weight: faults[fault], arbitrary: fc.constant(fault) }))),
    ms: fc.integer({ min: 20, max: 1500 }),
  });
  const disturbances = fc.sample(someFaults, { seed, numRuns: Math.ceil(count / INPUTS_A_FAULT) });
  const parts = Map.groupBy(disturbances, ({ at }) => at);
  const steps = made.flatMap((step, index): Step[] => [
    ...(parts.get(index) ?? []).map(({ fault, ms }): Step => ({ kind: 'fault', fault, ms })),
    step,
  ]);
  const middle = Math.floor(steps.length / 2);
  const check: Step = { kind: 'check' };
  return [...steps.slice(0, middle), check, ...steps.slice(middle), check];
}
