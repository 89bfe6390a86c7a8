import { issuesOf } from '@hr/schemas';
import { HttpProblem, problems } from '@hr/schemas/provider';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TokenGrant } from './grant.ts';

/** Who acts through a client, and why: the client says so. */
export interface Acting {
  readonly actingPerson?: string | undefined;
  readonly purpose?: string | undefined;
}

export const ActingPerson = z
  .string()
  .regex(/^[!-~]{1,400}$/)
  .describe('Who acts through the client, as the client names people: visible ASCII characters without spaces.');

export const Purpose = z
  .string()
  .regex(/^[A-Za-z0-9 ._:/-]{1,100}$/)
  .describe('Why, in the words of the client.');

function forClients(header: z.ZodString) {
  const description = `${header.description} Only a client that may act for people sends it.`;
  return header.meta({ description, 'x-extension': true }).optional();
}

/** The headers of {@link Acting}, which a client may send with every request. */
export const actingHeaders = z.strictObject({
  'HR-Acting-Person': forClients(ActingPerson),
  'HR-Purpose': forClients(Purpose),
});

/**
 * For whom a request says that it acts, and why.
 *
 * @throws {HttpProblem} `forbidden` if its client may not say so, or `invalid-request`.
 */
export function actingOf({ headers }: Pick<FastifyRequest, 'headers'>, grant: TokenGrant): Acting {
  // A header that is repeated has a comma and a space between its values, which is malformed.
  const actingPerson = headers['hr-acting-person'] as string | undefined;
  const purpose = headers['hr-purpose'] as string | undefined;
  if (actingPerson === undefined && purpose === undefined) return {};
  checkActsForPeople(grant);
  const sent = { 'HR-Acting-Person': actingPerson, 'HR-Purpose': purpose };
  const { error } = actingHeaders.safeParse(sent);
  if (error) throw problems.invalidRequest(issuesOf(error, sent));
  return { actingPerson, purpose };
}

/** @throws {HttpProblem} `forbidden` if the client may not act for people. */
export function checkActsForPeople({ actsForPeople }: TokenGrant): void {
  if (actsForPeople === true) return;
  throw new HttpProblem(
    'forbidden',
    'This client may not act for people. Ask the operator to allow it (clients grant ID --acts-for-people yes), or leave out HR-Acting-Person and HR-Purpose.',
  );
}
