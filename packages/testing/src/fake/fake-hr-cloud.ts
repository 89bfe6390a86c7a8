import type { State } from '../states/provider-states.ts';
import type { Stage } from '../states/stage.ts';
import type { Decision } from './decide-payment.ts';
import type { FailureOf } from './failures.ts';
import type { FakeOperation } from './routes.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import type { StoredPayment } from './store.ts';

/** What a fake HR cloud holds, and who may use it. */
export interface FakeHrCloudOptions {
  /** How many persons of a made company are there from the start. Default none. */
  readonly persons?: number;
  /** Other seeds give another company. Default 1. */
  readonly seed?: number;
  /** Credentials of the client that is there from the start. Default `fake-client` and `fake-secret`. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Tells the time, in milliseconds since the epoch. Default that of the machine. */
  readonly clock?: () => number;
}

/**
 * An HR cloud in memory, with the rules of the real one. It answers requests that are given to it; `startFakeHrCloud`
 * puts it behind an address, and `hrCloudHandlers` behind MSW.
 *
 * @sealed
 */
export interface FakeHrCloud {
  /** Answers a request by its method, path, headers and body; its host does not matter. */
  answer(request: Request): Promise<Response>;
  /**
   * Makes a provider state true, beside what is there: nothing that the state does not name itself is overwritten.
   *
   * @throws {RangeError} where the parameters are wrong, or contradict what is there.
   * @example
   * fake.state('a contract', { payrollContractId: '1-77', personId: '4711' });
   */
  state(...state: State): void;
  /** Holds what it held at the start and all of a stage. What requests and other states have brought is gone. */
  apply(stage: Stage): void;
  /** Makes everything as it was at the start, but for tokens, which stay valid. */
  reset(): void;
  /**
   * Lets the next request of an operation fail, or the next few. Several calls follow one another.
   *
   * @throws {RangeError} where no request of the operation can fail so.
   * @example
   * fake.failNext('listPersons', 503);
   */
  failNext<Operation extends FakeOperation>(operation: Operation, failure: FailureOf<Operation>, times?: number): void;
  /** The requests so far, in the order in which they were answered. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Waits until so many requests of an operation have been answered, by default one, and gives them.
   *
   * @throws {HrTestingError} `requests-missing` where they do not come within 5 seconds.
   * @example
   * const [request] = await fake.requestsOf('updatePerson');
   */
  requestsOf(operation: FakeOperation, count?: number): Promise<readonly RecordedRequest[]>;
  clearRequests(): void;
  /** The variable payments of every state, in the order in which they were submitted. */
  readonly payments: readonly StoredPayment[];
  /**
   * Decides on a submitted payment, as operators do: only approved ones are read back.
   *
   * @throws {RangeError} where the payment is unknown or was decided before.
   * @example
   * for (const { id } of fake.payments) fake.decide(id, 'approved');
   */
  decide(paymentId: string, decision: Decision): void;
  /** Credentials of the client that is there from the start. */
  readonly clientId: string;
  readonly clientSecret: string;
}
