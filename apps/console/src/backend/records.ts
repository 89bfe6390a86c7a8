import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLTagStore } from 'node:sqlite';
import type { Label } from '@hr/text/labels';
import type { Totals } from '../model/totals.ts';
import { ConfigError } from './config.ts';
import { Drafts } from './drafts.ts';
import { tryToStore } from './problem.ts';

/**
 * What people may do. Everybody who is signed in may read.
 *
 * - `editor`: changes addresses and bank details, submits payments
 * - `approver`: decides on the payments of others
 * - `operator`: changes what clients may use and see, and their webhook endpoints
 * - `administrator`: names keys, which gives no access to data
 */
export const roles = ['viewer', 'editor', 'approver', 'operator', 'administrator'] as const;
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
  /** The id of the person, the payment, the batch, the client or the webhook endpoint. */
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
  | 'change-labels'
  | 'sync'
  | 'export';

/** Payments that a person submitted together. */
export interface Batch {
  readonly id: string;
  readonly name: string;
  /** An ISO 8601 instant. */
  readonly at: string;
  readonly totals: Totals;
}

/** Decisions on payments that a person made together. */
export interface Run {
  readonly id: string;
  readonly user: string;
  readonly decision: 'approve' | 'reject';
}

/** A decision of a run. */
export interface RunDecision {
  readonly payment: string;
  readonly contract: string | null;
  readonly state: string;
  /** JSON. */
  readonly result: string | null;
}

/** How long a link to sign in is valid. */
export const LINK_MINUTES = 15;
const IDLE_MINUTES = 30;
const SESSION_HOURS = 12;
const MINUTE_MS = 60_000;
/** Results of so many runs are kept. */
const MAX_RUNS = 50;
/** So long it is known who caused a request, and what changed of a person. */
export const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const SCHEMA = `
create table if not exists link (hash text primary key, name text not null, roles text not null, expires integer not null) strict;
create table if not exists session (hash text primary key, name text not null, roles text not null, created integer not null, seen integer not null) strict;
create table if not exists event (id integer primary key, at text not null, user text not null, action text not null, subject text) strict;
create index if not exists event_subject on event (subject);
create table if not exists batch (id text primary key, name text not null, at text not null, totals text not null, rows text not null) strict;
create table if not exists submitter (batch text not null, user text not null, unique (batch, user)) strict;
create table if not exists run (id text primary key, user text not null, decision text not null) strict;
create table if not exists decision (run text not null, payment text not null, contract text, state text not null, result text, primary key (run, payment)) strict, without rowid;
create table if not exists request (id text primary key, user text not null, at integer not null) strict;
create index if not exists request_at on request (at);
create table if not exists secret (value text not null) strict;
create table if not exists dictionary (id integer primary key, labels text not null) strict;
`;

/**
 * The console's own database: links, sessions, what people did, who submitted which payment, drafts, and the dictionary.
 * Tokens are stored as hashes.
 */
export class Records implements Disposable {
  readonly drafts: Drafts;
  /** A key for what browsers send back. It outlives the process, as drafts do. */
  readonly key: string;
  readonly #database: DatabaseSync;
  readonly #sql: SQLTagStore;
  readonly #now: () => number;

