import { API_SCOPE } from '@hr/schemas';
import type { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import { REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { System } from '@hr/schemas/rules';
import { exampleTokens } from '../contract/example-tokens.ts';
import type { Payment } from '../fixtures/payments.ts';
import type { Failure } from './failures.ts';
import { createRecordedRequests } from './recorded-requests.ts';
import type { FakeOperation } from './routes.ts';

/** A record with the day of its last change, `YYYY-MM-DD`. */
interface Dated<Content> {
  readonly content: Content;
  readonly changedOn: string;
}

export interface StoredPerson {
  /** What the master system knows, with `bankDetails` and `keyNumber`. */
  record: Person;
  readonly contractIds: Set<string>;
  /** By date. */
  readonly timeDays: Map<string, Dated<TimeBookingDay>>;
  readonly absences: Map<string, Dated<Absence>>;
  readonly changedOn: Record<System, string>;
}

/** A payroll contract. The API knows it once it has a payroll record. */
export interface StoredContract {
  personId: string;
  employment: Employment | undefined;
  /** By month, `YYYY-MM`. */
  readonly salaries: Map<string, SalaryHistoryEntry>;
}

/**
 * A variable payment as operators see it.
 *
 * @sealed
 */
export interface StoredPayment extends VariablePayment {
  readonly id: string;
  readonly state: Payment['state'];
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

/** What a token proves. */
interface TokenGrant extends Pick<Client, 'clientId' | 'scope'> {
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** What the fake holds. */
export type Store = ReturnType<typeof createStore>;

/** Days begin in the service's default zone. */
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

/** @param client the client under test, to which the tokens of contracts belong */
export function createStore(clock: () => number, { clientId, clientSecret }: Omit<Client, 'scope'>) {
  const ofContracts = { clientId, expiresAt: Number.POSITIVE_INFINITY };
  return {
    clientId,
    clock,
    /** The day, `YYYY-MM-DD`. */
    today: () => calendar.format(clock()),
    persons: new Map<string, StoredPerson>(),
    /** The day on which each erased person was erased. */
    erased: new Map<string, string>(),
    contracts: new Map<string, StoredContract>(),
    payments: new Map<string, StoredPayment>(),
    lastPaymentId: 0,
    /** The payment that each client's `Idempotency-Key` has made, and when. */
    keys: new Map<string, { readonly paymentId: string; readonly madeAt: number }>(),
    /** The `Idempotency-Key`s of clients whose requests are in flight. */
    keysInFlight: new Set<string>(),
    clients: new Map<string, Client>([[clientId, { clientId, clientSecret, scope: API_SCOPE }]]),
    tokens: new Map<string, TokenGrant>([
      [exampleTokens.valid, { ...ofContracts, scope: API_SCOPE }],
      [exampleTokens.withoutScope, { ...ofContracts, scope: 'operator' }],
    ]),
    timeComponentVersion: REQUIRED_TIME_COMPONENT_VERSION,
    /** Until when, in milliseconds since the epoch, every request is one too many. */
    rateLimitedUntil: Number.NEGATIVE_INFINITY,
    isUnavailable: false,
    /** The failures of requests to come. */
    failures: new Map<FakeOperation, Failure[]>(),
    requests: createRecordedRequests(),
  };
}
