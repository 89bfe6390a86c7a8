import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLTagStore } from 'node:sqlite';
import type { Label } from '@hr/text/labels';
import type { Grant } from '../model/grants.ts';
import type { Totals } from '../model/totals.ts';
import type { CopyRead } from './acting.ts';
import { ConfigError } from './config.ts';
import { Drafts } from './drafts.ts';
import { tryToStore } from './problem.ts';

/** A person who may sign in. */
export interface User {
  /**
   * Issuer and subject, such as `local#kim` or `https://login.example.com#00u1`. It goes to no other person, whatever their
   * names are.
   */
  readonly id: string;
  /** It may change, and others may have the same. */
  readonly name: string;
  /** Tells apart people of the same name, such as an e-mail address. */
  readonly login: string;
  readonly grants: readonly Grant[];
  /** Says which person of the HR Cloud they are, and with it who reports to them. */
  readonly employeeNumber: string | undefined;
}

/** A person, as the operator of the console sees them. */
export interface ListedUser extends User {
  readonly isDisabled: boolean;
  /** An ISO 8601 instant. */
  readonly signedInAt: string | undefined;
}

/** Sessions that the provider has ended: one, or all of a person. */
export interface EndedSessions {
  readonly userId: string | undefined;
  readonly sid: string | undefined;
  /** Only those that were started before, in milliseconds: a token that somebody sends again ends no new ones. */
  readonly before: number;
}

/** What people did in the console. It never contains a value of a person. */
export interface ConsoleEvent {
  readonly id: number;
  /** An ISO 8601 instant. */
  readonly at: string;
  /** The name of the person. */
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
  | 'set-client-keys'
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
  /** The id of the person. */
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

/** The issuer of the people whom this console itself knows. */
const LOCAL_ISSUER = 'local';
/** How long a link to sign in is valid. */
export const LINK_MINUTES = 15;
/** A session ends after so long without activity. */
const IDLE_HOURS = 8;
/** A session ends after so many days, whatever the person does. */
const SESSION_DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Results of so many runs are kept. */
const MAX_RUNS = 50;
/** So long it is known what changed of a person. */
export const HISTORY_DAYS = 90;
const DAY_MS = 86_400_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const SCHEMA = `
create table if not exists person (id text primary key, name text not null, login text not null, grants text not null, employee_number text, disabled integer not null default 0, signed_in_at text) strict;
create index if not exists person_name on person (name);
create table if not exists link (hash text primary key, person text not null, expires integer not null) strict;
create table if not exists session (hash text primary key, person text not null, created integer not null, seen integer not null, sid text, checked integer, tokens blob) strict;
create table if not exists login (state text primary key, browser text not null, checks text not null, expires integer not null) strict;
create table if not exists event (id integer primary key, at text not null, user text not null, action text not null, subject text) strict;
create index if not exists event_subject on event (subject);
create table if not exists batch (id text primary key, name text not null, at text not null, totals text not null, rows text not null) strict;
create table if not exists submitter (batch text not null, user text not null, unique (batch, user)) strict;
create table if not exists run (id text primary key, user text not null, decision text not null) strict;
create table if not exists decision (run text not null, payment text not null, contract text, state text not null, result text, primary key (run, payment)) strict, without rowid;
create table if not exists copy_read (id text primary key, read text not null) strict;
create table if not exists process (id integer primary key, pid integer not null) strict;
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
    if (this.#sql.get`select 1 from pragma_table_info('session') where name = 'roles'`) {
      throw new ConfigError(`${file} is of a version that knew no people. Set HR_CONSOLE_DATA to a new folder.`);
    }
    this.drafts = new Drafts(this.#database, now);
    this.key = String(this.#sql.get`select value from secret`?.['value']);
  }

  /** Remembers that this process uses the file. */
  use(): void {
    this.#sql.run`insert or replace into process values (1, ${process.pid})`;
  }

  /** Whether a console runs with the file. */
  isInUse(): boolean {
    try {
      return process.kill(Number(this.#sql.get`select pid from process`?.['pid']), 0);
    } catch {
      return false;
    }
  }

  /** Adds a person, or changes one. */
  savePerson({ id, name, login, grants, employeeNumber }: User): void {
    this.#sql.run`insert into person (id, name, login, grants, employee_number)
      values (${id}, ${name}, ${login}, ${JSON.stringify(grants)}, ${employeeNumber ?? null})
      on conflict (id) do update set name = excluded.name, login = excluded.login, grants = excluded.grants,
        employee_number = excluded.employee_number`;
  }

  /** Returns all people who were added or have signed in, in the order of their ids. */
  people(): ListedUser[] {
    return this.#sql.all`select * from person order by id`.map((row) => ({
      ...userOf(row),
      isDisabled: row['disabled'] === 1,
      signedInAt: (row['signed_in_at'] as string | null) ?? undefined,
    }));
  }

  /** Lets a person sign in again, or no more, which ends their sessions. Returns whether there is such a person. */
  setDisabled(id: string, isDisabled: boolean): boolean {
    if (isDisabled) this.signOutEverywhere(id);
    return this.#sql.run`update person set disabled = ${Number(isDisabled)} where id = ${id}`.changes === 1;
  }

  /** Whether a person may sign in: they have a grant and are not disabled. */
  maySignIn(id: string): boolean {
    return this.#sql.get`select 1 from person where id = ${id} and disabled = 0 and grants <> '[]'` !== undefined;
  }

  /** Returns the name of a person. It tells them apart from others who have the same one now. */
  nameOf(id: string): string {
    const row = this.#sql.get`select case when exists
        (select 1 from person as other where other.name = person.name and other.id <> person.id)
      then name || ' (' || login || ')' else name end as name from person where id = ${id}`;
    return String(row?.['name'] ?? id);
  }

  /**
   * Makes a link that signs a person in once. Its code is behind `#`, so that it reaches no log of a server or proxy.
   *
   * @param origin - Of the pages.
   * @param id - Of the person.
   * @returns Undefined if there is no such person, or they are disabled.
   */
  signInLink(origin: string, id: string): string | undefined {
    const now = this.#now();
    this.#sql.run`delete from link where expires < ${now}`;
    const code = randomToken();
    const { changes } = this.#sql.run`insert into link select ${hash(code)}, id, ${now + LINK_MINUTES * MINUTE_MS}
      from person where id = ${id} and disabled = 0`;
    return changes === 1 ? `${origin}/sign-in#${code}` : undefined;
  }

