import { HrTestingError } from '../hr-testing-error.ts';

/** One fault of a response. @sealed */
export interface Fault {
  /** The place, such as `status`, `header Content-Type`, `body $.days[0].date`, `state "a person"`. */
  readonly place: string;
  /** The expectation of the contract and the kind of the actual value; never a value of the provider. */
  readonly message: string;
}

/** One interaction of a pact, and whether the provider passed it. @sealed */
export interface VerifiedInteraction {
  readonly consumer: string;
  /** Whom to talk to about the contract, if the consumer names it. */
  readonly contact?: string | undefined;
  /** The file of its pact, or its URL at the broker. */
  readonly pact: string;
  readonly description: string;
  /** Its request, such as `GET /api/v1/persons?changedSince=2026-01-01`. */
  readonly request: string;
  /** Names of its provider states. */
  readonly states: readonly string[];
  /** Whether the pact is new at the broker and has never passed. It does not fail the verification. */
  readonly pending: boolean;
  readonly ok: boolean;
  readonly faults: readonly Fault[];
}

/** One verified pact. @sealed */
export interface VerifiedPact {
  /** The file, or the URL at the broker. */
  readonly pact: string;
  readonly consumer: string;
  /** SHA-256 of the verified content of the pact, in hexadecimal. */
  readonly hash: string;
  /** Whether all of its interactions passed. */
  readonly ok: boolean;
  /** Of a pact of a broker. */
  readonly notices?: BrokerNotices | undefined;
}

/** What a broker says about a pact: why it is verified, and what the outcome changes. @sealed */
export interface BrokerNotices {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The result of a verification. @sealed */
export interface VerificationResult {
  /** Whether every interaction passed, except pending ones. */
  readonly ok: boolean;
  readonly provider: string;
  readonly pacts: readonly VerifiedPact[];
  readonly interactions: readonly VerifiedInteraction[];
}

/**
 * The provider breaks a contract, or an interaction could not run. The message is the report.
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

  constructor(result: VerificationResult) {
    super('verification-failed', verificationReport(result));
    this.result = result;
  }
}

/**
 * A result as text: the counts, a line for each fault, and the notices of the broker.
 *
 * @example
 * console.log(verificationReport(await verifyProvider({ provider, source, states, token })));
 */
export function verificationReport({ ok, provider, pacts, interactions }: VerificationResult): string {
  const byConsumer = Object.groupBy(interactions, ({ consumer }) => consumer);
  const failed = interactions.filter((each) => !each.ok);
  const noticesOf = (moment: keyof BrokerNotices) => {
    const texts = pacts.flatMap(
      ({ consumer, notices }) => notices?.[moment].map((text) => `  ${consumer}: ${text}`) ?? [],
    );
    return texts.length > 0 ? [['Notices of the broker:', ...texts].join('\n')] : [];
  };
  return [
    ...noticesOf('before').map((text) => `${text}\n`),
    `Verification of ${provider} ${ok ? 'passed' : 'failed'}: ${countOf(interactions)} interactions passed.`,
    ...Object.entries(byConsumer).map(([consumer, own = []]) => `  ${consumer}: ${countOf(own)}`),
    ...failed.flatMap(({ consumer, contact, pact, description, request, states, pending, faults }) => {
      const given = states.length > 0 ? ` (given ${states.join(', ')})` : '';
      const heading = `\n${consumer}: ${description}${given}${pending ? ', pending' : ''}\n  in ${pact}`;
      const whom = contact === undefined ? [] : [`  contact: ${contact}`];
      return [heading, ...whom, `  ${request}`, ...faults.map(({ place, message }) => `  ${place}: ${message}`)];
    }),
    ...noticesOf('after').map((text) => `\n${text}`),
  ].join('\n');
}

function countOf(interactions: readonly VerifiedInteraction[]): string {
  return `${interactions.filter(({ ok }) => ok).length} of ${interactions.length}`;
}
