import {
  Absence,
  API_SCOPE,
  Employment,
  IdempotencyKey,
  Identifier,
  LocalDate,
  NewWebhookEndpoint,
  operations,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePayment,
  VariablePaymentDecision,
  VariablePaymentRequest,
  WebhookDelivery,
  YearMonth,
  type OperationId,
} from '@hr/schemas';
import { systemOf } from '@hr/schemas/provider';
import { systems, type System } from '@hr/schemas/rules';
import { z } from 'zod';

const { employments: _employments, payrollContractIds: _payrollContractIds, ...ownFields } = Person.shape;

const { decidedAt: _decidedAt, ...decision } = {
  ...VariablePaymentDecision.shape,
  idempotencyKey: IdempotencyKey.optional(),
};

/** A service sends to public addresses only. */
const UNREACHABLE_URL = 'https://127.0.0.1:9/';

/** A record with these fields; a test names others if it relies on them, and `null` removes one. */
type SomeOf<Model, Named extends keyof Model> = Pick<Model, Named> & {
  [Field in Exclude<keyof Model, Named>]?: Model[Field] | null | undefined;
};

/**
 * All provider states of the HR cloud, by name, with their JSON parameters. A test names only the fields that it relies
 * on. Other fields have any value; `null` removes a field.
 */
export interface ProviderStates {
  'a person': SomeOf<Omit<Person, 'employments' | 'payrollContractIds'>, 'id'>;
  /** A payroll contract with its payroll record, of an existing or a new person. */
  'a contract': SomeOf<Employment, 'payrollContractId'> & { personId?: string | undefined };
  /** The salary of a contract in a month. Here and below, the contract exists or is new. */
  'a salary': SomeOf<SalaryHistoryEntry, 'payrollContractId' | 'year' | 'month'>;
  /** A variable payment that the client under test submitted and that was approved. */
  'an approved payment': SomeOf<VariablePayment, 'payrollContractId' | 'billingPeriod'>;
  /**
   * A variable payment that the client under test submitted and that was approved or rejected. It has an
   * `Idempotency-Key` and a reason only if the state names them.
   */
  'a decided payment': SomeOf<
    Omit<VariablePaymentDecision, 'decidedAt' | 'state'>,
    'payrollContractId' | 'billingPeriod'
  > & { state: 'approved' | 'rejected' };
  /** A payment that the client under test submitted with a key within the last 24 hours. */
  'a payment submitted with a key': {
    idempotencyKey: string;
    payrollContractId: string;
    billingPeriod: string;
    payment: VariablePaymentRequest;
  };
  /** A payment of the client under test with a key that is in flight. */
  'a payment being submitted with a key': { idempotencyKey: string; payrollContractId: string };
  /** A day of the time account of an existing or a new person. */
  'a day of time bookings': SomeOf<TimeBookingDay, 'date'> & { personId: string };
  /** An absence of an existing or a new person. */
  'an absence': SomeOf<Absence, 'personId'>;
  /** A person that these systems last changed on a date, and other systems before it. */
  'a person who changed': { id: string; systems: readonly System[]; since: string };
  /** A person whom the master system has deleted since. Here and below, lists of changes say so. */
  'a deleted person': { id: string };
  /** A day of a person's time account that was deleted since. */
  'a deleted day of time bookings': { personId: string; date: string };
  /** An absence of a person that was deleted since. */
  'a deleted absence': { personId: string; id: string };
  /** A person whose data was erased, which lists of changes report. */
  'an erased person': { id: string };
  /** A webhook endpoint of the client under test. Default: at an address to which a service sends nothing. */
  'a webhook endpoint': { id: string; url?: string | undefined };
  /** An attempt to send to that endpoint. */
  'a webhook delivery': Pick<WebhookDelivery, keyof WebhookDelivery> & { endpointId: string };
  /** A registered client, which can request tokens. Its default scope is that of the API. */
  'an API client': { clientId: string; clientSecret: string; scope?: string | undefined };
  /** The client under test may use only these operations, and sees only data of these systems. Default: all. */
  'a client with grants': { operations?: readonly OperationId[] | undefined; systems?: readonly System[] | undefined };
  /** The time-recording component is too old for the time operations (section 8). Default: 63.11.19. */
  'an outdated time component': { version?: string | undefined };
  /** The client under test has used up its rate limit. */
  'a used-up rate limit': Record<string, never>;
  /** The HR Cloud responds to every request with 503. */
  'an unavailable service': Record<string, never>;
}

/** The models of the parameters of each state. */
export const providerStates = {
  'a person': someOf(z.strictObject(ownFields), 'id'),
  'a contract': someOf(Employment, 'payrollContractId').extend({ personId: Identifier.optional() }),
  'a salary': someOf(SalaryHistoryEntry, 'payrollContractId', 'year', 'month'),
  'an approved payment': someOf(VariablePayment, 'payrollContractId', 'billingPeriod'),
  'a decided payment': someOf(z.strictObject(decision), 'payrollContractId', 'billingPeriod').extend({
    state: z.enum(['approved', 'rejected']),
  }),
  'a payment submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
    billingPeriod: YearMonth,
    payment: VariablePaymentRequest,
  }),
  'a payment being submitted with a key': z.strictObject({
    idempotencyKey: IdempotencyKey,
    payrollContractId: Identifier,
  }),
  'a day of time bookings': someOf(TimeBookingDay, 'date').extend({ personId: Identifier }),
  'an absence': someOf(Absence, 'personId'),
  'a person who changed': z.strictObject({
    id: Identifier,
    systems: z.array(z.enum(systems)).min(1),
    since: LocalDate,
  }),
  'a deleted person': z.strictObject({ id: Identifier }),
  'a deleted day of time bookings': z.strictObject({ personId: Identifier, date: LocalDate }),
  'a deleted absence': z.strictObject({ personId: Identifier, id: Identifier }),
  'an erased person': z.strictObject({ id: Identifier }),
  'a webhook endpoint': z.strictObject({ id: Identifier, url: NewWebhookEndpoint.shape.url.default(UNREACHABLE_URL) }),
  'a webhook delivery': WebhookDelivery.extend({ endpointId: Identifier }),
  'an API client': z.strictObject({
    clientId: z.string().min(1),
    clientSecret: z.string().min(1),
    scope: z.string().min(1).default(API_SCOPE),
  }),
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
  'an outdated time component': z.strictObject({ version: z.string().default('63.11.19') }),
  'a used-up rate limit': z.strictObject({}),
  'an unavailable service': z.strictObject({}),
} satisfies { readonly [Name in StateName]: z.ZodType<unknown, ProviderStates[Name]> };

/** The name of a provider state. */
export type StateName = keyof ProviderStates;

/** The parameters of a state. */
export type StateParameters<Name extends StateName> = ProviderStates[Name];

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