  /** Uses up the code of a link, and starts a session. Returns its token, or undefined if the code is not valid. */
  signIn(code: string): { readonly token: string; readonly user: User } | undefined {
    const row = this.#sql
      .get`delete from link where hash = ${hash(code)} and expires >= ${this.#now()} returning person`;
    const token = row && this.startSession(String(row['person']));
    const user = token && this.session(token, false);
    return token && user ? { token, user } : undefined;
  }

  /**
   * Starts a session of a person. Returns its token.
   *
   * @param sid - Of the session at the identity provider.
   */
  startSession(id: string, sid?: string): string {
    const token = randomToken();
    const now = this.#now();
    this.#sql
      .run`delete from session where seen < ${now - IDLE_HOURS * HOUR_MS} or created < ${now - SESSION_DAYS * DAY_MS}`;
    this.#sql.run`insert into session (hash, person, created, seen, sid)
      values (${hash(token)}, ${id}, ${now}, ${now}, ${sid ?? null})`;
    this.#sql.run`update person set signed_in_at = ${new Date(now).toISOString()} where id = ${id}`;
    this.record({ id }, 'sign-in');
    return token;
  }

  /**
   * Returns the person of a session that has not ended.
   *
   * @param isActive - Whether the person did something, so that the session goes on.
   */
  session(token: string, isActive: boolean): User | undefined {
    const now = this.#now();
    const row = this.#sql.get`select person.* from session join person on person.id = person where hash = ${hash(token)}
      and disabled = 0 and grants <> '[]' and seen >= ${now - IDLE_HOURS * HOUR_MS} and created >= ${now - SESSION_DAYS * DAY_MS}`;
    // A session goes on while the disk is full.
    if (row && isActive) tryToStore(() => this.#sql.run`update session set seen = ${now} where hash = ${hash(token)}`);
    return row && userOf(row);
  }

  /** Returns when the provider was last asked about a session, and the sealed tokens to ask it with. */
  providerTokens(token: string): { readonly checked: number; readonly sealed: Uint8Array } | undefined {
    const row = this.#sql.get`select checked, tokens from session where hash = ${hash(token)} and tokens is not null`;
    return row && { checked: Number(row['checked']), sealed: row['tokens'] as Uint8Array };
  }

  /** Remembers when the provider was asked about a session, and with which sealed tokens to ask it next. */
  keepTokens(token: string, checked: number, sealed: Uint8Array): void {
    this.#sql.run`update session set checked = ${checked}, tokens = ${sealed} where hash = ${hash(token)}`;
  }

  /** Ends sessions that the provider has ended. */
  endProviderSessions({ userId, sid, before }: EndedSessions): void {
    const ended = this.#sql.all`delete from session where created < ${before} and tokens is not null
      and person = coalesce(${userId ?? null}, person) and (${sid ?? null} is null or sid = ${sid ?? null})
      returning person`;
    for (const { person } of ended) this.record({ id: String(person) }, 'sign-out');
  }

  /** Remembers a sign-in that a browser has begun. */
  beginLogin(state: string, browser: string, checks: object): void {
    const now = this.#now();
    this.#sql.run`delete from login where expires < ${now}`;
    this.#sql.run`insert into login
      values (${state}, ${hash(browser)}, ${JSON.stringify(checks)}, ${now + LINK_MINUTES * MINUTE_MS})`;
  }

  /** Returns what was remembered of a sign-in that this browser has begun, once. */
  endLogin(state: string, browser: string): unknown {
    const row = this.#sql.get`delete from login
      where state = ${state} and browser = ${hash(browser)} and expires >= ${this.#now()} returning checks`;
    return row && JSON.parse(String(row['checks']));
  }

  signOut(token: string): void {
    const row = this.#sql.get`delete from session where hash = ${hash(token)} returning person`;
    if (row) this.record({ id: String(row['person']) }, 'sign-out');
  }

  /** Ends the sessions of a person and the links that they did not use. Returns the number of both. */
  signOutEverywhere(id: string): number {
    const sessions = Number(this.#sql.run`delete from session where person = ${id}`.changes);
    const links = Number(this.#sql.run`delete from link where person = ${id}`.changes);
    if (sessions > 0) this.record({ id }, 'sign-out');
    return sessions + links;
  }

  /** Records what a person does. Returns the id of the event. */
  record({ id }: Pick<User, 'id'>, action: ConsoleAction, subject?: string): number {
    const at = new Date(this.#now()).toISOString();
    const { lastInsertRowid } = this.#sql
      .run`insert into event (at, user, action, subject) values (${at}, ${id}, ${action}, ${subject ?? null})`;
    return Number(lastInsertRowid);
  }

  /** Takes back the event of a change that was certainly not made. */
  takeBack(event: number): void {
    this.#sql.run`delete from event where id = ${event}`;
  }

  /** Returns what people did, the newest first. */
  events({
    subject = '',
    limit = 200,
  }: { readonly subject?: string | undefined; readonly limit?: number } = {}): ConsoleEvent[] {
    const rows = this.#sql.all`select * from event where ${subject} in ('', subject) order by id desc limit ${limit}`;
    return rows.map((row) => ({
      ...(row as unknown as ConsoleEvent),
      user: this.nameOf(String(row['user'])),
      subject: (row['subject'] as string | null) ?? undefined,
    }));
  }

  /** Deletes what people did so many days ago. Who submitted payments stays known. */
  forget(days: number): void {
    this.#sql.run`delete from event where at < ${new Date(this.#now() - days * DAY_MS).toISOString()}`;
  }

  /** Whether the file can be read. */
  isReadable(): boolean {
    try {
      return this.countSessions() >= 0;
    } catch {
      return false;
    }
  }

  /** Returns the number of sessions that have not ended. */
  countSessions(): number {
    return Number(
      this.#sql.get`select count(*) as n from session where seen >= ${this.#now() - IDLE_HOURS * HOUR_MS}`?.['n'],
    );
  }

  /** The dictionary: names and colours that administrators keep for keys. */
  labels(): Label[] {
    return parsed(this.#sql.get`select labels from dictionary`?.['labels']);
  }

  replaceLabels(labels: readonly Label[]): void {
    this.#sql.run`insert or replace into dictionary values (1, ${JSON.stringify(labels)})`;
  }

  /** Remembers a read until the service knows of it. */
  addCopyRead(read: CopyRead): true {
    this.#sql.run`insert into copy_read values (${read.id}, ${JSON.stringify(read)})`;
    return true;
  }

  /** Returns reads of which the service does not know, the oldest first. */
  copyReads(limit: number): CopyRead[] {
    return this.#sql.all`select read from copy_read order by id limit ${limit}`.map(
      ({ read }) => JSON.parse(String(read)) as CopyRead,
    );
  }

  countCopyReads(): number {
    return Number(this.#sql.get`select count(*) as n from copy_read`?.['n']);
  }

  deleteCopyReads(ids: readonly string[]): void {
    this.#sql.run`delete from copy_read where id in (select value from json_each(${JSON.stringify(ids)}))`;
  }

  /** Returns the ids of those who did one of some actions to a subject, in the order in which they did it. */
  actors(subject: string, ...actions: readonly ConsoleAction[]): string[] {
    return this.#sql.all`select user from event where subject = ${subject}
      and action in (select value from json_each(${JSON.stringify(actions)})) order by id`.map(userIdOf);
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
  addSubmitter(batch: string, { id }: User): void {
    this.#sql.run`insert or ignore into submitter values (${batch}, ${id})`;
  }

  /** Returns the ids of those who submitted payments of a batch; the first one made it. */
  submitters(batch: string): string[] {
    return this.#sql.all`select user from submitter where batch = ${batch} order by rowid`.map(userIdOf);
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
  keptBatches({ id: user }: User): Batch[] {
    return this.#sql.all`select id, name, at, totals from batch where rows <> '[]'
      and (select user from submitter where batch = id order by rowid limit 1) = ${user} order by rowid`.map(batchOf);
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
      // A full disk has ended it.
      if (this.#database.isTransaction) this.#database.exec('rollback');
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

function userOf({ id, name, login, grants, employee_number: employeeNumber }: Row): User {
  return {
    id: String(id),
    name: String(name),
    login: String(login),
    grants: parsed<Grant>(grants),
    employeeNumber: (employeeNumber as string | null) ?? undefined,
  };
}

/** The id of a person whom this console itself knows, by the name with which they were added. */
export function localId(login: string): string {
  return `${LOCAL_ISSUER}#${login}`;
}

function userIdOf({ user }: Row): string {
  return String(user);
}

/** A list that is stored as JSON. */
function parsed<T>(json: unknown = '[]'): T[] {
  return JSON.parse(String(json)) as T[];
}

/** 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A fast hash is enough, because the tokens are random. */
export function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
