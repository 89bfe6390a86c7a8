import { issuesOf, type IssueCode } from '@hr/schemas';
import type { z } from 'zod';
import { arbitraryOf } from '../../fixtures/arbitraries.ts';
import { fixtures } from '../../fixtures/fixtures.ts';
import { leafFaults } from '../../fixtures/invalid.ts';
import { inner } from '../../model/leaf.ts';
import type { Check } from '../check.ts';
import type { CloudRequest } from '../cloud.ts';
import type { ConformRun, Query } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';
import { listIds, ownNames, table } from '../../model/lists.ts';

/** An id, secret or scope that no HR cloud has. */
export const ABSENT = 'hr-conform-absent';
const MAX_SHOWN = 10;
const ENOUGH_ELEMENTS = 100;
const section = '7';

const { personPatch, variablePaymentRequest } = fixtures();
const invalidBodies = {
  updatePerson: personPatch.invalid(),
  submitVariablePayment: variablePaymentRequest.invalid(),
};
/** Codes of the faults that break a stated bound (section 8). */
const stated = new Set<IssueCode>(['too-long', 'too-short', 'out-of-range', 'wrong-format', 'not-allowed', 'rule']);

/** Path parameters of an operation that name nothing. */
export function absent(operation: string): Query {
  return Object.fromEntries(Object.keys(table[operation]?.pathParameters.shape ?? {}).map((name) => [name, ABSENT]));
}

/** Sends the bodies with one fault of an operation: those that break a stated bound, or all others. */
export async function rejectBodies(
  run: ConformRun,
  request: CloudRequest,
  statuses: readonly number[],
  isStated: boolean,
): Promise<readonly Deviation[]> {
  const variants = invalidBodies[request.operation as keyof typeof invalidBodies];
  const chosen = variants.filter(({ code }) => stated.has(code) === isStated);
  const all = await Promise.all(chosen.map((variant) => rejectBody(run, request, statuses, variant)));
  return all.flat().slice(0, MAX_SHOWN);
}

/** Sends a body with one fault, and makes it as small as possible while the response is wrong. */
async function rejectBody(
  run: ConformRun,
  request: CloudRequest,
  statuses: readonly number[],
  variant: { readonly value: unknown; readonly pointer: string; readonly rule: string },
): Promise<Deviation[]> {
  const model = table[request.operation]?.body as z.ZodType;
  const issueIn = (value: unknown): string => {
    const issues = issuesOf(model.safeParse(value).error ?? { issues: [] }, value);
    return issues.map(({ pointer, code }) => `${pointer} ${code}`).join();
  };
  const send = async (body: unknown) => {
    const exchange = await run.cloud.send({ ...request, body });
    return run
      .statusFault(exchange, ...statuses)
      .map((fault) => ({ ...fault, place: `body ${variant.pointer} ${variant.rule}` }));
  };
  let body = variant.value;
  let faults = await send(body);
  for (let isSmaller = faults.length > 0; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(body)) {
      if (issueIn(smaller) !== issueIn(body)) continue;
      // oxlint-disable-next-line no-await-in-loop -- each step depends on the one before it
      const those = await send(smaller);
      if (those.length === 0) continue;
      [body, faults, isSmaller] = [smaller, those, true];
      break;
    }
  }
  return faults;
}

/** Copies of JSON without one field. */
function smallerThan(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, content]) => {
    const others = Object.entries(value).filter(([other]) => other !== name);
    const replaced = smallerThan(content).map((part) =>
      Object.assign(isList ? [...value] : { ...value }, { [name]: part }),
    );
    return isList ? replaced : [Object.fromEntries(others), ...replaced];
  });
}

const bodyChecks = Object.keys(invalidBodies).flatMap((operation) =>
  [true, false].map((isStated): Check => {
    return {
      id: `${isStated ? 'bounds' : 'body'}-${operation}`,
      section: isStated ? '8' : section,
      level: 1,
      severity: isStated ? 'must' : 'should',
      rule: isStated
        ? 'Bodies that break a bound are rejected; sent to an id that does not exist.'
        : 'Bodies with wrong types, unknown names or missing fields are rejected; sent to an id that does not exist.',
      run: async (run) => {
        const query = operation === 'submitVariablePayment' ? { billingPeriod: '2000-01' } : {};
        const request = run.request(operation, { parameters: absent(operation), query });
        return rejectBodies(run, request, [400, 404, 422], isStated);
      },
    };
  }),
);

