import type { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import { REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { System } from '@hr/schemas/rules';
import type { Payment } from '../fixtures/payments.ts';

/** A record with the day of its last change, `YYYY-MM-DD`. */
interface Dated<Content> {
  readonly content: Content;
  readonly changedOn: string;
}

export interface StoredPerson {
  /** What the master system knows, with `bankDetails` and `keyNumber`. */
  record: Person;
  /** The contracts of the person. */
  readonly contractIds: Set<string>;
  /** By date. */
  readonly timeDays: Map<string, Dated<TimeBookingDay>>;
  /** By id. */
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

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

/** What the fake holds. */
export interface Store {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** `YYYY-MM-DD`. */
  readonly today: () => string;
  readonly persons: Map<string, StoredPerson>;
  /** The day on which each erased person was erased. */
  readonly erased: Map<string, string>;
  readonly contracts: Map<string, StoredContract>;
  readonly payments: Map<string, StoredPayment>;
  lastPaymentId: number;
  /** The payment that each client's `Idempotency-Key` has made, and when. */
  readonly keys: Map<string, { readonly paymentId: string; readonly madeAt: number }>;
  /** The `Idempotency-Key`s of clients whose requests are in flight. */
  readonly keysInFlight: Set<string>;
  readonly clients: Map<string, Client>;
  timeComponentVersion: string;
  /** Until when, in milliseconds since the epoch, every request is one too many. */
  rateLimitedUntil: number;
  isUnavailable: boolean;
}

/** Days begin in the service's default zone. */
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

export function createStore(clock: () => number): Store {
  return {
    clock,
    today: () => calendar.format(clock()),
    persons: new Map(),
    erased: new Map(),
    contracts: new Map(),
    payments: new Map(),
    lastPaymentId: 0,
    keys: new Map(),
    keysInFlight: new Set(),
    clients: new Map(),
    timeComponentVersion: REQUIRED_TIME_COMPONENT_VERSION,
    rateLimitedUntil: Number.NEGATIVE_INFINITY,
    isUnavailable: false,
  };
}
