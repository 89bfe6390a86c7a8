import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyDatabase } from './drivers.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const path = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-03';
const bonus = { compensationComponentId: 'BONUS', amount: 250 };
const unknown = /may be stored or not\. Send it again with the same Idempotency-Key, or look what is stored first\.$/;

interface Cut {
  /** The connection breaks at the first statement that has this in it. */
  readonly at: string;
  /** Whether the server gets the statement and only its answer is lost. */
  readonly arrives: boolean;
}

/** A way to PostgreSQL that breaks when it is told to. */
interface BreakableWay {
  readonly port: number;
  cut(cut: Cut): void;
  close(): void;
}

async function breakableWay(port: number): Promise<BreakableWay> {
  let next: Cut | undefined;
  const sockets: Socket[] = [];
  const server: Server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    const ends = [from, to];
    sockets.push(...ends);
    const end = (): void => ends.forEach((socket) => socket.destroy());
    for (const socket of ends) socket.on('error', end).on('close', end);
    let isLost = false;
    to.on('data', (bytes) => (isLost ? end() : from.write(bytes)));
    from.on('data', (bytes) => {
      const cut = next && bytes.includes(next.at) ? next : undefined;
      if (cut) next = undefined;
      if (cut && !cut.arrives) return end();
      isLost = cut !== undefined;
      return to.write(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: (cut) => (next = cut),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('a connection to PostgreSQL that breaks', () => {
  let way: BreakableWay;
  let service: TestService;
  let remove: () => Promise<void>;
  let before: number;

  const payments = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(
      'select count(*)::int as count from variable_payment',
    );
    return row?.count ?? 0;
  };

  beforeAll(async () => {
    const empty = await emptyDatabase('postgres');
    remove = empty.remove;
    const url = new URL(empty.url);
    way = await breakableWay(Number(url.port));
    url.port = String(way.port);
    service = await startService('postgres', { HR_DATABASE: url.href });
    await load(service.database, [
      { kind: 'person', id: 'p-1' },
      { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
      { kind: 'employment', payrollContractId: 'c-1' },
    ]);
    await service.token();
  });
  beforeEach(async () => {
    before = await payments();
  });
  afterAll(async () => {
    await service.stop();
    way.close();
    await remove();
  });

  test.each([
    ['after the commit', { at: 'commit', arrives: true }, unknown, 1],
    ['before the commit', { at: 'commit', arrives: false }, unknown, 0],
    ['in the middle of the change', { at: 'insert into variable_payment', arrives: true }, /in a moment\.$/, 0],
  ])('%s is told, with what is known of the change', async (_, cut, detail, stored) => {
    way.cut(cut);
    const answer = await service.send('POST', path, { body: bonus });
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringMatching(detail) as string } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await payments()).toBe(before + stored);
  });

  test.each([true, false])('is no matter to a client with a key; that the commit arrives is %s', async (arrives) => {
    const { baseUrl } = service;
    const hr = createHrClient({
      baseUrl,
      auth: clientCredentials({ baseUrl, ...(await service.client()) }),
      idempotency: 'provider-supports',
      retry: { maxDelay: 10 },
      // The service asks for a wait of 5 seconds, which is not what this test is about.
      fetch: async (url, init) => {
        const { body, status, headers } = await fetch(url, init);
        const { 'retry-after': _wait, ...others } = Object.fromEntries(headers);
        return new Response(body, { status, headers: others });
      },
    });
    const payment = { ...bonus, billingPeriod: '2026-03', idempotencyKey: `arrives-${arrives}` };
    // What comes before is not to break.
    await hr.persons.list();
    way.cut({ at: 'commit', arrives });
    expect(await hr.payroll.submitVariablePayment('c-1', payment)).toMatchObject(bonus);
    expect(await payments()).toBe(before + 1);
  });
});
