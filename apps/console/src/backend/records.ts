import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config.ts';

/**
 * What people may do. Everybody who is signed in may read.
 *
 * - `editor`: changes addresses and bank details, submits payments
 * - `approver`: decides on the payments of others
 * - `operator`: changes what clients may use and see, and their webhook endpoints
 */
export const roles = ['viewer', 'editor', 'approver', 'operator'] as const;
export type Role = (typeof roles)[number];

/** A person who is signed in. */
export interface User {
  readonly name: string;
  readonly roles: readonly Role[];
}

/** What people did in the console. It never contains a value of a person. */
export interface ConsoleEvent {
  readonly id: number;
  /** An ISO 8601 instant. */
  readonly at: string;
  readonly user: string;
  readonly action: ConsoleAction;
  /** The id of the person, the payment, the client or the webhook endpoint. */
  readonly subject: string | undefined;
}

export type ConsoleAction =
  | 'sign-in'
  | 'sign-out'
  | 'reveal-bank-details'
  | 'update-address'
  | 'update-bank-details'
  | 'submit-payment'
  | 'resend-payment'
  | 'approve-payment'
  | 'reject-payment'
  | 'grant-client'
  | 'change-webhook'
  | 'sync'
  | 'export';

/** How long a link to sign in is valid. */
export const LINK_MINUTES = 15;
const IDLE_MINUTES = 30;
const SESSION_HOURS = 12;
const MINUTE_MS = 60_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const SCHEMA = `
create table if not exists link (hash text primary key, name text not null, roles text not null, expires integer not null) strict;
create table if not exists session (hash text primary key, name text not null, roles text not null, created integer not null, seen integer not null) strict;
create table if not exists event (id integer primary key, at text not null, user text not null, action text not null, subject text) strict;
create index if not exists event_subject on event (subject);
create table if not exists submission (entry text primary key, user text not null) strict;
create table if not exists batch (id text primary key, user text not null, rows text not null) strict;
`;

