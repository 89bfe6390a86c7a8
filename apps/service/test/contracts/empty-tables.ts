import type { Queries } from '../../src/database/database.ts';

/** What stays: the tables' own history, the keys of issued secrets, and the audit, which takes new events only. */
const kept = ['migration', 'audit_event', 'credential_key'];
/** Of these the rows of the clients under test stay, so that their tokens stay valid. */
const ofClients = ['client_maker', 'client_custom_field', 'access_token', 'client_secret', 'api_client'];

/** Gives a function that deletes all that a test may have brought into the database, but for these clients. */
export async function tableEmptier(queries: Queries, clientIds: readonly string[]): Promise<() => Promise<void>> {
  // Triggers fill tables that are newer than their own.
  const tables = await queries.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by oid`,
  );
  const known = new Set([...kept, ...ofClients]);
  const statements = [
    // Each row of it belongs to a payment.
    'delete from idempotency_key;',
    ...tables.filter(({ name }) => !known.has(name)).map(({ name }) => `delete from ${name};`),
    ...ofClients.map((name) => `delete from ${name} where client_id not in (${clientIds.map(literal).join(', ')});`),
  ];
  return async () => {
    await queries.query(statements.join('\n'));
  };
}

/** Ids that the service has made hold no quotes; a text of several statements takes no values. */
function literal(id: string): string {
  if (!/^[\w-]+$/.test(id)) throw new Error('A client under test has an id that the service did not make.');
  return `'${id}'`;
}
