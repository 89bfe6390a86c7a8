import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientCredentials } from '@hr/auth';
import { createHrClient, isHrError, type HrClient } from '@hr/client';
import { openMirror, type Mirror } from '@hr/client/mirror';
import { isWebhookError, verifyWebhook } from '@hr/client/webhooks';
import { company } from '@hr/testing/fixtures';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import type { Cluster, Credentials } from './cluster.ts';
import { BASE_URL, FOLDER } from './places.ts';
import { until } from './wait.ts';

export const PERSONS = 400;
const PATCHERS = 3;
const PAYERS = 3;
const PAUSE_MS = 50;
const IMPORT_PAUSE_MS = 10_000;
const PROBE_MS = 100;
const PROBE_TIMEOUT_MS = 2000;
const MAX_HOUSE_NUMBER = 1_000_000;
/** A share of webhooks that the receiver fails to take. */
const REFUSED = 0.1;
export const BILLING_PERIOD = '2026-01';
/** Longer than a failover. */
const CALLS = { timeout: 120_000, attemptTimeout: 15_000, retry: { limit: 50 } };
/** A failure that retries did not cover, or that no retry should meet. */
export interface Failure {
  readonly at: number;
  readonly what: string;
}

/** Programs as companies write them, and what the service has acknowledged to them. */
export class Load {
  readonly failures: Failure[] = [];
  /** When requests without any retry last succeeded. */
  readonly lastRead: number[] = [];
  readonly lastWrite: number[] = [];
  readonly counts = { lists: 0, reads: 0, patches: 0, payments: 0, imports: 0, syncs: 0, webhooks: 0 };
  readonly hr: HrClient;
  /** What the service has acknowledged. */
  readonly acknowledged = {
    /** The house number that each person was last given. */
    moved: new Map<string, string>(),
    /** Keys of payments. */
    paid: [] as string[],
    /** Ids of imported absences. */
    absent: [] as string[],
  };
  readonly mirrors: Mirror[] = [];
  /** The cursor of the last webhook. */
  heard: string | undefined;
  readonly #cluster: Cluster;
  readonly #credentials: Credentials;
  readonly #over = new AbortController();
  /** Ends what follows changes, which goes on until it has caught up. */
  readonly #closed = new AbortController();
  readonly #followers: Promise<void>[] = [];
  readonly #programs: Promise<void>[] = [];
  readonly #members = [...company({ persons: PERSONS, months: 3, timeDays: 3 })];
  #receiver: Server | undefined;

  private constructor(cluster: Cluster, credentials: Credentials) {
    this.#cluster = cluster;
    this.#credentials = credentials;
    this.hr = this.#client();
  }

