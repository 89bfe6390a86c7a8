import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../server/console-server.ts';
import { parseInput, Problem } from '../server/problem.ts';
import { COOKIE } from '../server/sessions.ts';

/** Bank details in full. Only the audited reveal returns them. */
export interface RevealedBankDetails {
  readonly iban: string | undefined;
}

const Parameters = z.object({ id: z.string().min(1) });
const REVEALS_A_MINUTE = 10;

/** Adds the audited reveal of bank details. */
export function addEditRoutes(app: FastifyInstance, { cloud, records }: Console): void {
  const rateLimit = {
    max: REVEALS_A_MINUTE,
    timeWindow: '1 minute',
    // Of the session, because many people may share an address.
    keyGenerator: ({ cookies }: { cookies: NodeJS.Dict<string> }) => cookies[COOKIE] ?? '',
  };
  app.post(
    '/bff/people/:id/bank-details/reveal',
    { config: { role: 'editor', rateLimit } },
    async ({ user, params }): Promise<RevealedBankDetails> => {
      const { id } = parseInput(Parameters, params);
      const { person } = cloud.mirror.person(id) ?? {};
      if (person === undefined) throw new Problem('not-found', 'There is no person with this id.');
      records.record(user, 'reveal-bank-details', id);
      return { iban: person.bankDetails?.iban ?? undefined };
    },
  );
}
