import { HrTestingError } from '../hr-testing-error.ts';

/**
 * One thing that is wrong.
 *
 * @sealed
 */
export interface Fault {
  /** Where, such as `status`, `header Content-Type`, `body $.days[0].date`, `state "a person"`. */
  readonly place: string;
  /** What the contract expects there and what the provider gives; never a value of the provider. */
  readonly message: string;
}

/**
 * One interaction of a pact, and whether the provider passed it.
 *
 * @sealed
 */
export interface VerifiedInteraction {
  readonly consumer: string;
  /** The file of its pact, or its address at the broker. */
  readonly pact: string;
  readonly description: string;
  /** Names of its provider states. */
  readonly states: readonly string[];
  /** New at the broker and never passed: it does not fail the verification. */
  readonly pending: boolean;
  readonly ok: boolean;
  readonly faults: readonly Fault[];
}

/**
 * One pact that was verified.
 *
 * @sealed
 */
export interface VerifiedPact {
  /** The file, or the address at the broker. */
  readonly pact: string;
  readonly consumer: string;
  /** SHA-256, in hexadecimal digits, of what the pact said when it was verified. */
  readonly hash: string;
  /** Whether all of its interactions passed. */
  readonly ok: boolean;
}

/**
 * What a verification found.
 *
 * @sealed
 */
export interface VerificationResult {
  /** Whether every interaction passed that is not pending. */
  readonly ok: boolean;
  readonly provider: string;
  readonly pacts: readonly VerifiedPact[];
  readonly interactions: readonly VerifiedInteraction[];
}

/**
 * The provider breaks a contract, or an interaction could not be tried. The message is the report.
 *
 * @example
 * const result = await verifyProvider({ provider, source, states, token }).catch((error: unknown) => {
 *   if (error instanceof VerificationFailedError) return error.result;
 *   throw error;
 * });
 */
export class VerificationFailedError extends HrTestingError {
  override readonly name = 'VerificationFailedError';
  readonly result: VerificationResult;

  constructor(result: VerificationResult, options?: ErrorOptions) {
    super('verification-failed', verificationReport(result), options);
    this.result = result;
  }
}

/**
 * A result as text: the counts, and a line for each fault.
 *
 * @example
 * console.log(verificationReport(await verifyProvider({ provider, source, states, token })));
 */
export function verificationReport({ ok, provider, interactions }: VerificationResult): string {
  const byConsumer = Object.groupBy(interactions, ({ consumer }) => consumer);
  const failed = interactions.filter((each) => !each.ok);
  return [
    `Verification of ${provider} ${ok ? 'passed' : 'failed'}: ${countOf(interactions)} interactions passed.`,
    ...Object.entries(byConsumer).map(([consumer, own = []]) => `  ${consumer}: ${countOf(own)}`),
    ...failed.flatMap(({ consumer, pact, description, states, pending, faults }) => {
      const given = states.length > 0 ? ` (given ${states.join(', ')})` : '';
      const heading = `\n${consumer}: ${description}${given}${pending ? ', pending' : ''}\n  in ${pact}`;
      return [heading, ...faults.map(({ place, message }) => `  ${place}: ${message}`)];
    }),
  ].join('\n');
}

function countOf(interactions: readonly VerifiedInteraction[]): string {
  return `${interactions.filter(({ ok }) => ok).length} of ${interactions.length}`;
}
