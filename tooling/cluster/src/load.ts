import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientCredentials } from '@hr/auth';
import { createHrClient, isHrError, type HrClient, type Person } from '@hr/client';
import { openMirror, type Mirror } from '@hr/client/mirror';
import { verifyWebhook } from '@hr/client/webhooks';
import { company } from '@hr/testing/fixtures';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import { BASE_URL, type Cluster, type Credentials } from './cluster.ts';
import { until } from './wait.ts';

const PERSONS = 400;
const PATCHERS = 3;
const PAYERS = 3;
const PAUSE_MS = 50;
const IMPORT_PAUSE_MS = 10_000;
const PROBE_MS = 100;
const PROBE_TIMEOUT_MS = 2000;
/** A share of webhooks that the receiver fails to take. */
const REFUSED = 0.1;
const BILLING_PERIOD = '2026-01';
/** Longer than a failover. */
const CALLS = { timeout: 120_000, attemptTimeout: 15_000, retry: { limit: 50, maxDelay: 3000 } };
/** How long what follows changes may take to catch up at the end: also a webhook's second and third attempt. */
const CATCH_UP_SECONDS = 300;

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
  readonly #cluster: Cluster;
  readonly #credentials: Credentials;
  readonly #hr: HrClient;
  readonly #over = new AbortController();
  /** Ends what follows changes, which goes on until it has caught up. */
  readonly #closed = new AbortController();
  readonly #followers: Promise<void>[] = [];
  readonly #programs: Promise<void>[] = [];
  readonly #mirrors: Mirror[] = [];
  readonly #members = [...company({ persons: PERSONS, months: 3, timeDays: 3 })];
  /** The house number that each person was last given. */
  readonly #moved = new Map<string, string>();
  readonly #paid: string[] = [];
  readonly #absent: string[] = [];
  #receiver: Server | undefined;
  #heard: string | undefined;
  #endpoint = '';

  private constructor(cluster: Cluster, credentials: Credentials) {
    this.#cluster = cluster;
    this.#credentials = credentials;
    this.#hr = this.#client();
  }

  /** Imports a company, and starts all programs. */
  static async start(cluster: Cluster): Promise<Load> {
    const load = new Load(cluster, await cluster.createClient('load', 'api:use'));
    const records = load.#members.flatMap(demoRecords);
    await cluster.service(['import', '-'], 'hr_service', records.map((record) => JSON.stringify(record)).join('\n'));
    await load.#receiveWebhooks();
    const programs = [
      load.#list(),
      load.#read(),
      ...Array.from({ length: PATCHERS }, (_, turn) => load.#patch(turn)),
      ...Array.from({ length: PAYERS }, (_, payer) => load.#pay(payer)),
      load.#import(),
      load.#probe(load.lastRead, (token) =>
        probe('GET', `/api/v1/payrollContract/${load.#contract(0)}/salaries/history`, token),
      ),
      load.#probe(load.lastWrite, (token) => probe('PATCH', `/api/v1/persons/${load.#members[0]?.person.id}`, token)),
    ];
    load.#programs.push(...programs);
    load.#followers.push(...['mirror-1.db', 'mirror-2.db'].map((file) => load.#follow(join(cluster.folder, file))));
    await until('The programs', () => Promise.resolve(Object.values(load.counts).every((count) => count > 0)));
    return load;
  }

  /** Ends the programs that read and write. */
  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#programs);
  }

  /** What does not hold of all that the service has acknowledged. */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    const hr = this.#hr;
    const persons = new Map((await hr.persons.list()).map((person) => [person.id, person]));
    if (persons.size !== PERSONS) faults.push(`${persons.size} of ${PERSONS} persons are listed.`);
    for (const [id, houseNumber] of this.#moved) {
      const stored = persons.get(id)?.address?.houseNumber;
      if (stored !== houseNumber)
        faults.push(`A change of an address is lost: ${houseNumber} was acknowledged, ${stored} is there.`);
    }
    faults.push(...differences('payment', this.#paid, await this.#storedPayments()));
    const absences = (await hr.time.allAbsences()).map(({ id }) => id).filter((id) => id?.startsWith('chaos-'));
    faults.push(...differences('imported absence', this.#absent, absences));
    for (const mirror of this.#mirrors) faults.push(...(await this.#mirrorFaults(mirror, persons)));
    faults.push(...(await this.#webhookFaults()));
    return faults;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#closed.abort();
    await Promise.all(this.#followers);
    for (const mirror of this.#mirrors) mirror.close();
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
  async #insist(what: string, call: () => PromiseLike<unknown>): Promise<boolean> {
    // oxlint-disable no-await-in-loop -- again and again
    for (;;) {
      try {
        await call();
        return true;
      } catch (error) {
        if (this.#over.signal.aborted && isHrError(error) && error.code === 'aborted') return false;
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
        const { length } = await this.#hr.persons.list();
        if (length !== PERSONS) throw new Error(`has ${length} persons`);
      });
      this.counts.lists++;
    }, PAUSE_MS * 10);
  }

  #read(): Promise<void> {
    return this.#repeat(async (turn) => {
      await this.#insist('A read', () => this.#hr.payroll.salaryHistory(this.#contract(turn)));
      this.counts.reads++;
    });
  }

  /** Each person is changed by one program only, so the last value is known. */
  #patch(patcher: number): Promise<void> {
    return this.#repeat(async (turn) => {
      const { id } = this.#members[1 + patcher + PATCHERS * (turn % 100)]?.person ?? { id: '' };
      const address = { street: 'Lindenallee', houseNumber: String(turn + 1), zipCode: '10115', city: 'Berlin' };
      await this.#insist('A change', () => this.#hr.persons.update(id, { addresses: [address] }));
      this.#moved.set(id, address.houseNumber);
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
      await this.#insist('A payment', () => this.#hr.payroll.submitVariablePayment(this.#contract(turn), payment));
      this.#paid.push(key);
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
      const feed = absences.map((absence) => JSON.stringify(absence)).join('\n');
      for (;;) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- again and again
          await this.#cluster.service(['import', '-'], 'hr_service', feed);
          break;
        } catch {
          // While there is no primary, a command fails: it has no retries, and says so.
          if (this.#over.signal.aborted) return;
        }
      }
      this.#absent.push(...absences.map(({ id }) => id));
      this.counts.imports++;
    }, IMPORT_PAUSE_MS);
  }

  async #follow(file: string): Promise<void> {
    const mirror = openMirror({ file, source: 'chaos' });
    this.#mirrors.push(mirror);
    const options = { collections: ['persons', 'absences'], signal: this.#closed.signal } as const;
    await this.#insist('A mirror', async () => {
      for await (const { skipped } of mirror.follow(this.#client(), options)) this.counts.syncs += skipped ? 0 : 1;
    });
  }

  async #receiveWebhooks(): Promise<void> {
    let secret = '';
    this.#receiver = createServer((request, response) => {
      void (async () => {
        const fails = Math.random() < REFUSED;
        try {
          const { type, data } = await verifyWebhook(request, secret);
          if (!fails && type === 'changes') this.#heard = data.cursor;
          this.counts.webhooks++;
        } catch (error) {
          this.failures.push({ at: Date.now(), what: `A webhook: ${String(error)}` });
        }
        response.writeHead(fails ? 503 : 204).end();
      })();
    }).listen(0, '127.0.0.1');
    await once(this.#receiver, 'listening');
    const { port } = this.#receiver.address() as AddressInfo;
    const endpoint = await this.#hr.webhooks.create({ url: `http://127.0.0.1:${port}/hook` });
    ({ secret } = endpoint);
    this.#endpoint = endpoint.id;
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

  async #storedPayments(): Promise<string[]> {
    const printed = await this.#cluster.service(['payments', 'list', '--billing-period', BILLING_PERIOD, '--json']);
    const payments = JSON.parse(printed) as { idempotencyKey?: string }[];
    return payments.flatMap(({ idempotencyKey }) => (idempotencyKey?.startsWith('chaos-') ? [idempotencyKey] : []));
  }

  async #mirrorFaults(mirror: Mirror, persons: ReadonlyMap<string, Person>): Promise<string[]> {
    const different = (): string[] =>
      [...persons].flatMap(([id, person]) => (isDeepStrictEqual(mirror.person(id)?.person, person) ? [] : [id]));
    try {
      await until('A mirror', () => Promise.resolve(different().length === 0), CATCH_UP_SECONDS);
    } catch {
      return [`A mirror has other persons than the service: ${different().join(', ')}`];
    }
    const count = mirror.countPersons();
    return count === persons.size ? [] : [`A mirror has ${count} persons instead of ${persons.size}.`];
  }

  /** The last notice covers every change, and none is due. */
  async #webhookFaults(): Promise<string[]> {
    try {
      await until(
        'The last webhook',
        async () => (await this.#hr.changes.get({ after: this.#heard })).changed.length === 0,
        CATCH_UP_SECONDS,
      );
      return [];
    } catch (error) {
      const [last] = await this.#hr.webhooks.deliveries(this.#endpoint);
      return [`${String(error)} The last attempt: ${JSON.stringify(last)}`];
    }
  }
}

/** One request, without any retry. */
async function probe(method: 'GET' | 'PATCH', path: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const body =
    method === 'PATCH' ? JSON.stringify({ addresses: [{ houseNumber: String(Date.now() % 1_000_000) }] }) : null;
  const response = await fetch(BASE_URL + path, { method, headers, body, signal });
  await response.arrayBuffer();
  return response.ok;
}

/** Names what is missing, or there more than once. */
function differences(what: string, acknowledged: readonly string[], stored: readonly (string | undefined)[]): string[] {
  const times = Map.groupBy(stored, (key) => key);
  return acknowledged.flatMap((key) => {
    const count = times.get(key)?.length ?? 0;
    return count === 1 ? [] : [`An acknowledged ${what} is there ${count} times: ${key}.`];
  });
}
