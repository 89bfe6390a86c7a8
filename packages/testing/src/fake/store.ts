import type { Absence, Employment, Person, SalaryHistoryEntry, TimeBookingDay, VariablePayment } from '@hr/schemas';
import { REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { System } from '@hr/schemas/rules';
import type { Payment } from '../fixtures/payments.ts';

/** Something with the day on which it last changed, `YYYY-MM-DD`. */
interface Dated<Content> {
  readonly content: Content;
  readonly changedOn: string;
}

export interface StoredPerson {
  /** What the master system says of the person, with `bankDetails` and `keyNumber`. */
  record: Person;
  /** The contracts that are mapped to the person. */
  readonly contractIds: Set<string>;
  readonly timeDays: Map<string, Dated<TimeBookingDay>>;
  readonly absences: Map<string, Dated<Absence>>;
  readonly changedOn: Record<System, string>;
}

/**
 * A payment as operators see it.
 *
 * @sealed
 */
export interface StoredPayment extends VariablePayment {
  readonly id: string;
  readonly state: Payment['state'];
}

/** A payroll contract. The API knows it once it has both a person and a payroll record. */
export interface StoredContract {
  personId: string | undefined;
  employment: Employment | undefined;
  /** By month, `YYYY-MM`. */
  readonly salaries: Map<string, SalaryHistoryEntry>;
  /** By id. */
  readonly payments: Map<string, StoredPayment>;
}

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
}

/** What an HR cloud holds, and what it is like just now. */
export interface Store {
  readonly clock: () => number;
  readonly persons: Map<string, StoredPerson>;
  /** The day on which each erased person was erased. */
  readonly erased: Map<string, string>;
  readonly contracts: Map<string, StoredContract>;
  /** The contract of each payment. */
  readonly contractOfPayment: Map<string, StoredContract>;
  lastPaymentId: number;
  /** The payment that each client's `Idempotency-Key` has made, and when. */
  readonly keys: Map<string, { readonly paymentId: string; readonly madeAt: number }>;
  /** The `Idempotency-Key`s of clients whose requests have not ended yet. */
  readonly keysInFlight: Set<string>;
  readonly clients: Map<string, Client>;
  timeComponentVersion: string;
  /** Until when, in milliseconds since the epoch, every request is one too many. */
  rateLimitedUntil: number;
  isUnavailable: boolean;
}

export function createStore(clock: () => number): Store {
  return {
    clock,
    persons: new Map(),
    erased: new Map(),
    contracts: new Map(),
    contractOfPayment: new Map(),
    lastPaymentId: 0,
    keys: new Map(),
    keysInFlight: new Set(),
    clients: new Map(),
    timeComponentVersion: REQUIRED_TIME_COMPONENT_VERSION,
    rateLimitedUntil: Number.NEGATIVE_INFINITY,
    isUnavailable: false,
  };
}

/** The payroll contract of an id. The API knows it once it has a person and a payroll record. */
export function knownContract({ contracts }: Store, contractId: string): StoredContract | undefined {
  const contract = contracts.get(contractId);
  return contract?.personId !== undefined && contract.employment ? contract : undefined;
}
