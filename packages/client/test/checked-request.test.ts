import { expect, test } from 'vitest';
import { isHrError, paymentIssues, type HrClient } from '../src/index.ts';
import { clientOf, json, service } from './service.ts';

const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };
const submit = (payment: object) => (hr: HrClient) => hr.payroll.submitVariablePayment('1-2', payment as never);

test.each<[string, (hr: HrClient) => PromiseLike<unknown>, string, string]>([
  [
    'an unknown parameter',
    (hr) => hr.persons.list({ changedsince: '2026-01-01' } as never),
    '/changedsince',
    'unknown-name',
  ],
  [
    'a date that does not exist',
    (hr) => hr.persons.list({ changedSince: '2026-02-29' }),
    '/changedSince',
    'wrong-format',
  ],
  ['null for a filter', (hr) => hr.persons.list({ changedSince: null } as never), '/changedSince', 'wrong-type'],
  ['a cursor that is none', (hr) => hr.persons.list({ after: 'a b' }), '/after', 'wrong-format'],
  ['two beginnings', (hr) => hr.time.bookings({ after: 'c1', changedSince: '2026-01-01' }), '/after', 'rule'],
  [
    'a cursor for the absences of one person',
    (hr) => hr.time.absences('1', { after: 'c1' } as never),
    '/after',
    'unknown-name',
  ],
  ['a wait of half a second', (hr) => hr.changes.get({ wait: 0.5 }), '/wait', 'wrong-format'],
  ['a wait of a minute', (hr) => hr.changes.get({ wait: 60 }), '/wait', 'wrong-format'],
  ['a wait that is no number', (hr) => hr.changes.get({ wait: Number.NaN }), '/wait', 'wrong-format'],
  ['a wait without end', (hr) => hr.changes.get({ wait: Number.POSITIVE_INFINITY }), '/wait', 'wrong-format'],
  ['a negative wait', (hr) => hr.changes.get({ wait: -1 }), '/wait', 'wrong-format'],
  ['an unknown parameter of a wait', (hr) => hr.changes.get({ since: 'c1' } as never), '/since', 'unknown-name'],
  ['a window that ends first', (hr) => hr.time.bookings({ from: '2026-02-01', to: '2026-01-01' }), '/from', 'rule'],
  ['the month 13', (hr) => hr.payroll.salaryHistory('1-2', { from: '2026-13' }), '/from', 'wrong-format'],
  ['no billing period', submit({ ...bonus, billingPeriod: undefined }), '/billingPeriod', 'required'],
  ['a payment without a value', submit({ ...bonus, amount: undefined }), '', 'rule'],
  ['an amount in words', submit({ ...bonus, amount: '1' }), '/amount', 'wrong-type'],
  ['an amount that is no number', submit({ ...bonus, amount: Number.NaN }), '/amount', 'wrong-type'],
  ['a key with a line break', submit({ ...bonus, idempotencyKey: 'a\nb' }), '/idempotencyKey', 'wrong-format'],
  ['an empty key', submit({ ...bonus, idempotencyKey: '' }), '/idempotencyKey', 'wrong-format'],
  [
    'a former name',
    (hr) => hr.persons.update('1', { addresses: [{ postalCode: '1' }] } as never),
    '/addresses/0/postalCode',
    'former-name',
  ],
  [
    'an overlong zip code',
    (hr) => hr.persons.update('1', { addresses: [{ zipCode: '12345678901' }] }),
    '/addresses/0/zipCode',
    'too-long',
  ],
  [
    'null for bank details',
    (hr) => hr.persons.update('1', { bankDetails: null } as never),
    '/bankDetails',
    'wrong-type',
  ],
  ['no patch', (hr) => hr.persons.update('1', undefined as never), '', 'required'],
  ['an empty id', (hr) => hr.time.absences(''), '/personId', 'too-short'],
  ['the id .', (hr) => hr.time.absences('.'), '/personId', 'not-allowed'],
  ['the id ..', (hr) => hr.payroll.variablePayments('..'), '/contractId', 'not-allowed'],
  ['half a character in an id', (hr) => hr.time.absences('\u{D800}'), '/personId', 'wrong-format'],
  ['NUL in an id', (hr) => hr.time.absences('\0'), '/personId', 'wrong-format'],
  ['an overlong id', (hr) => hr.time.absences('x'.repeat(256)), '/personId', 'too-long'],
  ['a number for an id', (hr) => hr.time.absences(1 as never), '/personId', 'wrong-type'],
])('%s is refused before anything is sent', async (_, call, pointer, code) => {
  await using api = await service(json([]));
  const error = await call(clientOf(api)).then(undefined, (reason: unknown) => reason);

  expect(error).toMatchObject({
    name: 'HrError',
    code: 'invalid-request',
    outcome: 'not-sent',
    attempts: 0,
    status: undefined,
    problem: { type: 'urn:hr-cloud:problem:invalid-request', errors: [{ pointer, code }] },
  });
  expect(isHrError(error) && error.message).toContain(`${pointer} `);
  expect(api.requests).toHaveLength(0);
});

test.each([undefined, null])('the payment %j is refused like one without anything in it', async (payment) => {
  await using api = await service(json([]));
  await expect(submit(payment as never)(clientOf(api))).rejects.toMatchObject({
    code: 'invalid-request',
    problem: { errors: [{ pointer: '/billingPeriod' }, { pointer: '/compensationComponentId' }] },
  });
});

test('what is wrong as a whole is named', async () => {
  const hr = clientOf({ url: 'https://hr.example.com' });
  await expect(hr.persons.update('1', undefined as never)).rejects.toThrow('updatePerson: the patch is required. ');
  const empty = submit({ ...bonus, amount: undefined })(hr);
  await expect(empty).rejects.toThrow('submitVariablePayment: the payment needs at least one of amount, ');
  await expect(hr.persons.list('2026-01-31' as never)).rejects.toThrow('listPersons: the query must be an object. ');
});

test('every wrong argument is named at once', async () => {
  await using api = await service(json([]));
  const call = clientOf(api).payroll.submitVariablePayment('..', {
    billingPeriod: '2026-1',
    idempotencyKey: '',
  } as never);
  await expect(call).rejects.toMatchObject({
    problem: {
      errors: ['/contractId', '/billingPeriod', '/compensationComponentId', '/idempotencyKey'].map((pointer) =>
        expect.objectContaining({ pointer }),
      ),
    },
  });
});

test('the message names operation, place and remedy', async () => {
  await using api = await service(json([]));
  await expect(clientOf(api).persons.update('1', { bankDetails: { iban: 'x'.repeat(35) } })).rejects.toThrow(
    'updatePerson: /bankDetails/iban must have at most 34 characters. Correct the request.',
  );
});

test('paymentIssues finds what a submission would be rejected for', () => {
  expect(paymentIssues({ contractId: '1-2', ...bonus })).toEqual([]);
  const issues = paymentIssues({ contractId: '..', billingPeriod: '2026-1', amount: 1 });
  expect(issues.map(({ pointer }) => pointer)).toEqual(['/billingPeriod', '/compensationComponentId', '/contractId']);
});