  /** Imports a company, and starts all programs. */
  static async start(cluster: Cluster): Promise<Load> {
    const load = new Load(cluster, await cluster.createClient('load', 'api:use'));
    await cluster.import(load.#members.flatMap(demoRecords));
    await load.#receiveWebhooks();
    const [payee] = load.#members;
    const history = `/api/v1/payrollContract/${payee?.payrollContractIds[0]}/salaries/history`;
    const programs = [
      load.#list(),
      load.#read(),
      ...Array.from({ length: PATCHERS }, (_, turn) => load.#patch(turn)),
      ...Array.from({ length: PAYERS }, (_, payer) => load.#pay(payer)),
      load.#import(),
      load.#probe(load.lastRead, (token) => succeeds(history, token)),
      load.#probe(load.lastWrite, (token) => succeeds(`/api/v1/persons/${payee?.person.id}`, token, newAddress())),
    ];
    load.#programs.push(...programs);
    load.#followers.push(...['mirror-1.db', 'mirror-2.db'].map((file) => load.#follow(join(FOLDER, file))));
    await until('The programs', () => Promise.resolve(Object.values(load.counts).every((count) => count > 0)));
    return load;
  }

  /** Ends the programs that read and write. */
  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#programs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#closed.abort();
    await Promise.all(this.#followers);
    for (const mirror of this.mirrors) mirror.close();
    this.#receiver?.closeAllConnections();
    this.#receiver?.close();
  }

  #client(): HrClient {
    const auth = clientCredentials({ baseUrl: BASE_URL, ...this.#credentials });
    return createHrClient({ baseUrl: BASE_URL, auth, ...CALLS, idempotency: 'provider-supports' });
  }

  #contract(index: number): string {
    return this.#members[index % PERSONS]?.payrollContractIds[0] ?? '';
  }

  /** Makes a call again and again until it succeeds, as a company does that wants it done. */
  async #insist(what: string, call: () => PromiseLike<unknown>): Promise<void> {
    // oxlint-disable no-await-in-loop -- again and again
    for (;;) {
      try {
        await call();
        return;
      } catch (error) {
        const said = isHrError(error)
          ? `${error.code} ${error.status ?? ''} ${error.problem?.kind ?? ''}`
          : String(error);
        this.failures.push({ at: Date.now(), what: `${what}: ${said}` });
        await sleep(PAUSE_MS);
      }
    }
    // oxlint-enable no-await-in-loop
  }

  /** Does something for each number from 0 on, until the end. */
  async #repeat(act: (turn: number) => Promise<unknown>, pauseMs = PAUSE_MS): Promise<void> {
    for (let turn = 0; !this.#over.signal.aborted; turn++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await act(turn);
      // oxlint-disable-next-line no-await-in-loop -- a program that never pauses measures itself
      await sleep(pauseMs, undefined, { signal: this.#over.signal }).catch(() => {});
    }
  }

  #list(): Promise<void> {
    return this.#repeat(async () => {
      await this.#insist('A list', async () => {
        const { length } = await this.hr.persons.list();
        if (length !== PERSONS) throw new Error(`has ${length} persons`);
      });
      this.counts.lists++;
    }, PAUSE_MS * 10);
  }

  #read(): Promise<void> {
    return this.#repeat(async (turn) => {
      await this.#insist('A read', () => this.hr.payroll.salaryHistory(this.#contract(turn)));
      this.counts.reads++;
    });
  }

  /** Each person is changed by one program only, so the last value is known. */
  #patch(patcher: number): Promise<void> {
    return this.#repeat(async (turn) => {
      const { id } = this.#members[1 + patcher + PATCHERS * (turn % 100)]?.person ?? { id: '' };
      const address = { street: 'Lindenallee', houseNumber: String(turn + 1), zipCode: '10115', city: 'Berlin' };
      await this.#insist('A change', () => this.hr.persons.update(id, { addresses: [address] }));
      this.acknowledged.moved.set(id, address.houseNumber);
      this.counts.patches++;
    });
  }

  #pay(payer: number): Promise<void> {
    return this.#repeat(async (turn) => {
      const key = `chaos-${payer}-${turn}`;
      const payment = {
        billingPeriod: BILLING_PERIOD,
        compensationComponentId: 'BONUS',
        amount: 1,
        idempotencyKey: key,
      };
      await this.#insist('A payment', () => this.hr.payroll.submitVariablePayment(this.#contract(turn), payment));
      this.acknowledged.paid.push(key);
      this.counts.payments++;
    });
  }

  /** An import that fails is repeated as it is. */
  #import(): Promise<void> {
    return this.#repeat(async (turn) => {
      const absences = this.#members.slice(0, 20).map(({ person }, index) => {
        const [id, day] = [`chaos-${turn}-${index}`, '2026-01-05'];
        return { kind: 'absence', id, personId: person.id, startDate: day, endDate: day, amount: 1, key: '40' };
      });
      for (;;) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- again and again
          await this.#cluster.import(absences);
          break;
        } catch {
          // While there is no primary, a command fails: it has no retries, and says so.
          if (this.#over.signal.aborted) return;
        }
      }
      this.acknowledged.absent.push(...absences.map(({ id }) => id));
      this.counts.imports++;
    }, IMPORT_PAUSE_MS);
  }

  async #follow(file: string): Promise<void> {
    const mirror = openMirror({ file, source: 'chaos' });
    this.mirrors.push(mirror);
    const options = { collections: ['persons', 'absences'], signal: this.#closed.signal } as const;
    await this.#insist('A mirror', async () => {
      for await (const { skipped } of mirror.follow(this.#client(), options)) this.counts.syncs += skipped ? 0 : 1;
    });
  }

  async #receiveWebhooks(): Promise<void> {
    let secret = '';
    this.#receiver = createServer((request, response) => {
      void (async () => {
        let status = Math.random() < REFUSED ? 503 : 204;
        try {
          const { type, data } = await verifyWebhook(request, secret);
          if (status === 204 && type === 'changes') this.heard = data.cursor;
          this.counts.webhooks++;
        } catch (error) {
          status = 400;
          // Signed while the clock of the service was wrong, or broken off as it was killed: it comes again.
          const comesAgain = isWebhookError(error) && ['stale', 'unreadable-body'].includes(error.code);
          if (!comesAgain) this.failures.push({ at: Date.now(), what: `A webhook: ${String(error)}` });
        }
        response.writeHead(status).end();
      })();
    }).listen(0, '127.0.0.1');
    await once(this.#receiver, 'listening');
    const { port } = this.#receiver.address() as AddressInfo;
    const { secret: given } = await this.hr.webhooks.create({ url: `http://127.0.0.1:${port}/hook` });
    secret = given;
  }

  /** Asks often, without any retry, and notes when it succeeds. */
  async #probe(succeeded: number[], ask: (token: string) => Promise<boolean>): Promise<void> {
    const auth = clientCredentials({ baseUrl: BASE_URL, ...this.#credentials });
    await this.#repeat(async () => {
      try {
        const { value } = await auth.getToken();
        if (await ask(value)) succeeded.push(Date.now());
      } catch {
        // What is measured.
      }
    }, PROBE_MS);
  }
}

/** One request, without any retry. */
async function succeeds(path: string, token: string, init: RequestInit = {}): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(BASE_URL + path, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS), ...init });
  await response.arrayBuffer();
  return response.ok;
}

/** What changes an address, each time to another one. */
function newAddress(): RequestInit {
  return {
    method: 'PATCH',
    body: JSON.stringify({ addresses: [{ houseNumber: String(Date.now() % MAX_HOUSE_NUMBER) }] }),
  };
}