/** The console's own database: links, sessions, what people did, and who submitted which payment. Tokens are stored as hashes. */
export class Records implements Disposable {
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  /** @throws {ConfigError} If the file cannot be used. */
  constructor(file: string, now: () => number = Date.now) {
    this.#now = now;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
      this.#database = new DatabaseSync(file);
      chmodSync(file, PRIVATE_FILE);
      this.#database.exec(`pragma busy_timeout = 5000; pragma journal_mode = wal; ${SCHEMA}`);
    } catch (error) {
      throw new ConfigError(
        `${file} cannot be used: ${(error as Error).message}. Set HR_CONSOLE_DATA to a folder that you may write to, or restore the file from a backup.`,
      );
    }
  }

  /**
   * Makes a link that signs a person in once. Its code is behind `#`, so that it reaches no log of a server or proxy.
   *
   * @param origin - Of the pages.
   */
  signInLink(origin: string, user: User): string {
    return `${origin}/sign-in#${this.createLink(user)}`;
  }

  /** Makes a code that signs a person in once. */
  createLink({ name, roles: granted }: User): string {
    const code = randomToken();
    const expires = this.#now() + LINK_MINUTES * MINUTE_MS;
    this.#run('delete from link where expires < ?', this.#now());
    this.#run('delete from session where created < ?', this.#now() - SESSION_HOURS * 60 * MINUTE_MS);
    this.#run('insert into link values (?, ?, ?, ?)', hash(code), name, granted.join(' '), expires);
    return code;
  }

  /** Uses up a code, and starts a session. Returns its token, or undefined if the code is not valid. */
  signIn(code: string): { readonly token: string; readonly user: User } | undefined {
    const link = this.#get(
      'delete from link where hash = ? and expires >= ? returning name, roles',
      hash(code),
      this.#now(),
    );
    if (link === undefined) return undefined;
    const token = randomToken();
    const user = userOf(link);
    this.#run(
      'insert into session values (?, ?, ?, ?, ?)',
      hash(token),
      user.name,
      user.roles.join(' '),
      this.#now(),
      this.#now(),
    );
    this.record(user, 'sign-in');
    return { token, user };
  }

  /**
   * Returns the person of a session that has not ended.
   *
   * @param isActive - Whether the person did something, so that the session goes on.
   */
  session(token: string, isActive: boolean): User | undefined {
    const now = this.#now();
    const row = this.#get(
      'select name, roles from session where hash = ? and seen >= ? and created >= ?',
      hash(token),
      now - IDLE_MINUTES * MINUTE_MS,
      now - SESSION_HOURS * 60 * MINUTE_MS,
    );
    if (row && isActive) this.#run('update session set seen = ? where hash = ?', now, hash(token));
    return row && userOf(row);
  }

  signOut(token: string): void {
    const row = this.#get('delete from session where hash = ? returning name, roles', hash(token));
    if (row) this.record(userOf(row), 'sign-out');
  }

  /** Ends the sessions of a person and the links that they did not use. Returns the number of both. */
  signOutEverywhere(name: string): number {
    const sessions = this.#database.prepare('delete from session where name = ?').run(name).changes;
    const links = this.#database.prepare('delete from link where name = ?').run(name).changes;
    if (sessions > 0) this.record({ name, roles: [] }, 'sign-out');
    return Number(sessions) + Number(links);
  }

  /** Records what a person did. */
  record({ name }: User, action: ConsoleAction, subject?: string): void {
    const at = new Date(this.#now()).toISOString();
    this.#run('insert into event (at, user, action, subject) values (?, ?, ?, ?)', at, name, action, subject ?? null);
  }

  /** Returns what people did, the newest first. */
  events({ subject, limit = 200 }: { readonly subject?: string; readonly limit?: number } = {}): ConsoleEvent[] {
    const rows = this.#database
      .prepare('select * from event where ?1 is null or subject = ?1 order by id desc limit ?2')
      .all(subject ?? null, limit) as unknown as (Omit<ConsoleEvent, 'subject'> & { subject: string | null })[];
    return rows.map((row) => ({ ...row, subject: row.subject ?? undefined }));
  }

  /** Returns who did one of some actions, by the subject, in the order in which they did it. */
  actors(...actions: readonly ConsoleAction[]): Map<string, string[]> {
    const places = actions.map(() => '?').join(', ');
    const rows = this.#database
      .prepare(`select subject, user from event where subject is not null and action in (${places}) order by id`)
      .all(...actions) as unknown as { subject: string; user: string }[];
    const actors = new Map<string, string[]>();
    for (const { subject, user } of rows) actors.set(subject, [...(actors.get(subject) ?? []), user]);
    return actors;
  }

  /** Remembers who submitted the payment of an entry of the outbox. */
  recordSubmission(entry: string, { name }: User): void {
    this.#run('insert or ignore into submission values (?, ?)', entry, name);
  }

  /** Remembers a batch of payments and who submitted it. Returns false if the batch is known already. */
  recordBatch(id: string, { name }: User, rows: readonly object[]): boolean {
    return this.#run('insert or ignore into batch values (?, ?, ?)', id, name, JSON.stringify(rows));
  }

  /** Forgets the payments of a batch: those that were sent are in the outbox. */
  clearBatch(id: string): void {
    this.#run("update batch set rows = '[]' where id = ?", id);
  }

  /** Returns the ids of a person's batches that still have payments. */
  batches({ name }: User): string[] {
    const rows = this.#database
      .prepare("select id from batch where user = ? and rows <> '[]' order by rowid")
      .all(name);
    return rows.map(({ id }) => id as string);
  }

  /** Returns the payments of a batch. */
  batchRows(id: string): unknown[] {
    return JSON.parse(this.#get('select rows from batch where id = ?', id)?.['rows'] ?? '[]') as unknown[];
  }

  /** Returns who submitted the payment of an entry of the outbox, or the payments of a batch. */
  submitter(id: string): string | undefined {
    const sql = 'select user from submission where entry = ?1 union all select user from batch where id = ?1';
    return this.#get(sql, id)?.['user'];
  }

  /** Returns whether a row was changed. */
  #run(sql: string, ...values: (string | number | null)[]): boolean {
    return this.#database.prepare(sql).run(...values).changes > 0;
  }

  #get(sql: string, ...values: (string | number | null)[]): Readonly<Record<string, string>> | undefined {
    return this.#database.prepare(sql).get(...values) as Readonly<Record<string, string>> | undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function userOf({ name = '', roles: granted = '' }: Readonly<Record<string, string>>): User {
  return { name, roles: granted.split(' ') as Role[] };
}

/** 256 random bits. */
function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough, because the tokens are random. */
export function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
