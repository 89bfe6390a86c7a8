import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { inject, expect, test } from 'vitest';
import { homeFolder, runHr, type Ended } from './run-hr.ts';

const ROWS = 60;
const INVALID = 3;
/** Of no other test: all test files share the demo. */
const component = 'CUT-IN-THE-MIDDLE';

test('60 rows with three bad ones and a cut connection are each submitted once', async () => {
  const home = await homeFolder();
  await using proxy = await cuttingProxy(inject('demoUrl'), 25);
  const env = { HR_HOME: home, HR_BASE_URL: proxy.url, HR_CLIENT_ID: 'demo', HR_CLIENT_SECRET: 'demo-secret' };
  const hr = (...args: string[]): Promise<Ended> => runHr(args, { env });

  const rows = Array.from({ length: ROWS }, (_, index) => `1000-20001;2026-12;${component};${index},5`);
  rows[6] = `1000-20001;Dez 26;${component};1`;
  rows[7] = `;2026-12;${component};1.23.450`;
  rows[8] = `1000-20001;2026-12;;`;
  const file = join(home, 'payments.csv');
  await writeFile(
    file,
    `\uFEFF${['contractId;billingPeriod;compensationComponentId;amount', ...rows, ''].join('\r\n')}`,
  );

  const refused = await hr('payments', 'submit', '--file', file, '--yes');
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file}: 3 of 60 rows cannot be sent:
  line 8: billingPeriod must be a month YYYY-MM, 01 to 12.
  line 9: amount must be a number such as 1234.50.
  line 9: contractId is required.
  line 10: compensationComponentId is required.
hr: Nothing was sent. Correct 3 rows, or pass --skip-invalid to send the others.
`,
  });
  expect(proxy.payments).toBe(0);

  const submit = ['payments', 'submit', '--file', file, '--skip-invalid', '--yes'];
  const cut = await hr(...submit);
  expect(cut).toMatchObject({ code: 7, stderr: expect.stringContaining('run the same command again') as string });
  const result = join(home, 'payments.result.csv');
  const before = await results(result);
  expect(before).toHaveLength(ROWS);
  expect(ofState(before, 'invalid')).toBe(INVALID);
  const unknown = before.filter(({ state }) => state === 'unknown');
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.length).toBeLessThanOrEqual(4);
  expect(ofState(before, 'not-sent')).toBeGreaterThan(20);

  proxy.restore();
  // Their keys are young, so they are sent again, and pay once.
  expect(await hr(...submit)).toMatchObject({ code: 3, stderr: expect.stringContaining('57 sent') as string });
  expect(ofState(await results(result), 'sent')).toBe(ROWS - INVALID);
  const paid = await submittedPayments();
  const amounts = paid.map(({ amount }) => amount).toSorted((one, other) => one - other);
  const valid = Array.from({ length: ROWS }, (_, index) => index + 0.5).filter((_, index) => index < 6 || index > 8);
  expect(amounts).toEqual(valid);

  await decide('approve', ...paid.slice(0, 3));
  await decide('reject', ...paid.slice(3, 4));
  const checked =
    /^[\w-]+: contract 1000-20001, 2026-12, CUT-IN-THE-MIDDLE: rejected, Already paid\.\nNewly approved: 3\. Newly rejected: 1\. Not decided yet: 53\.\n$/;
  const approved = await hr('payments', 'outbox', '--check', '--state', 'approved', '--json');
  expect(approved).toMatchObject({ code: 0, stderr: expect.stringMatching(checked) });
  const numbers = (JSON.parse(approved.stdout) as { amount: number }[]).map(({ amount }) => amount);
  expect(new Set(numbers)).toEqual(new Set(paid.slice(0, 3).map(({ amount }) => amount)));
  expect((await readdir(home)).toSorted()).toEqual(['default', 'payments.csv', 'payments.result.csv']);
});

function ofState(rows: readonly { state: string }[], state: string): number {
  return rows.filter((row) => row.state === state).length;
}

async function results(file: string): Promise<{ state: string; id: string }[]> {
  return parse(await readFile(file, 'utf8'), { columns: true, delimiter: ';' });
}

interface StoredPayment {
  readonly id: string;
  readonly compensationComponentId: string;
  readonly amount: number;
}

async function operator(path: string, init: RequestInit = {}): Promise<unknown> {
  const credentials = { client_id: 'operator', client_secret: 'operator-secret', scope: 'operator' };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  const token = await fetch(`${inject('demoUrl')}/api/oauth2/token`, { method: 'POST', body });
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const response = await fetch(`${inject('demoUrl')}/operator/v1/variable-payments${path}`, { ...init, headers });
  expect(response.status).toBe(200);
  return response.json();
}

async function submittedPayments(): Promise<StoredPayment[]> {
  const payments = (await operator('?state=submitted')) as StoredPayment[];
  return payments.filter(({ compensationComponentId }) => compensationComponentId === component);
}

async function decide(decision: 'approve' | 'reject', ...payments: readonly StoredPayment[]): Promise<void> {
  const init = { method: 'POST', body: JSON.stringify(decision === 'reject' ? { reason: 'Already paid.' } : {}) };
  await Promise.all(payments.map(({ id }) => operator(`/${id}/${decision}`, init)));
}

interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Number of payments that arrived. */
  readonly payments: number;
  restore(): void;
}

/** Forwards requests. After some payments, it loses the responses of those in flight, and then accepts no request. */
async function cuttingProxy(target: string, cutAfter: number): Promise<CuttingProxy> {
  let payments = 0;
  let isRestored = false;
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if (method === 'POST' && url.includes('variable-payments')) payments++;
    const isCut = (): boolean => !isRestored && payments >= cutAfter;
    // Some are lost before they arrive, and some after it.
    if (isCut() && payments > cutAfter) {
      outgoing.destroy();
      return;
    }
    const forwarded = request(target + url, { method, headers }, (response) => {
      if (isCut()) {
        response.resume();
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get payments() {
      return payments;
    },
    restore() {
      isRestored = true;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
