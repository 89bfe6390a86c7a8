import type { Queries } from '../database/database.ts';

/**
 * Records that a client has known a secret of another one, because it made it, rotated its secret or set its keys. The command line is no
 * client, and is not recorded: who runs it can read and write the database.
 */
export async function recordMaker(transaction: Queries, clientId: string, madeBy: string): Promise<void> {
  await transaction.query(
    `insert into client_maker (client_id, made_by) select $1, client_id from api_client where client_id = $2
    on conflict do nothing`,
    [clientId, madeBy],
  );
}

/**
 * SQL for whether two clients may be in the same hands: the first one, or one that has known its secret, has known the
 * secret of the second one, each directly or through others.
 *
 * @param first SQL for the id of a client
 * @param second likewise
 */
export function inSameHands(first: string, second: string): string {
  return `exists (
    with recursive hands as (
      select ${first}::text as client_id
      union select made_by from client_maker join hands using (client_id)
    ), makers as (
      select made_by as client_id from client_maker where client_id = ${second}
      union select made_by from client_maker join makers using (client_id)
    )
    select from hands join makers using (client_id)
  )`;
}