  /** @throws {ConfigError} If the file cannot be used. */
  constructor(file: string, now: () => number = Date.now) {
    this.#now = now;
    const key = `insert into secret select '${randomToken()}' where not exists (select 1 from secret)`;
    this.#database = openDatabase(file, `pragma journal_mode = wal; pragma secure_delete = on; ${SCHEMA} ${key}`);
    this.#sql = this.#database.createTagStore();
    this.drafts = new Drafts(this.#database, now);
    this.key = String(this.#sql.get`select value from secret`?.['value']);
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
    const now = this.#now();
    this.#sql.run`delete from link where expires < ${now}`;
    this.#sql.run`delete from session where created < ${now - SESSION_HOURS * 60 * MINUTE_MS}`;
    this.#sql
      .run`insert into link values (${hash(code)}, ${name}, ${granted.join(' ')}, ${now + LINK_MINUTES * MINUTE_MS})`;
    return code;
  }

  /** Uses up a code, and starts a session. Returns its token, or undefined if the code is not valid. */
  signIn(code: string): { readonly token: string; readonly user: User } | undefined {
    const now = this.#now();
    const link = this.#sql.get`delete from link where hash = ${hash(code)} and expires >= ${now} returning name, roles`;
    if (link === undefined) return undefined;
    const token = randomToken();
    const user = userOf(link);
    this.#sql.run`insert into session values (${hash(token)}, ${user.name}, ${user.roles.join(' ')}, ${now}, ${now})`;
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
    const row = this.#sql.get`select name, roles from session where hash = ${hash(token)}
      and seen >= ${now - IDLE_MINUTES * MINUTE_MS} and created >= ${now - SESSION_HOURS * 60 * MINUTE_MS}`;
    // A session goes on while the disk is full.
    if (row && isActive) tryToStore(() => this.#sql.run`update session set seen = ${now} where hash = ${hash(token)}`);
    return row && userOf(row);
  }

  signOut(token: string): void {
    const row = this.#sql.get`delete from session where hash = ${hash(token)} returning name, roles`;
    if (row) this.record(userOf(row), 'sign-out');
  }

  /** Ends the sessions of a person and the links that they did not use. Returns the number of both. */
  signOutEverywhere(name: string): number {
    const sessions = Number(this.#sql.run`delete from session where name = ${name}`.changes);
    const links = Number(this.#sql.run`delete from link where name = ${name}`.changes);
    if (sessions > 0) this.record({ name, roles: [] }, 'sign-out');
    return sessions + links;
  }

  /** Records what a person did. */
  record({ name }: User, action: ConsoleAction, subject?: string): void {
    const at = new Date(this.#now()).toISOString();
    this.#sql.run`insert into event (at, user, action, subject) values (${at}, ${name}, ${action}, ${subject ?? null})`;
  }

  /** Returns what people did, the newest first. */
  events({
    subject = '',
    limit = 200,
  }: { readonly subject?: string | undefined; readonly limit?: number } = {}): ConsoleEvent[] {
    const rows = this.#sql.all`select * from event where ${subject} in ('', subject) order by id desc limit ${limit}`;
    return rows.map((row) => ({ ...row, subject: row['subject'] ?? undefined })) as unknown as ConsoleEvent[];
  }

  /** The dictionary: names and colours that administrators keep for keys. */
  labels(): Label[] {
    return parsed(this.#sql.get`select labels from dictionary`?.['labels']);
  }

  replaceLabels(labels: readonly Label[]): void {
    this.#sql.run`insert or replace into dictionary values (1, ${JSON.stringify(labels)})`;
  }

  /** Records, before they are sent, who causes requests to the service. Returns their id. */
  recordRequest({ name }: User): string {
    const id = randomUUID();
    this.#sql.run`delete from request where at < ${this.#now() - HISTORY_DAYS * DAY_MS}`;
    this.#sql.run`insert into request values (${id}, ${name}, ${this.#now()})`;
    return id;
  }

  /** Returns who caused requests to the service, by their ids. */
  requesters(ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#sql
      .all`select id, user from request where id in (select value from json_each(${JSON.stringify(ids)}))`;
    return new Map(rows.map(({ id, user }) => [String(id), String(user)]));
  }

  /** Returns who did one of some actions to a subject, in the order in which they did it. */
  actors(subject: string, ...actions: readonly ConsoleAction[]): string[] {
    return this.#sql.all`select user from event where subject = ${subject}
      and action in (select value from json_each(${JSON.stringify(actions)})) order by id`.map(nameOf);
  }

  /** Remembers a batch of payments and who submitted it, before the first one is sent. */
  recordBatch({ id, name, totals }: Omit<Batch, 'at'>, user: User, rows: readonly object[]): void {
    const at = new Date(this.#now()).toISOString();
    this.transaction(() => {
      this.record(user, 'submit-payment', id);
      this.addSubmitter(id, user);
      this.#sql
        .run`insert into batch values (${id}, ${name}, ${at}, ${JSON.stringify(totals)}, ${JSON.stringify(rows)})`;
    });
  }

  /** Remembers that a person submitted or sent again payments of a batch. */
  addSubmitter(batch: string, { name }: User): void {
    this.#sql.run`insert or ignore into submitter values (${batch}, ${name})`;
  }

  /** Returns who submitted payments of a batch; the first one made it. */
  submitters(batch: string): string[] {
    return this.#sql.all`select user from submitter where batch = ${batch} order by rowid`.map(nameOf);
  }

  batch(id: string): Batch | undefined {
    return this.#sql.all`select id, name, at, totals from batch where id = ${id}`.map(batchOf)[0];
  }

  /**
   * Returns batches, the newest first.
   *
   * @param before - Id of a batch: only older ones.
   */
  batches(limit: number, before = ''): Batch[] {
    return this.#sql.all`select id, name, at, totals from batch
      where ${before} = '' or rowid < (select rowid from batch where id = ${before})
      order by rowid desc limit ${limit}`.map(batchOf);
  }

  /** Returns the batches of a person that still have payments. */
  keptBatches({ name }: User): Batch[] {
    return this.#sql.all`select id, name, at, totals from batch where rows <> '[]'
      and (select user from submitter where batch = id order by rowid limit 1) = ${name} order by rowid`.map(batchOf);
  }

  /** Forgets the payments of a batch: those that were sent are in the outbox. */
  clearBatch(id: string): void {
    this.#sql.run`update batch set rows = '[]' where id = ${id}`;
  }

  /** Returns the payments of a batch. */
  batchRows(id: string): unknown[] {
    return parsed(this.#sql.get`select rows from batch where id = ${id}`?.['rows']);
  }

  /** Remembers decisions that a person begins to make together. The latest runs are kept. */
  recordRun({ id, user, decision }: Run, payments: readonly Pick<RunDecision, 'payment' | 'contract'>[]): void {
    this.transaction(() => {
      this.#sql.run`insert into run (id, user, decision) values (${id}, ${user}, ${decision})`;
      this.#sql.run`insert into decision select ${id}, value ->> 'payment', value ->> 'contract', 'waiting', null
        from json_each(${JSON.stringify(payments)})`;
      this.#sql.run`delete from run where rowid <= (select max(rowid) from run) - ${MAX_RUNS}`;
      this.#sql.run`delete from decision where run not in (select id from run)`;
    });
  }

  run(id: string): Run | undefined {
    return this.#sql.get`select * from run where id = ${id}` as Run | undefined;
  }

  /** Returns the decisions of a run in one of some states, in no order. */
  decisions(run: string, states: readonly string[], limit: number): RunDecision[] {
    return this.#sql.all`select payment, contract, state, result from decision where run = ${run}
      and state in (select value from json_each(${JSON.stringify(states)})) limit ${limit}` as unknown as RunDecision[];
  }

  /** Returns how many decisions of a run are in each state. */
  decisionCounts(run: string): ReadonlyMap<string, number> {
    const rows = this.#sql.all`select state, count(*) as n from decision where run = ${run} group by state`;
    return new Map(rows.map(({ state, n }) => [String(state), Number(n)]));
  }

  /** Remembers what became of a decision. */
  settleDecision(run: string, payment: string, state: string, result?: object): void {
    const text = result === undefined ? null : JSON.stringify(result);
    this.#sql.run`update decision set state = ${state}, result = ${text} where run = ${run} and payment = ${payment}`;
  }

  /** Ends the decisions that wait: of a run, or of all runs of a console that has ended. */
  endDecisions(state: string, run: string | null = null): void {
    this.#sql.run`update decision set state = ${state} where state = 'waiting' and run = coalesce(${run}, run)`;
  }

  /** Makes several changes at once, or none of them. */
  transaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/**
 * Opens a database that only its owner can read.
 *
 * @param statements - Settings and tables.
 * @throws {ConfigError} If the file cannot be used.
 */
export function openDatabase(file: string, statements: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    const database = new DatabaseSync(file);
    chmodSync(file, PRIVATE_FILE);
    database.exec(`pragma busy_timeout = 5000; ${statements}`);
    return database;
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be used: ${(error as Error).message}. Set HR_CONSOLE_DATA to a folder that you may write to, or restore the file from a backup.`,
    );
  }
}

type Row = Readonly<Record<string, unknown>>;

function batchOf(row: Row): Batch {
  return { ...(row as unknown as Batch), totals: JSON.parse(String(row['totals'])) as Totals };
}

function userOf({ name, roles: granted }: Row): User {
  return { name: String(name), roles: String(granted).split(' ') as Role[] };
}

function nameOf({ user }: Row): string {
  return String(user);
}

/** A list that is stored as JSON. */
function parsed<T>(json: unknown = '[]'): T[] {
  return JSON.parse(String(json)) as T[];
}

/** 256 random bits. */
function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough, because the tokens are random. */
export function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
