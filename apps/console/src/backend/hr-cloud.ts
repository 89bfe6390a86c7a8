import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { createHrClient, type HrClient } from '@hr/client';
import {
  openMirror,
  openOutbox,
  type Collection,
  type Mirror,
  type Outbox,
  type SyncOptions,
  type SyncResult,
} from '@hr/client/mirror';
import packageFile from '../../package.json' with { type: 'json' };
import { CallLog } from './call-log.ts';
import type { Config } from './config.ts';
import { fetchActing } from './acting.ts';
import { PersonChanges } from './person-changes.ts';
import { OperatorClient } from './operator-client.ts';

const SECOND_MS = 1000;

/** What the console knows of the service. Tokens, secrets and the local copy never leave it. */
export class HrCloud implements AsyncDisposable {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly hr: HrClient;
  readonly operator: OperatorClient;
  /** The local copy of persons, bookings and absences. */
  readonly mirror: Mirror;
  /** The payments that were submitted in the console. */
  readonly outbox: Outbox;
  /** What changed of persons. */
  readonly changes: PersonChanges;
  readonly calls = new CallLog();
  /** Those of the salaries that were read. */
  readonly components = new Set<string>();
  readonly #stop = new AbortController();
  readonly #hold: Disposable;
  #lastSync: Promise<unknown> = Promise.resolve();
  #absences: Promise<unknown> = Promise.resolve();
  /** How far the clock of the service is ahead of that of the console, rounded down. */
  #aheadMs = 0;

  constructor({ baseUrl, client, operator, folder }: Config) {
    const source = `${client.clientId} at ${baseUrl}`;
    this.baseUrl = baseUrl;
    this.clientId = client.clientId;
    this.hr = createHrClient({
      baseUrl,
      auth: clientCredentials({ baseUrl, ...client }),
      // Browsers repeat a POST by themselves when a kept connection breaks: the key makes that harmless, as the outbox does.
      idempotency: 'provider-supports',
      appInfo: { name: 'hr-console', version: packageFile.version },
      fetch: fetchActing,
      onEvent: (event) => {
        this.calls.onEvent(event);
        if (event.type === 'response' && event.date !== undefined) this.#aheadMs = event.date - Date.now();
      },
    });
    this.operator = new OperatorClient(baseUrl, operator, this.calls);
    this.mirror = openMirror({ file: join(folder, 'mirror.db'), source });
    this.changes = new PersonChanges(join(folder, 'history.db'));
    this.outbox = openOutbox({ file: join(folder, 'outbox.db'), source, idempotency: 'provider-supports' });
    // Two of them on one folder would not see what the other one is about to send.
    this.#hold = this.outbox.hold();
  }

  /** The time by the clock of the service, in milliseconds. */
  serviceNow(): number {
    return Date.now() + this.#aheadMs;
  }

  /**
   * Brings a collection of the local copy up to date. One sync begins after the other, as only one can write. None waits for
   * absences, which take a request for each person and are written at the end.
   */
  async sync(collection: Collection, options: Omit<SyncOptions, 'signal'> = {}): Promise<SyncResult> {
    const before = Promise.allSettled([this.#lastSync, ...(collection === 'absences' ? [this.#absences] : [])]);
    const run = (async () => {
      await before;
      // The file is closed, and its folder may be gone.
      this.#stop.signal.throwIfAborted();
      const { signal } = this.#stop;
      const result = await this.mirror.sync(this.hr, collection, { ...options, signal });
      // The header `Date` has no milliseconds.
      const until = this.serviceNow() + SECOND_MS;
      // What it cannot keep now, it does after the next sync.
      if (collection === 'persons') await this.changes.keep(this.mirror, until, signal).catch(() => undefined);
      return result;
    })();
    if (collection === 'absences') this.#absences = run;
    else this.#lastSync = run;
    return await run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#lastSync, this.#absences]);
    this.mirror.close();
    this.changes[Symbol.dispose]();
    this.#hold[Symbol.dispose]();
    this.outbox.close();
  }
}
