import { paymentContent, type OutboxEntry, type OutboxPayment } from '@hr/client/mirror';
import type { Console } from '../backend/console.ts';
import type { OperatorPayment } from '../backend/operator-client.ts';
import type { User } from '../backend/records.ts';
import { contractPersons, type ContractPerson } from './contract-persons.ts';
import { mayExist, paymentOwners } from './payment-owners.ts';

/**
 * What is known of a payment.
 *
 * - `submitted`, `approved`, `rejected`: as the service has it
 * - `sending`: the console sends it right now
 * - `unknown`: the service may have accepted it
 * - `refused`: the service refused the request, so there is no payment
 */
export type PaymentState = 'submitted' | 'approved' | 'rejected' | 'sending' | 'unknown' | 'refused';

/** A payment of the service, or one that the console sent and the service does not list. */
export interface InboxPayment {
  /** Unique in the list. */
  readonly key: string;
  /** Id of the payment at the service; undefined if the service does not list it. */
  readonly paymentId: string | undefined;
  readonly state: PaymentState;
  readonly contractId: string;
  /** Undefined if the local copy does not have the contract. */
  readonly person: ContractPerson | undefined;
  readonly payment: OutboxPayment;
  readonly submittedAt: string;
  /** Id of the client. */
  readonly submittedBy: string;
  /** The people who submitted it in this console, or may have. */
  readonly submitters: readonly string[];
  /** Whether equal payments make it uncertain which of them is whose. */
  readonly isAmbiguous: boolean;
  /** Whether it is, or may be, a payment of the person who asks. */
  readonly isOwn: boolean;
  readonly decision: Decision | undefined;
  readonly masterCostCenter: string | undefined;
  readonly entry: SentEntry | undefined;
}

/** A decision on a payment. */
export interface Decision {
  readonly at: string | undefined;
  /** Id of the client. */
  readonly by: string | undefined;
  /** The person who decided in this console. */
  readonly person: string | undefined;
  readonly reason: string | undefined;
}

/** A payment of the outbox that is no payment of the service, as far as is known. */
export interface SentEntry {
  readonly id: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  readonly canResend: boolean;
  readonly mayPayTwice: boolean;
  readonly wasResent: boolean;
  /** Number of equal payments of the service that no other entry explains. Each may be this one. */
  readonly unexplained: number;
}

/** All payments. */
export interface Inbox {
  readonly payments: readonly InboxPayment[];
  /** When the payments were read, an ISO 8601 instant. */
  readonly readAt: string;
  /** The state of the names. */
  readonly namesAsOf: string | undefined;
}

/** Joins the payments of the service with those that the console sent and with the names of persons. */
export async function readInbox({ cloud, live, records }: Console, user: User): Promise<Inbox> {
  const { operator, outbox, clientId, mirror } = cloud;
  const readAt = new Date().toISOString();
  // The outbox first: an entry that is unknown now cannot be missing in the list because the list is older.
  const entries = [...outbox.entries()];
  const listed = await operator.payments();
  const { persons } = contractPersons(mirror);
  const ownersOf = paymentOwners(records);
  const deciders = records.actors('approve-payment', 'reject-payment');
  const sentOf = Map.groupBy(entries, ({ contractId, payment }) => paymentContent(contractId, payment));
  const listedOf = Map.groupBy(
    listed.filter(({ submittedBy }) => submittedBy === clientId),
    contentOf,
  );

  const fromService = listed.map((payment): InboxPayment => {
    const { id, state, payrollContractId: contractId, submittedBy, submittedAt, masterCostCenter } = payment;
    const content = contentOf(payment);
    const equal = submittedBy === clientId ? (sentOf.get(content) ?? []) : [];
    const sent = equal.filter((entry) => entry.state !== 'refused');
    const submitters = [...new Set(equal.filter(mayExist).flatMap(ownersOf))];
    const isExact = sent.every((entry) => isAccepted(entry)) && sent.length === listedOf.get(content)?.length;
    return {
      key: `payment-${id}`,
      paymentId: id,
      state,
      contractId,
      person: persons.get(contractId),
      payment: contentOnly(payment),
      submittedAt,
      submittedBy,
      submitters,
      isAmbiguous: sent.length > 0 && (!isExact || submitters.length > 1),
      isOwn: submitters.includes(user.name),
      decision: payment.decidedAt === undefined ? undefined : decisionOf(payment, deciders.get(id)?.at(-1)),
      masterCostCenter,
      entry: undefined,
    };
  });

  const fromOutbox = [...sentOf].flatMap(([content, equal]) => {
    const accepted = equal.filter(isAccepted);
    const unexplained = Math.max(0, (listedOf.get(content)?.length ?? 0) - accepted.length);
    const unlisted = accepted.slice(listedOf.get(content)?.length ?? 0);
    const others = equal.filter((entry) => !isAccepted(entry) && !(entry.state === 'refused' && entry.resentAs));
    return [...unlisted, ...others].map((entry): InboxPayment => {
      const { id, contractId, payment, sentAt, code, message, requestId, resentAs } = entry;
      const submitters = ownersOf(entry);
      return {
        key: `entry-${id}`,
        paymentId: undefined,
        state: stateOf(entry),
        contractId,
        person: persons.get(contractId),
        payment,
        submittedAt: sentAt,
        submittedBy: clientId,
        submitters,
        isAmbiguous: false,
        isOwn: submitters.includes(user.name),
        decision: undefined,
        masterCostCenter: undefined,
        entry: {
          id,
          code,
          message,
          requestId,
          canResend: resentAs === undefined && (entry.state === 'unknown' || entry.state === 'refused'),
          mayPayTwice: outbox.mayPayTwice(entry),
          wasResent: resentAs !== undefined,
          unexplained,
        },
      };
    });
  });

  const payments = [...fromService, ...fromOutbox].toSorted((one, other) =>
    one.submittedAt < other.submittedAt ? 1 : -1,
  );
  return { payments, readAt, namesAsOf: live.health.currentAt };
}

/** Returns who decided on a payment, when and why. */
export function decisionOf({ decidedAt, decidedBy, reason }: OperatorPayment, person: string | undefined): Decision {
  return { at: decidedAt, by: decidedBy, person, reason };
}

function contentOf(payment: OperatorPayment): string {
  return paymentContent(payment.payrollContractId, payment);
}

function isAccepted({ state }: OutboxEntry): boolean {
  return state === 'sent' || state === 'approved' || state === 'rejected';
}

function stateOf({ state }: OutboxEntry): PaymentState {
  return state === 'sent' ? 'submitted' : state;
}

function contentOnly(payment: OperatorPayment): OutboxPayment {
  const { billingPeriod, correctionPeriod, compensationComponentId } = payment;
  const { amount, hours, days, hourlyFactor, percentage } = payment;
  const values = { amount, hours, days, hourlyFactor, percentage };
  return { billingPeriod, correctionPeriod, compensationComponentId, ...values } as OutboxPayment;
}
