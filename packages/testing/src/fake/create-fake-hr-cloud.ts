import { API_SCOPE } from '@hr/schemas';
import { company } from '../fixtures/company.ts';
import { readState } from '../states/read-state.ts';
import { addMember } from './add-member.ts';
import { decidePayment } from './decide-payment.ts';
import { createFailures } from './failures.ts';
import type { FakeHrCloud, FakeHrCloudOptions } from './fake-hr-cloud.ts';
import { handleRequest } from './handle-request.ts';
import { loadStage } from './load-stage.ts';
import { createRecordedRequests } from './recorded-requests.ts';
import { stageBeside } from './stage-beside.ts';
import { createTokens } from './tokens.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/**
 * Makes an HR cloud that has no address.
 *
 * @throws {RangeError} when an option is out of its range.
 * @example
 * const fake = createFakeHrCloud({ persons: 20 });
 * const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
 */
export function createFakeHrCloud(options: FakeHrCloudOptions = {}): FakeHrCloud {
  const { persons = 0, seed = 1, clientId = 'fake-client', clientSecret = 'fake-secret' } = options;
  // Looked up each time, so that a test can replace it.
  const { clock = () => Date.now() } = options;
  const members = [...company({ persons, seed })];
  const tokens = createTokens(clientId);
  const failures = createFailures();
  const requests = createRecordedRequests();
  let store: Store;

  function restart(): void {
    store = createStore(clock);
    store.clients.set(clientId, { clientId, clientSecret, scope: API_SCOPE });
    for (const member of members) addMember(store, member);
  }
  restart();

  let count = 0;
  return {
    clientId,
    clientSecret,
    answer: (request) => handleRequest(request, { store, tokens, failures, requests, requestId: `fake-${++count}` }),
    state(...[name, parameters]) {
      loadStage(store, stageBeside(store, readState(name, parameters)), clientId);
    },
    apply(stage) {
      restart();
      loadStage(store, stage, clientId);
    },
    reset() {
      restart();
      failures.clear();
      requests.clear();
    },
    failNext: (operation, failure, times = 1) => failures.add(operation, failure, times),
    get requests() {
      return requests.all;
    },
    requestsOf: (operation, least = 1) => requests.waitFor(operation, least),
    clearRequests: () => requests.clear(),
    get payments() {
      return [...store.contractOfPayment].flatMap(([id, { payments }]) => payments.get(id) ?? []);
    },
    decide: (paymentId, decision) => decidePayment(store, paymentId, decision),
  };
}
