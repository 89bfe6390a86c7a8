import { personName } from '@hr/text/person-name';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { deleteSent } from '../backend/draft-routes.ts';
import { Locks } from '../backend/locks.ts';
import { parseInput } from '../backend/problem.ts';
import { Change, saveChange, storedPerson, type Saved } from './save-change.ts';
import { limitsOf, storedValue, type EditScreen } from './stored-value.ts';

/** An IBAN in full. Only the audited reveal returns it. */
export interface RevealedBankDetails {
  readonly iban: string | undefined;
}

const Parameters = z.object({ id: z.string().min(1) });
const REVEALS_A_MINUTE = 10;
const paths = { address: 'address', bankDetails: 'bank-details' } as const;

/** Adds the forms of the address and the bank details, and the audited reveal of an IBAN. */
export function addEditRoutes(app: FastifyInstance, context: Console): void {
  const { cloud, records } = context;
  const locks = new Locks();
  for (const kind of ['address', 'bankDetails'] as const) {
    const url = `/bff/people/:id/${paths[kind]}`;
    const limits = limitsOf(kind);
    app.get(url, { config: { role: 'editor' } }, ({ params }): EditScreen => {
      const { id } = parseInput(Parameters, params);
      const person = storedPerson(cloud, id);
      return { name: personName(person), stored: storedValue(records.key, kind, person), limits };
    });
    app.post(url, { config: { role: 'editor' } }, async ({ user, params, body }): Promise<Saved> => {
      const { id } = parseInput(Parameters, params);
      const { draft, ...change } = parseInput(Change, body);
      return await locks.hold(id, async () => {
        const saved = await saveChange(context, user, kind, id, change);
        deleteSent(context, user, draft);
        return saved;
      });
    });
  }

  const rateLimit = {
    max: REVEALS_A_MINUTE,
    timeWindow: '1 minute',
    // Of the session, because many people may share an address.
    keyGenerator: ({ sessionToken }: FastifyRequest) => sessionToken,
  };
  app.post(
    '/bff/people/:id/bank-details/reveal',
    { config: { role: 'editor', rateLimit } },
    async ({ user, params }): Promise<RevealedBankDetails> => {
      const { id } = parseInput(Parameters, params);
      const { bankDetails } = storedPerson(cloud, id);
      records.record(user, 'reveal-bank-details', id);
      return { iban: bankDetails?.iban ?? undefined };
    },
  );
}
