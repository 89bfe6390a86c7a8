/**
 * Something that a contract and the API do not say alike.
 *
 * @sealed
 */
export interface Drift {
  readonly consumer: string;
  /** Of the interaction. */
  readonly description: string;
  /** Where in the interaction, such as `answer /0/jobTitle`, `request /iban`, `query changedSince`. */
  readonly place: string;
  readonly sentence: string;
}

/**
 * What came of holding contracts against the API.
 *
 * @sealed
 */
export interface DriftReport {
  /** What is wrong in a contract: it asks for, sends or lets pass what the API does not know or allow. */
  readonly faults: readonly Drift[];
  /** What is right, but should be known: deprecated fields, exact values. */
  readonly notes: readonly Drift[];
  /** What the API says of used fields and no matcher of the contract holds: a change of the provider could break it unseen. */
  readonly unheld: readonly Drift[];
}

/** A drift of an interaction, and what it means. */
export interface Finding extends Pick<Drift, 'place' | 'sentence'> {
  readonly kind: keyof DriftReport;
}
