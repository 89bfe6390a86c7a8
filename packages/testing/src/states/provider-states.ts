import {
  Absence,
  Employment,
  IdempotencyKey,
  Identifier,
  LocalDate,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePayment,
  VariablePaymentRequest,
  YearMonth,
} from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { z } from 'zod';

const { employments: _employments, payrollContractIds: _payrollContractIds, ...ownFields } = Person.shape;

/**
 * Every provider state of the HR cloud: what a test can ask to be there before its request, by name, with its parameters.
 * They are JSON. A model's field that is left out has some value, so that a test says only what it relies on; `null`
 * says that it has none.
 */
export const providerStates = {
  'a person': someOf(z.strictObject(ownFields), 'id'),
  /** A payroll contract with its payroll record, of a person who is made where no state before has. */
  'a contract': someOf(Employment, 'payrollContractId').extend({ personId: Identifier.optional() }),
  /** What a contract paid in a month; the contract is made where no state before has. */
  'a salary': someOf(SalaryHistoryEntry, 'payrollContractId', 'year', 'month'),
  /** A variable payment that was submitted and approved; the contract is made where no state before has. */
  'an approved payment': someOf(VariablePayment, 'payrollContractId', 'billingPeriod'),
  /** A payment that the client under test has submitted with a key, within the last 24 hours. */
  'a payment submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
    billingPeriod: YearMonth,
    payment: VariablePaymentRequest,
  }),
  /** A payment that the client under test submits with a key just now: the HR cloud has not done with it. */
  'a payment being submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
  }),
  /** A day of the time account of a person, who is made where no state before has. */
  'a day of time bookings': someOf(TimeBookingDay, 'date').extend({ personId: Identifier }),
  /** An absence of a person, who is made where no state before has. */
  'an absence': someOf(Absence, 'personId'),
  /** A person of whom these systems last changed something on a date, and the others before it. */
  'a person who changed': z.strictObject({
    id: Identifier,
    systems: z.array(z.enum(systems)).min(1),
    since: LocalDate,
  }),
  /** A person whose data was erased: an element of a delta says so. */
  'an erased person': z.strictObject({ id: Identifier }),
  /** A registered client of the API, which can get tokens; by default of the scope of the API. */
  'an API client': z.strictObject({
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
    scope: z.string().min(1).optional(),
  }),
  /** The time-recording component is older than the time operations need (section 8). */
  'an outdated time component': z.strictObject({ version: z.string().optional() }),
  /** The client under test has sent as many requests as it may. */
  'a used-up rate limit': z.strictObject({}),
  /** The HR cloud cannot answer just now, as while it is being restarted. */
  'an unavailable service': z.strictObject({}),
} as const;

/** The name of a provider state. */
export type StateName = keyof typeof providerStates;

/** The parameters of a state. */
export type StateParameters<Name extends StateName> = z.input<(typeof providerStates)[Name]>;

type StateOf<Name extends StateName> =
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- whether it may be left out wholly
  Record<never, never> extends StateParameters<Name>
    ? readonly [name: Name, parameters?: StateParameters<Name>]
    : readonly [name: Name, parameters: StateParameters<Name>];

/**
 * A state with its parameters.
 *
 * @example
 * const state: State = ['a contract', { payrollContractId: '1-77', personId: '4711', end: null }];
 */
export type State = { [Name in StateName]: StateOf<Name> }[StateName];

/** One state or several. */
export type Given = State | readonly State[];

/** The states of a {@link Given}. */
export function statesOf(given: Given): readonly State[] {
  return isState(given) ? [given] : given;
}

function isState(given: Given): given is State {
  return typeof given[0] === 'string';
}

/** A model of which only these fields have to be given; others may be left out, or `null` where they have no value. */
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
