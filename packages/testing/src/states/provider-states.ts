import {
  Absence,
  API_SCOPE,
  Employment,
  IdempotencyKey,
  Identifier,
  LocalDate,
  operations,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePayment,
  VariablePaymentRequest,
  YearMonth,
  type OperationId,
} from '@hr/schemas';
import { systemOf } from '@hr/schemas/provider';
import { systems } from '@hr/schemas/rules';
import { z } from 'zod';

const { employments: _employments, payrollContractIds: _payrollContractIds, ...ownFields } = Person.shape;

/**
 * All provider states of the HR cloud, by name, with the model of their JSON parameters. A test names only the fields
 * that it relies on. Other fields have any value; `null` removes a field.
 *
 * @example
 * providerStates['a person'].parse({ id: '4711', address: null });
 */
export const providerStates = {
  'a person': someOf(z.strictObject(ownFields), 'id'),
  /** A payroll contract with its payroll record, of an existing or a new person. */
  'a contract': someOf(Employment, 'payrollContractId').extend({ personId: Identifier.optional() }),
  /** The salary of a contract in a month. Here and below, the contract exists or is new. */
  'a salary': someOf(SalaryHistoryEntry, 'payrollContractId', 'year', 'month'),
  /** A variable payment that was submitted and approved. */
  'an approved payment': someOf(VariablePayment, 'payrollContractId', 'billingPeriod'),
  /** A payment that the client under test submitted with a key within the last 24 hours. */
  'a payment submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
    billingPeriod: YearMonth,
    payment: VariablePaymentRequest,
  }),
  /** A payment of the client under test with a key that is in flight. */
  'a payment being submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
  }),
  /** A day of the time account of an existing or a new person. */
  'a day of time bookings': someOf(TimeBookingDay, 'date').extend({ personId: Identifier }),
  /** An absence of an existing or a new person. */
  'an absence': someOf(Absence, 'personId'),
  /** A person that these systems last changed on a date, and other systems before it. */
  'a person who changed': z.strictObject({
    id: Identifier,
    systems: z.array(z.enum(systems)).min(1),
    since: LocalDate,
  }),
  /** A person whom the master system has deleted since. Here and below, lists of changes say so. */
  'a deleted person': z.strictObject({ id: Identifier }),
  /** A day of a person's time account that was deleted since. */
  'a deleted day of time bookings': z.strictObject({ personId: Identifier, date: LocalDate }),
  /** An absence of a person that was deleted since. */
  'a deleted absence': z.strictObject({ personId: Identifier, id: Identifier }),
  /** A person whose data was erased, which lists of changes report. */
  'an erased person': z.strictObject({ id: Identifier }),
  /** A registered client, which can request tokens. Its default scope is that of the API. */
  'an API client': z.strictObject({
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
    scope: z.string().min(1).default(API_SCOPE),
  }),
  /** The client under test may use only these operations, and sees only data of these systems. Default: all. */
  'a client with grants': z
    .strictObject({
      operations: z
        .array(z.enum(Object.keys(operations) as OperationId[]))
        .min(1)
        .optional(),
      systems: z.array(z.enum(systems)).min(1).optional(),
    })
    .refine(
      ({ operations: granted = [], systems: seen = systems }) =>
        granted.every((id) => seen.includes(systemOf(id) ?? seen[0])),
      {
        path: ['systems'],
        error: 'must include the system of each operation',
      },
    ),
  /** The time-recording component is too old for the time operations (section 8). */
  'an outdated time component': z.strictObject({ version: z.string().default('63.11.19') }),
  /** The client under test has used up its rate limit. */
  'a used-up rate limit': z.strictObject({}),
  /** The HR Cloud responds to every request with 503. */
  'an unavailable service': z.strictObject({}),
} as const;

/** The name of a provider state. */
export type StateName = keyof typeof providerStates;

/** The parameters of a state. */
export type StateParameters<Name extends StateName> = z.input<(typeof providerStates)[Name]>;

type StateOf<Name extends StateName> =
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- whether it is optional as a whole
  Record<never, never> extends StateParameters<Name>
    ? readonly [name: Name, parameters?: StateParameters<Name>]
    : readonly [name: Name, parameters: StateParameters<Name>];

/**
 * A provider state with its parameters.
 *
 * @example
 * const state: ProviderState = ['a contract', { payrollContractId: '1-77', personId: '4711', end: null }];
 */
export type ProviderState = { [Name in StateName]: StateOf<Name> }[StateName];

/** One state or several. */
export type Given = ProviderState | readonly ProviderState[];

/** The states of a {@link Given}. */
export function statesOf(given: Given): readonly ProviderState[] {
  return isState(given) ? [given] : given;
}

function isState(given: Given): given is ProviderState {
  return typeof given[0] === 'string';
}

/** A model with these required fields; the others are optional, and `null` removes them. */
function someOf<Shape extends z.core.$ZodShape, Required extends keyof Shape & string>(
  model: z.ZodObject<Shape>,
  ...required: readonly Required[]
) {
  type Fields = {
    [Field in keyof Shape]: Field extends Required ? Shape[Field] : z.ZodOptional<z.ZodNullable<Shape[Field]>>;
  };
  const fields = Object.entries(model.shape).map(([name, field]) => {
    return [name, required.some((each) => each === name) ? field : z.nullable(field as z.ZodType).optional()];
  });
  return z.strictObject(Object.fromEntries(fields) as Fields);
}
