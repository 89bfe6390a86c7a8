import { HrTestingError } from '../../hr-testing-error.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import type { PactFiles } from '../verify-options.ts';
import { pactHash } from './pact-hash.ts';

/** The hashes of what a consumer's pacts say. */
export async function hashesOf(consumer: string, pacts: PactFiles | undefined): Promise<string[]> {
  if (!pacts) throw new HrTestingError('invalid-option', `Give the pacts of ${consumer}: its folder of pacts.`);
  const all = await readPacts(pacts);
  const own = all.filter((pact) => pact.consumer === consumer);
  if (own.length > 0) return own.map(pactHash);
  const others = [...new Set(all.map((pact) => pact.consumer))].join(', ');
  throw new HrTestingError(
    'invalid-pact',
    `None of these pacts is of the consumer ${consumer}; they are of ${others}.`,
  );
}
