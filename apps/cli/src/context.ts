import { chmod, mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { clientCredentials, isAuthError, type AccessToken, type AuthErrorCode, type TokenProvider } from '@hr/auth';
import {
  bulk,
  createHrClient,
  type BulkOptions,
  type CallOptions,
  type HrClient,
  type HrClientEvent,
} from '@hr/client';
import type { Mirror, Outbox } from '@hr/client/mirror';
import { printable } from '@hr/text/printable';
import packageFile from '../package.json' with { type: 'json' };
import { CliError, exitCodes } from './cli-error.ts';
import { PRIVATE_FOLDER } from './home-folder.ts';
import { writeRecords, type OutputFlags } from './output/write-records.ts';
import type { RecordKind } from './output/record-kind.ts';
import { proofOf, readProfile, type Profile } from './profile.ts';
import { progressLine, type Progress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** The flags of every command. */
export interface Flags extends OutputFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly clientSecretFile?: string;
  /** A column with labels beside each column of keys. */
  readonly labels?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  /** False with `--no-input`. */
  readonly input: boolean;
  readonly yes?: true;
  /** Maximum age of the local copy for reading it, in seconds. */
  readonly maxAge: number;
  /** Maximum time without progress, in seconds. */
  readonly wait?: number;
}

const DEFAULT_WAIT_SECONDS = 300;
const TOKEN_RETRY_MS = 10_000;
const rounded = (_name: string, fact: unknown) => (typeof fact === 'number' ? Math.round(fact) : fact);

/** Failures that can pass. */
const passing: ReadonlySet<AuthErrorCode> = new Set(['network', 'timeout', 'server-error'] as const);

/** What a command works with. Each part is made when the command first asks for it. */
export class Context implements Disposable {
  readonly terminal: Terminal;
  readonly flags: Flags;
  /** Aborts at the first Ctrl-C. */
  readonly signal: AbortSignal;
  #profile: Promise<Profile> | undefined;
  #auth: TokenProvider | undefined;
  readonly #open = new DisposableStack();
  /** Rows and a line of progress on one terminal would be in each other's way. */
  #printsRows = false;
  #progress: Progress | undefined;

  constructor(terminal: Terminal, flags: Flags, signal: AbortSignal) {
    this.terminal = terminal;
    this.flags = flags;
    this.signal = signal;
  }

  profile(): Promise<Profile> {
    return (this.#profile ??= readProfile(this.terminal, this.flags));
  }

  /** @param timeout - Maximum milliseconds that a call waits for the network. Default as in `@hr/client`. */
  async client(timeout?: number): Promise<HrClient> {
    const { baseUrl, idempotency } = await this.profile();
    // A failure has the provider's own message, which is clearer than that of the first call.
    await this.token();
    return createHrClient({
      baseUrl,
      auth: await this.#tokens(),
      idempotency,
      appInfo: { name: 'hr', version: packageFile.version },
      ...(timeout !== undefined && { timeout }),
      ...(this.flags.verbose && { onEvent: (event: HrClientEvent) => this.info(eventLine(event)) }),
    });
  }

  /** The local copy of persons, time bookings and absences of the profile. */
  async mirror(): Promise<Mirror> {
    const { openMirror } = await import('@hr/client/mirror');
    const { mirrorFile: file, source } = await this.profileWithFolder();
    return this.#open.use(openMirror({ file, source }));
  }

  /** The submitted payments of the profile. */
  async outbox(): Promise<Outbox> {
    const { openOutbox } = await import('@hr/client/mirror');
    const { outboxFile: file, source, idempotency } = await this.profileWithFolder();
    return this.#open.use(openOutbox({ file, source, idempotency }));
  }

  /** Finds out whether the HR Cloud supports keys of payments, if no login did. Call it before a payment is sent. */
  async findIdempotency(): Promise<void> {
    const profile = await this.profile();
    if (profile.idempotency !== undefined) return;
    const { findIdempotency } = await import('./try-operation.ts');
    const { value } = await this.token();
    const idempotency = await findIdempotency(profile.baseUrl, value, this.signal);
    this.#profile = Promise.resolve({ ...profile, idempotency });
  }

  /** Maximum time without progress, in milliseconds. */
  get maxWait(): number {
    return (this.flags.wait ?? DEFAULT_WAIT_SECONDS) * 1000;
  }

  /** An access token of the profile. With `--wait`, it waits for a connection. At a limit of requests, it always does. */
  async token(): Promise<AccessToken> {
    const { signal } = this;
    const auth = await this.#tokens();
    const until = performance.now() + this.maxWait;
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- again after a pause
        return await auth.getToken({ signal });
      } catch (error) {
        if (!isAuthError(error)) throw error;
        const { code, retryAfterMs = TOKEN_RETRY_MS } = error;
        const isWaiting = code === 'rate-limited' || (this.flags.wait !== undefined && passing.has(code));
        if (!isWaiting || performance.now() + retryAfterMs > until) throw error;
        this.info(`No access token (${code}). Trying again in ${Math.ceil(retryAfterMs / 1000)} s.`);
        // oxlint-disable-next-line no-await-in-loop
        await delay(retryAfterMs, undefined, { signal });
      }
    }
  }

  async #tokens(): Promise<TokenProvider> {
    const profile = await this.profile();
    const { baseUrl, clientId } = profile;
    return (this.#auth ??= clientCredentials({ baseUrl, clientId, ...proofOf(profile) }));
  }

  /** The profile, whose folder exists then. Only the current user can read it. */
  async profileWithFolder(): Promise<Profile> {
    const profile = await this.profile();
    await mkdir(profile.folder, { recursive: true, mode: PRIVATE_FOLDER });
    await chmod(profile.folder, PRIVATE_FOLDER);
    return profile;
  }

  /** Prints or exports records, as the flags say. */
  async write<T>(
    kind: RecordKind<T>,
    items: AsyncIterable<T> | Iterable<T>,
    flags: OutputFlags = this.flags,
  ): Promise<void> {
    const { stdout, stderr, env } = this.terminal;
    this.#printsRows = stdout.isTTY === true && flags.out === undefined;
    const { storedLabels } = this.flags.labels ? await import('./labels.ts') : {};
    const labels = await storedLabels?.((await this.profile()).folder);
    const target = { stdout, stderr, env, signal: this.signal, labels };
    const { records, file } = await writeRecords(target, flags, kind, items);
    if (file !== undefined) this.info(`Wrote ${records.toLocaleString('en')} ${flags.rows ?? kind.name} to ${file}.`);
  }

  /** Prints a line for people to stderr, unless `--quiet`. */
  info(line: string): void {
    this.#progress?.[Symbol.dispose]();
    if (!this.flags.quiet) this.terminal.stderr.write(`${printable(line)}\n`);
  }

  /** Shows on stderr how far a command is. */
  progress(label: string): Progress {
    if (this.flags.quiet) return { update() {}, [Symbol.dispose]() {} };
    const { stderr } = this.terminal;
    this.#progress = progressLine(stderr, stderr.isTTY === true && !this.#printsRows, label);
    return this.#progress;
  }

  /** Makes a call for each input, as `bulk` does, as long as `--wait` allows it, and shows the progress. */
  async *bulk<Input, Result>(
    label: string,
    inputs: AsyncIterable<Input> | Iterable<Input>,
    run: (input: Input, call: CallOptions) => PromiseLike<Result>,
    options: BulkOptions = {},
  ): AsyncGenerator<Result, void, undefined> {
    using progress = this.progress(label);
    const { maxWait, signal } = this;
    const onProgress: BulkOptions['onProgress'] = (each) => progress.update(each);
    yield* bulk(inputs, run, { maxWait, signal, onProgress, ...options });
  }

  /** The elements of the list of each input. */
  async *bulkRows<Input, Element>(
    label: string,
    inputs: AsyncIterable<Input> | Iterable<Input>,
    load: (input: Input, call: CallOptions) => PromiseLike<readonly Element[]>,
  ): AsyncGenerator<Element, void, undefined> {
    for await (const elements of this.bulk(label, inputs, load)) yield* elements;
  }

  /** Whether the flags ask for records, where a command can also print a text for people. */
  get wantsRecords(): boolean {
    const { output, json, out } = this.flags;
    return [output, json, out].some((flag) => flag !== undefined);
  }

  /** Whether the person can answer questions. */
  get canAsk(): boolean {
    const { stdin, stderr } = this.terminal;
    return this.flags.input && stdin.isTTY === true && stderr.isTTY === true;
  }

  /**
   * Asks before a change. `--yes` answers it.
   *
   * @throws {CliError} Unless the person confirms. Without a terminal, or with `--no-input`, it is wrong usage.
   */
  async confirm(question: string): Promise<void> {
    if (this.flags.yes) return;
    if (!this.canAsk) {
      throw new CliError(`${question} Pass --yes to confirm it without a terminal.`, exitCodes.usage);
    }
    const { createInterface } = await import('node:readline/promises');
    const { stdin, stderr } = this.terminal;
    using questions = createInterface({ input: stdin, output: stderr });
    const answer = await questions.question(`${question} [y/N] `, { signal: this.signal });
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed or sent.');
  }

  [Symbol.dispose](): void {
    this.#open.dispose();
  }
}

/** A step of a call, as `--verbose` prints it. */
function eventLine({ operation, type, call: _call, ...facts }: HrClientEvent): string {
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined);
  return `${operation}: ${type}: ${known.map(([name, fact]) => `${name} ${JSON.stringify(fact, rounded)}`).join(', ')}`;
}
