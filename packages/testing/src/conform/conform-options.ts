import type { WireNames } from '@hr/schemas';
import type { VerifyOptions } from '../provider/verify-options.ts';
import type { CheckResult } from './check.ts';

/**
 * The HR cloud to check, and what the check may change. With `states`, the check also runs behaviour cases and contracts:
 * **it then removes everything from the HR cloud**.
 */
export interface ConformOptions extends Partial<
  Pick<VerifyOptions, 'states' | 'reset' | 'tearDown' | 'approvePayments' | 'tokenWithoutScope'>
> {
  readonly baseUrl: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** A token with the scope `api:use`, instead of a client. The checks of the token endpoint need a client. */
  readonly token?: string | undefined;
  /**
   * The id of a person whose address and bank details may be changed. They are restored at the end, except that only
   * the first address is readable: other addresses are lost.
   */
  readonly allowWrites?: string | undefined;
  /** The id of a contract for which one payment may be submitted. It cannot be withdrawn. */
  readonly allowPayment?: string | undefined;
  /** Names of query parameters in the URL, as for `createHrClient`. Default for each: the run tries usual names. */
  readonly wireNames?: WireNames | undefined;
  /** The seed of the generated requests and samples. Default: random. */
  readonly seed?: number | undefined;
  /** The folder of the file that keeps what to restore. Default: the working directory. */
  readonly folder?: string | undefined;
  /** Interrupts the run: the report has what was found so far. */
  readonly signal?: AbortSignal | undefined;
  /** Receives a line about each step. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** The number of requests with a status, and of their fields. */
export type Coverage = Record<string, Record<string, { requests: number; fields: Record<string, number> }>>;

/**
 * Whether an HR cloud conforms to the specification. It contains no value of a person.
 *
 * @sealed
 */
export interface ConformReport {
  /** Whether no check with the severity `must` failed, and the person is restored. */
  readonly ok: boolean;
  readonly interrupted: boolean;
  readonly baseUrl: string;
  /** Repeats the generated requests. */
  readonly seed: number;
  /** For `createHrClient`: names of query parameters that differ from those of the packages. */
  readonly wireNames: WireNames;
  /** What the run changed, restored or could not restore, and reasons for which many checks are not tried. */
  readonly notes: readonly string[];
  readonly checks: readonly CheckResult[];
  /** Requests by operation and status, with the number of occurrences of each field. */
  readonly coverage: Coverage;
}
