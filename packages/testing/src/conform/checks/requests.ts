import { issuesOf, type IssueCode } from '@hr/schemas';
import type { z } from 'zod';
import { arbitraryOf } from '../../fixtures/arbitraries.ts';
import { fixtures } from '../../fixtures/fixtures.ts';
import { leafFaults } from '../../fixtures/invalid.ts';
import { inner } from '../../model/leaf.ts';
import { listIds, table } from '../../model/lists.ts';
import { must, NotTried, ofList, should, type Check, type Deviation } from '../check.ts';
import type { CloudRequest } from '../cloud-request.ts';
import { unknownName, type ConformRun, type Query } from '../conform-run.ts';

/** An id, secret or scope that no HR cloud has. */
export const ABSENT = 'hr-conform-absent';
const ENOUGH_ELEMENTS = 100;

const { personPatch, variablePaymentRequest } = fixtures();
const invalidBodies = {
  updatePerson: personPatch.invalid(),
  submitVariablePayment: variablePaymentRequest.invalid(),
};
/** Codes of the faults that break a stated bound (section 8). */
const stated = new Set<IssueCode>(['too-long', 'too-short', 'out-of-range', 'wrong-format', 'not-allowed', 'rule']);
/** The specification says nothing of these characters, and month 13 matches its pattern. */
const unstatedRules = new Set(['NUL', 'lone surrogate', 'impossible date']);

/** Path parameters of an operation that name nothing. */
export function absent(operation: string): Query {
  return Object.fromEntries(Object.keys(table[operation]?.pathParameters.shape ?? {}).map((name) => [name, ABSENT]));
}

/**
 * Sends the bodies with one fault of an operation: those that break a stated bound, or all others. Makes the first of
 * each rule as small as possible while the response is wrong.
 */
export async function rejectBodies(
  run: ConformRun,
  request: CloudRequest,
  statuses: readonly number[],
  isStated: boolean,
): Promise<readonly Deviation[]> {
  const model = table[request.operation]?.body as z.ZodType;
  const issuesIn = (value: unknown): string => {
    const issues = issuesOf(model.safeParse(value).error ?? { issues: [] }, value);
    return issues.map(({ pointer, code }) => `${pointer} ${code}`).join();
  };
  const send = (body: unknown) => run.expectStatus([{ ...request, body }], ...statuses);
  const shrink = async (body: unknown, faults: readonly Deviation[]): Promise<readonly Deviation[]> => {
    for (const smaller of smallerThan(body)) {
      if (issuesIn(smaller) !== issuesIn(body)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the first one that also fails
      const those = await send(smaller);
      if (those.length > 0) return shrink(smaller, those);
    }
    return faults;
  };
  const variants = invalidBodies[request.operation as keyof typeof invalidBodies];
  const chosen = variants.filter(({ code, rule }) => (stated.has(code) && !unstatedRules.has(rule)) === isStated);
  const sent = await Promise.all(chosen.map(async (variant) => ({ ...variant, faults: await send(variant.value) })));
  const failed = sent.filter(({ faults }) => faults.length > 0);
  const smallest = failed.map(async ({ value, faults, pointer, rule }, index) => {
    const place = ['body', pointer, `(${rule})`].filter(Boolean).join(' ');
    const isFirst = failed.findIndex((other) => other.rule === rule) === index;
    return (isFirst ? await shrink(value, faults) : faults).map((fault) => ({ ...fault, place }));
  });
  return (await Promise.all(smallest)).flat();
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

const BOUNDS = 'Bodies that break a bound are rejected; sent to an id that does not exist.';
const TYPES =
  'Bodies with wrong types, unknown names or missing fields are rejected; sent to an id that does not exist.';

const bodyChecks = Object.keys(invalidBodies).flatMap((operation) => {
  const reject = async (run: ConformRun, isStated: boolean): Promise<readonly Deviation[]> => {
    const query = operation === 'submitVariablePayment' ? { billingPeriod: '2000-01' } : {};
    const request = run.request(operation, { parameters: absent(operation), query });
    const isChecked = (await run.expectStatus([{ ...request, body: [] }], 404)).length > 0;
    if (!isChecked) throw new NotTried('the id is checked before the body: allow writes to an id that exists');
    return rejectBodies(run, request, [400, 404, 422], isStated);
  };
  return [
    must('8', `bounds-${operation}`, BOUNDS, (run) => reject(run, true)),
    should('7', `body-${operation}`, TYPES, (run) => reject(run, false)),
  ];
});

const QUERIES = 'Invalid dates and months, and unknown query parameters, are rejected.';
const MONTHS = 'Months that break the pattern are rejected.';

const queryChecks = listIds.flatMap((operation) => {
  const model = table[operation]?.query as z.ZodObject;
  /** Sends the invalid values: months that break the stated pattern, or all others. */
  const reject = async (run: ConformRun, isStated: boolean): Promise<readonly Deviation[]> => {
    const [{ request }] = run.listsOf(operation);
    const invalid = Object.entries(run.names[operation] ?? {}).flatMap(([name, wireName]) => {
      const field = inner(model.shape[name] as z.ZodType);
      const valid = ['2026-01', '2026-01-31'].find((value) => field.safeParse(value).success);
      const faults = [...leafFaults(field, valid)].filter(
        ({ broken, rule }) =>
          typeof broken === 'string' && (valid === '2026-01' && rule === 'wrong pattern') === isStated,
      );
      return faults.map(({ broken }): Query => ({ [wireName]: broken as string }));
    });
    if (isStated && invalid.length === 0) throw new NotTried(unknownName('from'));
    const queries = isStated ? invalid : [...invalid, { hrConformUnknown: '1' }];
    const requests = queries.map((query) => ({ ...request, query: { ...request.query, ...query } }));
    const statuses = isStated ? [400, 422] : [400];
    return run.expectStatus(requests, ...statuses);
  };
  return [
    ofList(operation, 'queries', 'All valid values of query parameters are accepted.', (run) => {
      const [{ request }] = run.listsOf(operation);
      const { [operation]: window = {} } = run.windows;
      const known = Object.keys(run.names[operation] ?? {}).filter((name) => !(name in window));
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
    }),
    ...(operation === 'listSalaryHistory'
      ? [must('8', `months-${operation}`, MONTHS, (run) => reject(run, true))]
      : []),
    should('7', `invalid-queries-${operation}`, QUERIES, (run) => reject(run, false)),
  ];
});

/** Generated requests, and errors (sections 7 and 8). They change nothing. */
export const requestChecks: readonly Check[] = [
  ...queryChecks,
  ...bodyChecks,
  should('7', 'unknown-path', 'An unknown path is not found.', (run) =>
    run.expectStatus([{ operation: 'unknown', method: 'GET', path: '/api/v1/hr-conform' }], 404),
  ),
  should('7', 'unknown-id', 'An unknown person or contract is not found.', async (run) => {
    const ofOwners = listIds.filter((operation) => table[operation]?.path.includes('{'));
    const all = ofOwners.map((operation) => {
      const request = run.request(operation, { parameters: absent(operation) });
      return run.expectStatus([request], 404, ...(table[operation]?.timeComponent ? [409] : []));
    });
    return (await Promise.all(all)).flat();
  }),
  // PROPFIND only reads (RFC 4918), also where it is implemented.
  should('7', 'wrong-method', 'A wrong method is not allowed.', (run) =>
    run.expectStatus([{ ...run.request('listPersons'), method: 'PROPFIND' }], 405, 501),
  ),
  should('7', 'problem-details', 'Errors are problem details (RFC 9457).', ({ cloud }) => [
    ...cloud.errorFaults.values(),
  ]),
];
