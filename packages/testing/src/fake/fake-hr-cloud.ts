import { company } from '../fixtures/company.ts';
import { checkInteger, checkNames } from '../fixtures/options.ts';
import { invalidOption } from '../hr-testing-error.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { scenarioBeside, type Scenario } from '../states/scenario.ts';
import { createChangeLog, type ExpiryReason } from './changes.ts';
import { tellReceivers } from './operations.ts';
import { checkFailure, type FailureOf } from './failures.ts';
import { handleRequest } from './handle-request.ts';
import { loadScenario } from './load-scenario.ts';
import { addMember } from './persons.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import { recordsOf, type FakeData } from './records.ts';
import type { FakeOperation } from './routes.ts';
import { createStore, type Store } from './store.ts';

/** Initial data, client and clock of a fake HR cloud. */
export interface FakeHrCloudOptions {
  /** The number of persons of a generated company. Default 0. */
  readonly persons?: number | undefined;
  /** The seed of the company. Default 1. */
  readonly seed?: number | undefined;
  /** Credentials of a client. Default `fake-client` and `fake-secret`. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The time, in milliseconds since the epoch. Default: the clock of the machine. */
  readonly clock?: (() => number) | undefined;
}

/**
 * An HR cloud in memory, with the rules of the real one. It handles requests that you pass to it. `startFakeHrCloud`
 * serves it over HTTP, and `hrCloudHandlers` puts it behind MSW.
 *
 * @sealed
 */
export interface FakeHrCloud extends FakeData {
  /** Handles a request by its method, path, headers and body. It ignores the host. */
  fetch(request: Request): Promise<Response>;
  /**
   * Makes a provider state true. It replaces only the data that the state names.
   *
   * @throws {HrTestingError} `invalid-option` if the parameters are invalid, or contradict the data of the fake.
   * @example
   * fake.state('a contract', { payrollContractId: '1-77', personId: '4711' });
   */
  state(...state: ProviderState): void;
  /** Resets the data of the fake, and adds a scenario. Failures and recorded requests stay. */
  load(scenario: Scenario): void;
  /** Resets the fake to its initial data. Issued tokens stay valid. */
  reset(): void;
  /**
   * Makes the next requests of an operation fail, by default one. Failures of several calls follow each other.
   *
   * @throws {HrTestingError} `invalid-option` if requests of the operation cannot fail this way.
   * @example
   * fake.failNext('listPersons', 503);
   */
  failNext<Operation extends FakeOperation>(operation: Operation, failure: FailureOf<Operation>, times?: number): void;
  /**
   * Expires all cursors so far: the next request with one gets 410. `history` says that changes are no longer kept,
   * `grants` that the client may see something else, `database` that the data was restored, which `reset` and `load` say,
   * too.
   *
   * @example
   * fake.expireCursors('history');
   */
  expireCursors(reason: ExpiryReason): void;
  /** The requests so far, in the order of their responses. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Waits until this many requests of an operation have a response, by default one, and returns them.
   *
   * @throws {HrTestingError} `requests-missing` if they do not arrive within 5 seconds.
   * @example
   * const [request] = await fake.requestsOf('updatePerson');
   */
  requestsOf(operation: FakeOperation, count?: number): Promise<readonly RecordedRequest[]>;
  clearRequests(): void;
  /** Credentials of the client. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/** @throws {HrTestingError} `invalid-option` if an option is unknown or out of range. */
export function checkFakeOptions(call: string, options: FakeHrCloudOptions): void {
  checkNames(call, options, ['persons', 'seed', 'clientId', 'clientSecret', 'clock']);
  const { persons = 0, seed = 1, clock = Date.now } = options;
  checkInteger(`${call}: "persons"`, persons, 0, 1_000_000_000);
  checkInteger(`${call}: "seed"`, seed);
  if (typeof clock === 'function') return;
  throw invalidOption(`${call}: "clock" is not a function. Pass one that returns milliseconds.`);
}

/**
 * Creates an HR cloud without an address.
 *
 * @throws {HrTestingError} `invalid-option` if an option is out of range.
 * @example
 * const fake = createFakeHrCloud({ persons: 20 });
 * const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
 */
export function createFakeHrCloud(options: FakeHrCloudOptions = {}): FakeHrCloud {
  checkFakeOptions('createFakeHrCloud', options);
  const { persons = 0, seed = 1, clientId = 'fake-client', clientSecret = 'fake-secret' } = options;
  // Looked up at each call, so that a test can replace it.
  const { clock = () => Date.now() } = options;
  const members = [...company({ persons, seed })];
  const store = {} as Store;
  const changes = createChangeLog();

  function restart(kept: Partial<Store> = {}): void {
    changes.expire('database');
    Object.assign(store, createStore(clock, { clientId, clientSecret }, changes), kept);
    for (const member of members) addMember(store, member);
  }
  restart();
  changes.onChange(() => queueMicrotask(() => void tellReceivers(store)));

  let handled = 0;
  return {
    clientId,
    clientSecret,
    ...recordsOf(store),
    fetch: (request) => handleRequest(store, request, `fake-${++handled}`),
    state: (...state) => loadScenario(store, scenarioBeside(store, [state])),
    load(scenario) {
      const { tokens, failures, requests } = store;
      restart({ tokens, failures, requests });
      loadScenario(store, scenario);
    },
    reset() {
      const { tokens, requests } = store;
      restart({ tokens, requests });
      requests.clear();
    },
    failNext(operation, failure, times = 1) {
      checkFailure(operation, failure, times);
      const pending = store.failures.get(operation) ?? [];
      store.failures.set(operation, [...pending, ...Array.from({ length: times }, () => failure)]);
    },
    expireCursors: (reason) => changes.expire(reason),
    get requests() {
      return store.requests.all;
    },
    requestsOf: (operation, count = 1) => store.requests.waitFor(operation, count),
    clearRequests: () => store.requests.clear(),
  };
}
