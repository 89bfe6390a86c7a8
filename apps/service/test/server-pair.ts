import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import getPort from 'get-port';
import { Client } from 'pg';
import { vi } from 'vitest';
import type { DatabaseUrl } from '../src/database/open-database.ts';
import { memoryFolder } from './memory-folder.ts';
import { embeddedServer } from './postgres-server.ts';

/** A primary and a standby, which are servers of their own. */
export interface ServerPair {
  /** The address of a database on whichever is the primary. */
  readonly url: DatabaseUrl;
  readonly standbyUrl: DatabaseUrl;
  /** Runs a statement on one of the servers, as superuser. */
  query<Row = unknown>(server: 'primary' | 'standby', statement: string): Promise<Row[]>;
  /** Lets the standby receive what the primary writes, or no longer. */
  replicate(isOn: boolean): Promise<void>;
  /** Ends the primary in the middle of what it does. */
  killPrimary(): Promise<void>;
  /** Starts the former primary again, which does not know that there is another one. */
  restartPrimary(): Promise<void>;
  stop(): Promise<void>;
}

// How long a standby waits before it connects again.
const settings = ['wal_retrieve_retry_interval=100ms'];

/** Starts both. From then on a commit on the primary waits until the standby has it. */
export async function startServerPair(): Promise<ServerPair> {
  const folder = await memoryFolder('hr-pair-');
  chmodSync(folder, 0o755);
  const [primaryFolder, standbyFolder] = [join(folder, 'primary'), join(folder, 'standby')];
  const ports = { primary: await getPort({ host: '127.0.0.1' }), standby: await getPort({ host: '127.0.0.1' }) };
  const urlOf = (name: 'primary' | 'standby', database: string): string =>
    `postgres://postgres:postgres@127.0.0.1:${ports[name]}/${database}`;

  async function query<Row>(name: 'primary' | 'standby', statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: urlOf(name, 'postgres') });
    // A server that is killed ends it.
    client.on('error', () => {});
    await client.connect();
    try {
      const result: unknown = await client.query(statement);
      return (result as { rows?: Row[] }).rows ?? [];
    } finally {
      await client.end();
    }
  }
  const isUp = (name: 'primary' | 'standby'): Promise<boolean> => succeeds(query(name, 'select'));

  const primary = embeddedServer(primaryFolder, ports.primary, settings);
  await primary.initialise();
  await primary.start();
  await primary.createDatabase('hr');
  const standby = embeddedServer(standbyFolder, ports.standby, settings);
  await copyForStandby(urlOf('primary', 'postgres'), primaryFolder, standbyFolder);
  const connectionInfo = `host=127.0.0.1 port=${ports.primary} user=postgres password=postgres application_name=standby`;
  appendFileSync(join(standbyFolder, 'postgresql.auto.conf'), `primary_conninfo = '${connectionInfo}'\n`);
  // It resolves when the standby is promoted.
  standby.start().catch(() => {});
  await vi.waitUntil(() => isUp('standby'), 240_000);

  async function replicate(isOn: boolean): Promise<void> {
    // Outside a transaction, so one statement after the other.
    await query('standby', `alter system set primary_conninfo = '${isOn ? connectionInfo : ''}'`);
    await query('standby', 'select pg_reload_conf()');
    const streaming = `select from pg_stat_replication where state = 'streaming'`;
    await vi.waitUntil(async () => (await query('primary', streaming)).length === Number(isOn), 240_000);
  }
  await replicate(true);
  await query('primary', `alter system set synchronous_standby_names = 'standby'`);
  await query('primary', 'select pg_reload_conf()');
  const inSync = `select from pg_stat_replication where sync_state = 'sync'`;
  await vi.waitUntil(async () => (await query('primary', inSync)).length === 1, 30_000);

  return {
    url: `postgres://postgres:postgres@127.0.0.1:${ports.primary},127.0.0.1:${ports.standby}/hr`,
    standbyUrl: urlOf('standby', 'hr') as DatabaseUrl,
    query,
    replicate,
    async killPrimary() {
      const [row] = await query<{ folder: string }>('primary', `select current_setting('data_directory') as folder`);
      execFileSync('/bin/sh', ['-c', `kill -QUIT "$(head -1 '${row?.folder}/postmaster.pid')"`]);
      await vi.waitUntil(async () => !(await isUp('primary')), 240_000);
    },
    async restartPrimary() {
      await vi.waitUntil(() => succeeds(primary.start()), 30_000);
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/** Copies a running server, as the documentation of PostgreSQL describes a base backup. */
async function copyForStandby(url: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_backup_start('copy', true)`);
  // It keeps the owner.
  execFileSync('cp', ['-a', from, to]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_replslot', 'pg_wal']) {
    rmSync(join(to, name), { recursive: true, force: true });
  }
  for (const name of ['pg_replslot', 'pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries']) mkdirSync(join(to, name));
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  writeFileSync(join(to, 'standby.signal'), '');
  // What is new belongs to the user that the server runs as.
  execFileSync('/bin/sh', ['-c', `chown -R --reference='${join(to, 'PG_VERSION')}' '${to}'`]);
}