const queryChecks = listIds.flatMap((operation): Check[] => {
  const { query: model, section: own = '', extension } = table[operation] ?? {};
  if (!model) return [];
  const first = ({ read, reasons }: ConformRun): CloudRequest => {
    const request = read.get(operation)?.[0]?.request;
    if (!request || reasons.has(operation)) throw new NotTried(reasons.get(operation) ?? 'there is no list');
    return request;
  };
  const fields = Object.keys(ownNames[operation] ?? {});
  return [
    {
      id: `queries-${operation}`,
      section: own,
      level: 1,
      severity: extension ? 'should' : 'must',
      rule: 'All valid values of query parameters are accepted.',
      run: (run) => {
        const request = first(run);
        const known = fields.filter((name) => run.names[operation]?.[name] !== undefined);
        const values = run.fc.record(
          Object.fromEntries(known.map((name) => [name, arbitraryOf(run.fc, inner(model.shape[name] as z.ZodType))])),
          { requiredKeys: [], noNullPrototype: true },
        );
        const valid = values.filter((query) => model.safeParse(query).success);
        return run.search(valid, async (query) => {
          const { query: named = {} } = run.request(operation, { query: query as Query });
          const exchange = await run.cloud.send({ ...request, query: named }, (_, index) => index < ENOUGH_ELEMENTS);
          return run.statusFault(exchange, 200, 410);
        });
      },
    },
    {
      id: `invalid-queries-${operation}`,
      section,
      level: 1,
      severity: 'should',
      rule: 'Invalid dates and months, and unknown query parameters, are rejected.',
      run: async (run) => {
        const request = first(run);
        const invalid = Object.entries(run.names[operation] ?? {}).flatMap(([name, wireName = '']) => {
          const field = inner(model.shape[name] as z.ZodType);
          const valid = field.safeParse('2026-01').success ? '2026-01' : '2026-01-31';
          const faults = [...leafFaults(field, valid)].filter(({ broken }) => typeof broken === 'string');
          return faults.map(({ broken }) => ({ [wireName]: broken as string }));
        });
        const all = [...invalid, { hrConformUnknown: '1' }].map(async (query) => {
          const exchange = await run.cloud.send({ ...request, query }, () => false);
          return run.statusFault(exchange, 400);
        });
        return (await Promise.all(all)).flat().slice(0, MAX_SHOWN);
      },
    },
  ];
});

function errorCheck(id: string, rule: string, requests: readonly CloudRequest[], statuses: readonly number[]): Check {
  const run: Check['run'] = async (context) => {
    const all = requests.map(async (request) => {
      const exchange = await context.cloud.send(request, () => false);
      return exchange.status === 409 && table[request.operation]?.timeComponent
        ? []
        : context.statusFault(exchange, ...statuses);
    });
    return (await Promise.all(all)).flat();
  };
  return { id, section, level: 1, severity: 'should', rule, run };
}

const reads = listIds.map((operation) => ({
  operation,
  method: 'GET',
  path: table[operation]?.path ?? '',
  parameters: absent(operation),
}));

/** Generated requests, and errors (sections 7 and 8). They change nothing. */
export const requestChecks: readonly Check[] = [
  ...queryChecks,
  ...bodyChecks,
  errorCheck(
    'unknown-path',
    'An unknown path is not found.',
    [{ operation: 'unknown', method: 'GET', path: '/api/v1/hr-conform' }],
    [404],
  ),
  errorCheck(
    'unknown-id',
    'An unknown person or contract is not found.',
    reads.filter(({ path }) => path.includes('{')),
    [404],
  ),
  // PROPFIND only reads (RFC 4918), also where it is implemented.
  errorCheck(
    'wrong-method',
    'A wrong method is not allowed.',
    reads.slice(0, 1).map((read) => ({ ...read, method: 'PROPFIND' })),
    [405, 501],
  ),
  {
    id: 'problem-details',
    section,
    level: 1,
    severity: 'should',
    rule: 'Errors are problem details (RFC 9457).',
    run: ({ cloud }) => [...cloud.errorFaults.values()],
  },
];
