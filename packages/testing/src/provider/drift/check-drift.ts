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
  /** Description of the interaction. */
  readonly description: string;
  /** Where in the interaction, such as `response /0/jobTitle`, `request /iban`, `query changedSince`. */
  readonly place: string;
  readonly message: string;
}

/**
 * The differences between contracts and the API.
 *
 * @sealed
 */
export interface DriftReport {
  /** What you must change in a contract: it expects, sends or accepts something that the API does not have or allow. */
  readonly faults: readonly Drift[];
  /** Valid, but worth a look: deprecated fields, exact values. */
  readonly notes: readonly Drift[];
  /**
   * Rules of the fields in use that no Pact matcher supports, such as lengths. A change of such a rule breaks no
   * contract.
   */
  readonly unsupportedRules: readonly Drift[];
}

/** A difference in an interaction, and its kind. */
export interface Finding extends Pick<Drift, 'place' | 'message'> {
  readonly kind: keyof DriftReport;
}

/** The contracts to compare. */
export interface DriftOptions {
  /** Files, and folders of them. */
  readonly pacts: readonly string[];
}

/**
 * Compares the examples and rules of contracts with the API definition. It sends no request.
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
        // A rule is unsupported in all interactions of an operation, so it is reported once.
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
 * {@link checkDrift} for a test: it throws if you must change a contract.
 *
 * @throws {HrTestingError} `drift` with the list of faults; `invalid-pact`.
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
