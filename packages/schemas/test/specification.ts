// The tables of the specification's section 2 written down a second time, for the tests alone: what is valid, and one
// step over each bound. Nothing here is derived from the models.
import fc from 'fast-check';
import { anyCharacter } from 'tooling-vitest/any-character';
import type { IssueCode } from '../src/index.ts';

type Value = fc.Arbitrary<unknown>;

/** A value that is invalid in a request, with the code of the issue and the place below the field, '' for the field itself. */
interface Fault {
  readonly at: string;
  /** The specification states no such bound: a response may break it. */
  readonly ours?: true;
  readonly code: IssueCode;
  readonly value: Value;
}

export interface Field {
  readonly valid: Value;
  readonly faults: readonly Fault[];
  readonly required?: boolean;
  /** Another value that only a strict reader refuses. */
  readonly unlisted?: unknown;
  /** For a field that holds other fields: what a tolerant reader may find there. */
  readonly lenient?: Value;
}

export interface Model extends Field {
  readonly fields: Readonly<Record<string, Field>>;
}

const faults = (code: IssueCode, ...values: readonly unknown[]): Fault[] =>
  values.map((value) => ({ at: '', code, value: fc.constant(value) }));

const ours = (found: readonly Fault[]): Fault[] =>
  found.map((fault) => (fault.code === 'wrong-type' ? fault : { ...fault, ours: true }));

const ASTRAL = '💩';

/** @param max where the specification sets none, any length will do */
function text(max?: number, min = 0): Field {
  const long = max ?? 10_000;
  const tooLong = [ASTRAL.repeat(long + 1), 'x'.repeat(long + 1), 'x'.repeat(2 * long + 1)];
  return {
    valid: fc.oneof(
      fc.string({ unit: anyCharacter, minLength: min, maxLength: Math.min(long, 40) }),
      fc.constantFrom(ASTRAL.repeat(long), ASTRAL.repeat(min), 'x'.repeat(long), 'x'.repeat(min)),
    ),
    faults: [
      ...(max === undefined ? [] : faults('too-long', ...tooLong)),
      ...(min > 0 ? faults('too-short', 'x'.repeat(min - 1), ASTRAL.repeat(min - 1)) : []),
      ...ours(faults('wrong-format', ...['\0', '\uD83D', '\uDCA9'].map((start) => start.padEnd(min, 'x')))),
      ...faults('wrong-type', null, 5, true, ['x'], {}),
    ],
  };
}

const id: Field = { ...text(255, 1), faults: ours(text(255, 1).faults) };

function form(valid: Value, wrong: readonly string[], more: readonly Fault[] = []): Field {
  return {
    valid,
    faults: [...faults('wrong-format', ...wrong), ...faults('wrong-type', null, 5, ['2026-01-31']), ...more],
  };
}

const twoDigits = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => `${n}`.padStart(2, '0'));
const year = fc.integer({ min: 1, max: 9999 }).map((n) => `${n}`.padStart(4, '0'));

const date = form(
  fc.oneof(
    fc.tuple(year, twoDigits(1, 12), twoDigits(1, 28)).map((parts) => parts.join('-')),
    fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29'),
  ),
  ['2026-02-29', '1900-02-29', '0000-01-01', '2026-1-1', '2026-04-31', '2026-01-32', '2026-01-00', '2026-13-01'].concat(
    ['', '20260131', '2026-01-31T00:00:00', '2026-01-31\n', '+2026-01-31', '٢٠٢٦-٠١-٣١'],
  ),
);

const month = form(
  fc.tuple(year, twoDigits(1, 12)).map((parts) => parts.join('-')),
  ['2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', '2026/01', '', '2026-01\n'],
);

