import { clientCredentials } from '@hr/auth';
import { createHrClient, isHrError } from '@hr/client';

// What runs in the page: the call that its address names.

declare const location: { readonly origin: string; readonly hash: string };

const baseUrl = location.origin;
const client = { baseUrl, clientId: 'page', clientSecret: 's3cret' };
const auth = clientCredentials({ ...client, timeout: 60_000 });
const { persons, payroll } = createHrClient({ baseUrl, auth });
const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1 };

const calls: Record<string, () => PromiseLike<unknown>> = {
  globals: async () => ['Buffer', 'global', 'process', 'require', 'setImmediate'].filter((name) => name in globalThis),
  token: () => clientCredentials({ ...client, timeout: 2000 }).getToken(),
  list: () => persons.list(),
  listTwice: async () => [await persons.list(), await persons.list()],
  listInHaste: () => persons.list({}, { timeout: 500 }),
  update: () => persons.update('p/1 ü', { bankDetails: { iban: 'DE02120300000000202051' } }),
  submit: () => payroll.submitVariablePayment('1-2', bonus),
  submitWithKey: () => payroll.submitVariablePayment('1-2', { ...bonus, idempotencyKey: 'k-1' }),
  async readAndLeave() {
    let count = 0;
    for await (const person of persons.list()) if (person.id && ++count === 200_000) break;
    return count;
  },
  async readOneAndHold() {
    const iterator = persons.list()[Symbol.asyncIterator]();
    Object.assign(globalThis, { iterator });
    return iterator.next();
  },
  async abortAtTheAnswer() {
    const controller = new AbortController();
    const reason = new Error('the user went away');
    const hr = createHrClient({
      baseUrl,
      auth,
      onEvent: ({ type }) => type === 'response' && controller.abort(reason),
    });
    const thrown = await hr.persons.list({}, { signal: controller.signal }).then(undefined, (error: unknown) => error);
    return isHrError(thrown) && thrown.code === 'aborted' && thrown.cause === reason;
  },
};

async function report(call = calls[location.hash.slice(1)]): Promise<string> {
  try {
    return JSON.stringify({ value: await call?.() });
  } catch (error) {
    return JSON.stringify({ error, text: `${String(error)} ${(error as Error).stack}` });
  }
}

Object.assign(globalThis, { report: report() });
