import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { checkInteraction } from './check-interaction.ts';
import { findEndpoint } from './endpoint.ts';

/**
 * A difference between a contract and the API.
 *
 * @sealed
 */
export interface Drift {
  readonly consumer: string;
  /** Of the interaction. */
  readonly description: string;
  /** Where in the interaction, such as `response /0/jobTitle`, `request /iban`, `query changedSince`. */
  readonly place: string;
  readonly message: string;
}

/**
 * What came of comparing contracts with the API.
 *
 * @sealed
 */
export interface DriftReport {
  /** What a contract has to change: it expects, sends or accepts what the API does not know or allow. */
  readonly faults: readonly Drift[];
  /** What is right, but worth knowing: deprecated fields, exact values. */
  readonly notes: readonly Drift[];
  /** What the API says of the fields in use and no matcher of Pact expresses, such as lengths: a change of it breaks no contract. */
  readonly unsupportedRules: readonly Drift[];
}

/** A difference in an interaction, and what it means. */
export interface Finding extends Pick<Drift, 'place' | 'message'> {
  readonly kind: keyof DriftReport;
}

/** Which contracts are compared. */
export interface DriftOptions {
  /** Files, and folders of them. */
  readonly pacts: readonly string[];
}

/**
 * Compares contracts, their examples and their rules, with what the API says. It sends no request.
 *
 * @throws {HrTestingError} `invalid-pact`.
 * @example
 * const { faults, unsupportedRules } = await checkDrift({ pacts: ['pacts'] });
 */
export async function checkDrift({ pacts }: DriftOptions): Promise<DriftReport> {
  const found = new Map<string, Drift & Finding>();
  for (const { consumer, interactions, source } of await readPacts(pacts)) {
    for (const interaction of interactions) {
      const { description, request } = interaction;
      const target = findEndpoint(request.method, request.path);
      const findings: Iterable<Finding> =
        typeof target === 'string'
          ? [{ kind: 'faults', place: `${request.method} ${request.path}`, message: target }]
          : checkInteraction(target, interaction);
      for (const finding of findings) {
        // What Pact cannot express in one interaction, it cannot in others of the same operation.
        const isOfOperation = finding.kind === 'unsupportedRules' && typeof target !== 'string';
        const scope = isOfOperation ? target.name : `${source} ${description}`;
        const key = JSON.stringify([consumer, scope, finding]);
        if (!found.has(key)) found.set(key, { consumer, description, ...finding, place: finding.place.trimEnd() });
      }
    }
  }
  const ofKind = (wanted: keyof DriftReport) =>
    [...found.values()].flatMap(({ kind, ...drift }) => (kind === wanted ? drift : []));
  return { faults: ofKind('faults'), notes: ofKind('notes'), unsupportedRules: ofKind('unsupportedRules') };
}

/**
 * {@link checkDrift} for a test: throws when a contract has to change.
 *
 * @throws {HrTestingError} `drift` with what has to change; `invalid-pact`.
 * @example
 * test('our contracts agree with the API', () => expectNoDrift({ pacts: ['pacts'] }));
 */
export async function expectNoDrift(options: DriftOptions): Promise<DriftReport> {
  const report = await checkDrift(options);
  if (report.faults.length > 0) throw new HrTestingError('drift', faultsText(report));
  return report;
}

/** The faults of a report, counted and listed. */
export function faultsText({ faults }: DriftReport): string {
  const count = `${faults.length} difference${faults.length === 1 ? '' : 's'} between contracts and the API.`;
  return [count, ...driftLines(faults)].join('\n');
}

/** A line for each difference, below its consumer and interaction. */
export function driftLines(drifts: readonly Drift[]): string[] {
  const groups = Object.groupBy(drifts, ({ consumer, description }) => `${consumer}: ${description}`);
  return Object.entries(groups).flatMap(([heading, own = []]) => [
    heading,
    ...own.map(({ place, message }) => `  ${place}: ${message}`),
  ]);
}
