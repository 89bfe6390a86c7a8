import {
  API_SCOPE,
  type Absence,
  type Employment,
  type Person,
  type SalaryHistoryEntry,
  type TimeBookingDay,
  type VariablePayment,
} from '@hr/schemas';
import type { Grants } from '@hr/schemas/provider';
import { REQUIRED_TIME_COMPONENT_VERSION, type System } from '@hr/schemas/rules';
import { exampleTokens } from '../contract/example-tokens.ts';
import type { Payment } from '../fixtures/payroll.ts';
import type { ChangeLog, Moment } from './changes.ts';
import type { Failure } from './failures.ts';
import { createRecordedRequests } from './recorded-requests.ts';
import type { HeldEndpoint } from './webhooks.ts';
import type { FakeOperation } from './routes.ts';

/** A record with its last change. */
interface Changed<Content> {
  /** `undefined` if it was deleted. */
  readonly content: Content;
  changed: Moment;
}

export interface StoredPerson {
  /** The fields of the master system, with `bankDetails` and `keyNumber`. */
  record: Person;
  readonly contractIds: Set<string>;
  /** By date. */
  readonly timeDays: Map<string, Changed<TimeBookingDay | undefined>>;
  readonly absences: Map<string, Changed<Absence | undefined>>;
  readonly changed: Record<System, Moment>;
  /** When lists began to show the person, with its days and absences. */
  shown: Moment;
}

/** A person whom the master system has deleted, or who was erased. */
interface DeletedPerson {
  /** Of an erased person only what lists of changes report. */
  readonly person: StoredPerson;
  readonly deleted: Moment;
  readonly isErased: boolean;
}

/** A payroll contract. The API shows it if it has a payroll record. */
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
  /** With which the client submitted it. */
  readonly idempotencyKey?: string | undefined;
  /** An instant. */
  readonly decidedAt?: string | undefined;
  /** Of the decision. */
  readonly reason?: string | undefined;
}

/** A payment with its client and decision. */
export interface HeldPayment extends StoredPayment {
  readonly clientId: string;
  readonly decided: Moment | undefined;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

/** The client and scope of a token. */
interface TokenGrant extends Pick<Client, 'clientId' | 'scope'> {
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The data of the fake. */
export type Store = ReturnType<typeof createStore>;

/** Days begin in the default time zone of the service. */
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

/** @param client the client under test, which owns the tokens of contracts */
export function createStore(
  clock: () => number,
  { clientId, clientSecret }: Omit<Client, 'scope'>,
  changes: ChangeLog,
) {
  const ofContracts = { clientId, expiresAt: Number.POSITIVE_INFINITY };
  return {
    clientId,
    clock,
    changes,
    /** Notes that something changes, by default today. */
    change: (day = calendar.format(clock())): Moment => ({ day, number: changes.add() }),
    persons: new Map<string, StoredPerson>(),
    deleted: new Map<string, DeletedPerson>(),
    contracts: new Map<string, StoredContract>(),
    /** When a salary last changed, or became visible or hidden. */
    salariesChanged: undefined as Moment | undefined,
    payments: new Map<string, HeldPayment>(),
    lastPaymentId: 0,
    /** The payment of each `Idempotency-Key` of a client, and its time. */
    keys: new Map<string, { readonly paymentId: string; readonly madeAt: number }>(),
    /** The `Idempotency-Key`s of clients whose requests are in flight. */
    keysInFlight: new Set<string>(),
    webhookEndpoints: new Map<string, HeldEndpoint>(),
    /** Of the client under test. */
    grants: {} as Grants,
    clients: new Map<string, Client>([[clientId, { clientId, clientSecret, scope: API_SCOPE }]]),
    tokens: new Map<string, TokenGrant>([
      [exampleTokens.valid, { ...ofContracts, scope: API_SCOPE }],
      [exampleTokens.withoutScope, { ...ofContracts, scope: 'operator' }],
    ]),
    timeComponentVersion: REQUIRED_TIME_COMPONENT_VERSION,
    /** The end of the used-up rate limit, in milliseconds since the epoch. */
    rateLimitedUntil: Number.NEGATIVE_INFINITY,
    isUnavailable: false,
    /** The failures of future requests. */
    failures: new Map<FakeOperation, Failure[]>(),
    requests: createRecordedRequests(),
  };
}
