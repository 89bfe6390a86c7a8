import type { PactFiles } from '../verify-options.ts';

/** A version of a participant, and where it is or shall be. */
export interface Release {
  /** The name of a consumer, or `hr-cloud`. */
  readonly participant: string;
  /** Names what is deployed, such as the commit or a version number; the same as when it was verified. */
  readonly version: string;
  readonly environment: string;
}

/** A release, and what is known without a broker. */
export interface OfflineRelease extends Release {
  /** The committed file of deployments and verifications, such as `contracts/deployed.json`. */
  readonly records: string;
  /** The pacts of this version; needed for a consumer. */
  readonly pacts?: PactFiles;
}