const dateTime = form(
  fc
    .tuple(date.valid, twoDigits(0, 23), twoDigits(0, 59), fc.constantFrom('', ':00', ':59', ':07.5', ':00.123456789'))
    .map(([day, hour, minute, rest]) => `${String(day)}T${hour}:${minute}${rest}`),
  ['2026-01-31T08:15:00Z', '2026-01-31T08:15:00+01:00', '2026-01-31 08:15:00', '2026-02-29T08:15:00'].concat([
    '2026-01-31T24:00:00',
    '2026-01-31T08:60:00',
    '2026-01-31T08:15:60',
    '2026-01-31',
    '08:15:00',
    '',
  ]),
);

const number: Field = {
  valid: fc.oneof(
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    fc.constantFrom(0, -0, 1e12, -1e12, 0.1, Number.MIN_VALUE),
  ),
  faults: [
    ...ours(faults('out-of-range', 1e12 + 0.001, -1e12 - 0.001)),
    ...faults('wrong-type', null, '1', Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true),
  ],
};

const money: Field = {
  valid: fc
    .oneof(number.valid, fc.constantFrom(250, 1234.56, 999_999_999_999.99))
    .map((value) => Number(Number(value).toPrecision(15))),
  faults: [...number.faults, ...ours(faults('wrong-format', 0.1 + 0.2, 1.005 * 100, 1 / 3))],
};

const hoursAndMinutes: Field = {
  valid: fc.tuple(fc.integer({ min: -9999, max: 9999 }), twoDigits(0, 59)).map(([h, m]) => Number(`${h}.${m}`)),
  faults: [...faults('wrong-format', 0.6, 1.75, -0.99, 1.005, 1.300_000_1), ...faults('wrong-type', null, '1.30')],
};

const integer = (min: number, max: number): Field => ({
  valid: fc.integer({ min, max }),
  faults: [...faults('out-of-range', min - 1, max + 1), ...faults('wrong-type', null, String(min), min + 0.5)],
});

const anyInteger: Field = { valid: fc.maxSafeInteger(), faults: faults('wrong-type', null, '1', 0.5, Number.NaN) };

const boolean: Field = { valid: fc.boolean(), faults: faults('wrong-type', null, 'true', 1) };

const oneOf = (...values: readonly string[]): Field => ({
  valid: fc.constantFrom(...values),
  unlisted: 'SOMETHING_NEW',
  faults: [
    ...faults('not-allowed', 'SOMETHING_NEW', '', values[0]?.toLowerCase()),
    ...faults('wrong-type', null, 1, {}),
  ],
});

/** An enum of which the specification shows only some values (section 2.11). */
const open = (known: string): Field => ({
  ...text(),
  valid: fc.constantFrom(known, 'SOMETHING_NEW'),
});

const required = (field: Field): Field => ({ ...field, required: true });

function list(item: Field): Field {
  const valid = fc.array(item.valid, { maxLength: 3 });
  return {
    valid,
    lenient: fc.array(item.lenient ?? item.valid, { maxLength: 3 }),
    faults: [
      ...faults('wrong-type', null, {}, 'x'),
      ...item.faults.map(({ at, value, ...fault }) => ({
        ...fault,
        at: `/0${at}`,
        value: fc.tuple(value, valid).map(([bad, others]) => [bad, ...others]),
      })),
    ],
  };
}

const record = (fields: Readonly<Record<string, Value>>, requiredNames: readonly string[]): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [...requiredNames], noNullPrototype: true });

/** @param complete adds to a value what a rule of the model wants */
function model(fields: Readonly<Record<string, Field>>, complete = (value: object): object => value): Model {
  const entries = Object.entries(fields);
  const requiredNames = entries.flatMap(([name, field]) => (field.required ? [name] : []));
  const arbitraries = (of: (field: Field) => Value) =>
    Object.fromEntries(entries.map(([name, field]) => [name, of(field)]));
  const valid = record(
    arbitraries((field) => field.valid),
    requiredNames,
  ).map(complete);
  const lenient = record(
    arbitraries(({ required: needed, lenient: inner, valid: own }) =>
      needed ? (inner ?? own) : fc.oneof(inner ?? own, fc.constantFrom(null, undefined)),
    ),
    requiredNames,
  );
  const unknown = fc.dictionary(fc.constantFrom('shoeSize', 'x-new'), fc.jsonValue());
  return {
    fields,
    valid,
    lenient: fc.tuple(unknown, lenient).map(([more, known]) => ({ ...more, ...known })),
    faults: [
      ...faults('wrong-type', null, [], 'x', 5),
      { at: '/shoeSize', code: 'unknown-name', value: valid.map((whole) => ({ ...whole, shoeSize: 43 })) },
      ...requiredNames.map((name) => ({
        at: `/${name}`,
        code: 'required' as const,
        value: valid.map((whole) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))),
      })),
      ...entries.flatMap(([name, field]) =>
        field.faults.map(({ at, value, ...fault }) => ({
          ...fault,
          at: `/${name}${at}`,
          value: fc.tuple(valid, value).map(([whole, bad]) => ({ ...whole, [name]: bad })),
        })),
      ),
    ],
  };
}

