/**
 * One thing that does not hold.
 *
 * @sealed
 */
export interface Fault {
  /** Where, such as `status`, `header Content-Type`, `body $.days[0].date`, `state "a person"`, `pact payroll.json`. */
  readonly place: string;
  /** What is wrong there, and what would be right. */
  readonly sentence: string;
}

/**
 * One interaction of a contract, and whether the provider holds it.
 *
 * @sealed
 */
export interface VerifiedInteraction {
  readonly consumer: string;
  readonly description: string;
  /** Names of its states. */
  readonly states: readonly string[];
  /** A pending one is new at the broker and has never been held: it does not fail the verification. */
  readonly pending: boolean;
  readonly ok: boolean;
  readonly faults: readonly Fault[];
}

/**
 * What a verification found: each interaction of each contract.
 *
 * @sealed
 */
export interface VerificationResult {
  /** Whether every interaction that is not pending holds, and nothing else is wrong. */
  readonly ok: boolean;
  readonly provider: string;
  readonly interactions: readonly VerifiedInteraction[];
  /** What is wrong with the verification itself, such as no pact found. */
  readonly faults: readonly Fault[];
}
