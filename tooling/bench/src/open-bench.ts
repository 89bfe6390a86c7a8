import { Pool } from 'pg';
import { createClient } from 'service/src/clients/clients.ts';
import type { Scope } from 'service/src/http/grant.ts';
import { issueToken } from 'service/src/clients/access-tokens.ts';
import type { Database } from 'service/src/database/database.ts';
import { migrate } from 'service/src/database/migrate.ts';
import { openDatabase, type DatabaseUrl } from 'service/src/database/open-database.ts';
import { loadCompany } from './load-company.ts';
import { startPostgres } from './start-postgres.ts';

/** How large and how long the benchmarks are. */
export interface Size {
  readonly persons: number;
  /** How often each comparison alternates. */
  readonly turns: number;
  readonly roundMs: number;
  /** Rounds of short requests that are not measured. */
  readonly warmUps: number;
}

/** A database with a company, and clients to read it. */
export interface Company {
  readonly url: string;
  readonly token: string;
  readonly operatorToken: string;
  /** Paths of absences and salary histories, of up to 2,000 persons. */
  readonly paths: { readonly absences: readonly string[]; readonly salaries: readonly string[] };
}

/** What the parts measure with. */
export interface Bench extends Size, Company {
  readonly database: Database;
  /** Connections that stay out of the service's way, without timeouts. */
  readonly pool: Pool;
}

const TOKEN_SECONDS = 86_400;

/** Starts PostgreSQL and fills a database. */
export async function openBench(size: Size, histories: boolean): Promise<Bench & AsyncDisposable> {
  const postgres = await startPostgres();
  const database = await openDatabase(postgres.url as DatabaseUrl);
  const pool = openPool(postgres.url);
  const company = await fillDatabase(database, postgres.url, { ...size, histories });
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  return {
    ...size,
    ...company,
    database,
    pool,
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.end(), database.close()]);
      await postgres.stop();
    },
  };
}

/** Loads a company into an empty database. */
export async function fillDatabase(
  database: Database,
  url: string,
  size: { readonly persons: number; readonly histories: boolean },
): Promise<Company> {
  await migrate(database);
  await loadCompany(database, size);
  const sample = await database.query<{ person: string; contract: string }>(
    `select person_id as person, payroll_contract_id as contract from mapping join contract using (payroll_contract_id)
    order by md5(payroll_contract_id) limit 2000`,
  );
  return {
    url,
    token: await newToken(database, 'api:use'),
    operatorToken: await newToken(database, 'operator'),
    paths: {
      absences: sample.map(({ person }) => `/api/v1/persons/${person}/absences`),
      salaries: sample.map(({ contract }) => `/api/v1/payrollContract/${contract}/salaries/history`),
    },
  };
}

/** Connections without timeouts. */
export function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString });
  // Without listeners, the end of PostgreSQL would be an uncaught error.
  return pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}));
}

/** A token of a new client. */
export async function newToken(database: Database, scope: Scope): Promise<string> {
  const client = await createClient(database, { name: 'bench', scope });
  return (await issueToken(database, { ...client, lifetimeSeconds: TOKEN_SECONDS, requestId: 'bench' }))?.token ?? '';
}

/** Gives the elements of a list again and again. */
export function inTurn<Element>(elements: readonly Element[]): () => Element {
  let index = 0;
  return () => elements[index++ % elements.length] as Element;
}