function either(one: Model, other: Model): Model {
  return {
    fields: { ...one.fields, ...other.fields },
    valid: fc.oneof(one.valid, other.valid),
    lenient: fc.oneof(one.lenient ?? one.valid, other.lenient ?? other.valid),
    faults: [...one.faults, ...other.faults],
  };
}

// 2.2
export const StreetAddress = model({
  street: text(255),
  houseNumber: text(20),
  additionalAddressInfo: text(255),
  zipCode: text(10),
  city: text(255),
  stateCode: text(6, 4),
  country: text(2, 2),
});

// 2.3
export const PostOfficeBox = model({
  additionalAddressInfo: text(255),
  postOfficeBox: text(20),
  zipCode: text(10),
  city: text(255),
  stateCode: text(6, 4),
  country: text(2, 2),
});

export const Address = either(StreetAddress, PostOfficeBox);

// 2.4
export const BankDetails = model({
  iban: form(
    fc.oneof(
      fc.stringMatching(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/),
      fc.constantFrom('DE891', `DE89${'Z'.repeat(30)}`, 'DE89370400440532013000'),
    ),
    [
      'de89370400440532013000',
      'D189370400440532013000',
      'DEX9370400440532013000',
      'DE89 3704 0044 0532',
      'DE89370ä',
    ].concat(['DE8937\n', 'DE٨٩370400']),
    [...faults('too-short', '', 'DE89'), ...faults('too-long', `DE89${'Z'.repeat(31)}`, 'x'.repeat(100_000))],
  ),
  bic: form(
    fc.oneof(
      fc.stringMatching(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}$/),
      fc.stringMatching(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{5}$/),
    ),
    ['COBADEFFX', 'COBADEFFXX', 'cobadeff', 'COBA1EFF', 'COBADEF ', 'COBADEFFXX\n'],
    [...faults('too-short', '', 'COBADEF'), ...faults('too-long', 'COBADEFFXXXX')],
  ),
  payee: text(70),
});

// 2.5
export const Employment = model({
  payrollContractId: required(id),
  personGroupCode: id,
  fullTime: boolean,
  permanent: boolean,
  start: date,
  end: date,
  fixedTermEndDate: date,
  workingHours: model({ daily: number, weekly: number, monthly: number }),
  paymentTime: open('FIFTEENTH'),
});

// 2.6
export const CustomField = model({
  name: required(id),
  type: open('STRING'),
  textValue: text(),
  numberValue: number,
  booleanValue: boolean,
  dateValue: date,
  selection: list(id),
});

