import { company } from '../fixtures/company.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { readState } from '../states/read-state.ts';
import { scenarioBeside } from '../states/scenario.ts';
import type { Existing, Scenario } from '../states/scenario.ts';
import { checkFailure } from './failures.ts';
import type { FailureOf } from './failures.ts';
import { handleRequest } from './handle-request.ts';
import { loadScenario } from './load-scenario.ts';
import { addMember } from './persons.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import { recordsOf } from './records.ts';
import type { FakeData } from './records.ts';
import type { FakeOperation } from './routes.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** What a fake HR cloud holds at its start, and who may use it. */
export interface FakeHrCloudOptions {
  /** The number of persons of an invented company. Default 0. */
  readonly persons?: number;
  /** Other seeds give another company. Default 1. */
  readonly seed?: number;
  /** Credentials of a client. Default `fake-client` and `fake-secret`. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The time, in milliseconds since the epoch. Default that of the machine. */
  readonly clock?: () => number;
}

/**
 * An HR cloud in memory, with the rules of the real one. It answers requests that you pass to it; `startFakeHrCloud`
 * gives it an address, and `hrCloudHandlers` puts it behind MSW.
 *
 * @sealed
 */
export interface FakeHrCloud extends FakeData {
  /** Answers a request by its method, path, headers and body; its host does not matter. */
  answer(request: Request): Promise<Response>;
  /**
   * Makes a provider state true. It replaces only what the state names.
   *
   * @throws {HrTestingError} `invalid-option` when the parameters are invalid, or contradict what the fake holds.
   * @example
   * fake.state('a contract', { payrollContractId: '1-77', personId: '4711' });
   */
  state(...state: ProviderState): void;
  /** Resets what the fake holds, and adds a scenario. Failures and recorded requests stay. */
  load(scenario: Scenario): void;
  /** Resets the fake to its start; issued tokens stay valid. */
  reset(): void;
  /**
   * Lets the next requests of an operation fail, by default one. Several calls follow one another.
   *
   * @throws {HrTestingError} `invalid-option` when no request of the operation can fail so.
   * @example
   * fake.failNext('listPersons', 503);
   */
  failNext<Operation extends FakeOperation>(operation: Operation, failure: FailureOf<Operation>, times?: number): void;
  /** The requests so far, in the order of their responses. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Waits until so many requests of an operation have a response, by default one, and returns them.
   *
   * @throws {HrTestingError} `requests-missing` when they do not arrive within 5 seconds.
   * @example
   * const [request] = await fake.requestsOf('updatePerson');
   */
  requestsOf(operation: FakeOperation, count?: number): Promise<readonly RecordedRequest[]>;
  clearRequests(): void;
  /** Credentials of the client. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Creates an HR cloud without an address.
 *
 * @throws {HrTestingError} `invalid-option` for an option that is out of range.
 * @example
 * const fake = createFakeHrCloud({ persons: 20 });
 * const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
 */
export function createFakeHrCloud(options: FakeHrCloudOptions = {}): FakeHrCloud {
  const { persons = 0, seed = 1, clientId = 'fake-client', clientSecret = 'fake-secret' } = options;
  // Looked up each time, so that a test can replace it.
  const { clock = () => Date.now() } = options;
  const members = [...company({ persons, seed })];
  const newStore = (): Store => createStore(clock, { clientId, clientSecret });
  const store = newStore();

  function restart(kept: Partial<Store> = {}): void {
    Object.assign(store, newStore(), kept);
    for (const member of members) addMember(store, member);
  }
  restart();

  let count = 0;
  return {
    clientId,
    clientSecret,
    ...recordsOf(store),
    answer: (request) => handleRequest(store, request, `fake-${++count}`),
    state(...[name, parameters]) {
      const existing: Existing = {
        person: (id) => store.persons.get(id),
        contract: (id) => store.contracts.get(id),
      };
      loadScenario(store, scenarioBeside(existing, [readState(name, parameters)]));
    },
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
    get requests() {
      return store.requests.all;
    },
    requestsOf: (operation, least = 1) => store.requests.waitFor(operation, least),
    clearRequests: () => store.requests.clear(),
  };
}
