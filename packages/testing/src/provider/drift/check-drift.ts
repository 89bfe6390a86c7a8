import { operations as ofTheApi } from '@hr/schemas';
import type { Operation } from '@hr/schemas';
import type { PactFiles } from '../verify-options.ts';
import { checkInteraction } from './check-interaction.ts';
import { compareWithOpenApi } from './compare-with-openapi.ts';
import type { Drift, DriftReport, Finding } from './drift.ts';
import { endpointsOf } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { findEndpoint } from './find-endpoint.ts';
import type { Target } from './find-endpoint.ts';
import type { Interaction, Pact } from '../../contract/pact.ts';
import { readPacts } from '../../contract/read-pacts.ts';

/** Which contracts are compared with the OpenAPI document. */
export interface DriftOptions {
  readonly pacts: PactFiles;
  /**
   * Another operation table, such as that of a version to come: which contracts would it break? The OpenAPI document is
   * that of the present one, so it is left out then. @default `operations` of @hr/schemas
   */
  readonly operations?: Readonly<Record<string, Operation>>;
}

/**
 * Holds contracts, their examples and their rules, against what the API says. It starts nothing and asks nobody.
 *
 * @throws {HrTestingError} `invalid-pact` when a file is no pact of `hr-cloud`; `missing-package`.
 * @example
 * const { faults, unheld } = await checkDrift({ pacts: { folders: ['pacts'] } });
 */
export async function checkDrift({ pacts, operations = ofTheApi }: DriftOptions): Promise<DriftReport> {
  const endpoints = endpointsOf(operations);
  const all = await readPacts(pacts);
  const compared = operations === ofTheApi ? await Promise.all(all.map(compareWithOpenApi)) : [];
  const drifts = all.flatMap((pact, index) => driftsOf(pact, endpoints, compared[index] ?? []));
  const ofKind = (wanted: keyof DriftReport) => drifts.flatMap(({ kind, ...drift }) => (kind === wanted ? drift : []));
  return { faults: ofKind('faults'), notes: ofKind('notes'), unheld: ofKind('unheld') };
}

function driftsOf(
  { consumer, interactions }: Pact,
  endpoints: readonly Endpoint[],
  compared: readonly (readonly Finding[])[],
): readonly (Drift & Finding)[] {
  const drifts = new Map<string, Drift & Finding>();
  for (const [index, interaction] of interactions.entries()) {
    const { description, request } = interaction;
    const target = findEndpoint(endpoints, request.method, request.path);
    for (const finding of mergedFindings(findingsOf(target, interaction), compared[index] ?? [])) {
      // What one interaction leaves open, others of the same operation leave open too.
      const scope = finding.kind === 'unheld' && typeof target !== 'string' ? target.endpoint.name : index;
      const key = JSON.stringify([scope, finding]);
      if (!drifts.has(key)) drifts.set(key, { consumer, description, ...finding, place: finding.place.trimEnd() });
    }
  }
  return [...drifts.values()];
}

function findingsOf(target: Target | string, interaction: Interaction): readonly Finding[] {
  if (typeof target !== 'string') return [...checkInteraction(target, interaction)];
  const { method, path } = interaction.request;
  return [{ kind: 'faults', place: `${method} ${path}`, sentence: target }];
}

/** The document is made of the models, so a fault is mostly found twice; the kit's own sentences say more. */
function mergedFindings(own: readonly Finding[], compared: readonly Finding[]): readonly Finding[] {
  const isWrong = own.some(({ kind }) => kind === 'faults');
  return [...own, ...compared.filter(({ kind }) => kind !== 'faults' || !isWrong)];
}