// 2.1
export const Person = model({
  id: required(id),
  academicTitle: text(80),
  firstName: text(80),
  middleName: text(80),
  lastName: text(80),
  birthName: text(80),
  prefixToLastName: text(80),
  titleOfNobility: text(80),
  suffixToLastName: text(80),
  gender: oneOf('MALE', 'FEMALE', 'INTERSEX', 'UNSPECIFIED'),
  dateOfBirth: date,
  citizenship: text(2, 2),
  address: Address,
  bankDetails: BankDetails,
  businessEmail: form(
    fc.constantFrom('a@b', 'ä.ö@example.com', '@@@', `a@${'b'.repeat(252)}`, `${ASTRAL.repeat(252)}@b`),
    ['', 'a', '@b', 'a@', 'a\n@b\n@'],
    faults('too-long', `a@${'b'.repeat(253)}`, 'x'.repeat(100_000)),
  ),
  usualPlaceOfWork: text(33),
  status: oneOf('ACTIVE', 'INACTIVE'),
  groupEntryDate: date,
  groupExitDate: date,
  exitReasonId: text(2),
  exitNoticeDate: date,
  expectedStartOfPension: date,
  employeeNumber: text(20),
  jobTitle: text(400),
  legalEntity: model({ id: required(id) }),
  groups: list(model({ id: required(id), type: open('COMPANY') })),
  managerId: id,
  keyNumber: id,
  employments: list(Employment),
  customFields: list(CustomField),
  payrollContractIds: list(id),
});

// 4.1
export const PersonPatch = model({ addresses: list(Address), bankDetails: BankDetails });

const payment = { amount: money, hours: number, days: number, hourlyFactor: number, percentage: number };

// 2.7
export const VariablePayment = model({
  payrollContractId: required(id),
  billingPeriod: required(month),
  correctionPeriod: required(month),
  compensationComponentId: required(id),
  ...payment,
});

// An extension of 4.3
export const VariablePaymentDecision = model({
  ...VariablePayment.fields,
  idempotencyKey: text(),
  state: required(open('approved')),
  decidedAt: required(text()),
  reason: text(),
});

// An extension of 4.2
export const Changes = model({
  cursor: required(form(fc.stringMatching(/^[\w.-]{1,500}$/), ['', 'a b', 'a/b', 'ä', 'a=', 'a\n', 'x'.repeat(501)])),
  changed: required(list(open('persons'))),
});

// Extensions of 6
export const NewWebhookEndpoint = model({
  url: required({
    valid: fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true }),
    faults: [
      ...faults(
        'wrong-format',
        '',
        'no URL',
        'ftp://host.test/',
        'https://user@host.test/',
        'https://:secret@host.test/',
      ),
      ...faults('wrong-format', 'https://host.test/#part', 'https://host.test/#'),
      ...faults('too-long', `https://host.test/${'x'.repeat(2000)}`),
      ...faults('wrong-type', null, 5, {}),
    ],
  }),
});
export const WebhookEndpoint = model({
  id: required(text()),
  url: required(text()),
  createdAt: required(text()),
  failures: required(anyInteger),
  failingSince: text(),
  pausedAt: text(),
});
export const WebhookEndpointWithSecret = model({ ...WebhookEndpoint.fields, secret: required(text()) });
export const WebhookDelivery = model({
  messageId: required(text()),
  type: required(open('changes')),
  sentAt: required(text()),
  attempt: required(anyInteger),
  status: anyInteger,
  failure: open('timeout'),
  durationMs: required(anyInteger),
});

// 4.3; of the values at least one is needed.
export const VariablePaymentRequest = model(
  { correctionPeriod: month, compensationComponentId: required(id), ...payment },
  (value) => ({ hours: 1, ...value }),
);

// 2.8
export const TimeBookingDay = model({
  date: required(date),
  targetTime: hoursAndMinutes,
  bookedTime: hoursAndMinutes,
  chargeableTime: hoursAndMinutes,
  bookings: list(model({ time: required(dateTime), key: required(id) })),
});
export const TimeBookingPerson = model({ personId: required(id), days: required(list(TimeBookingDay)) });

// 2.9
export const SalaryHistoryEntry = model({
  payrollContractId: required(id),
  year: required({ ...integer(0, 9999), faults: ours(integer(0, 9999).faults) }),
  month: required(integer(1, 12)),
  totalSalary: number,
  baseSalary: number,
  values: list(model({ compensationComponentId: required(id), value: number })),
});

// 2.10
export const Absence = model({
  id: required(id),
  personId: required(id),
  startDate: required(date),
  endDate: date,
  amount: number,
  key: id,
});
