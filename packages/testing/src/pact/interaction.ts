import type { NotExpressed } from '../contract/matchers/not-expressed.ts';

/**
 * An exchange with the HR cloud, to which a consumer's code is put.
 *
 * @sealed
 */
export interface Interaction<Cloud> {
  /** What it is called in the contract. */
  readonly description: string;
  /** The rules of the models that the contract does not hold. */
  readonly notExpressed: readonly NotExpressed[];
  /**
   * Runs the consumer's code against a mock that expects this exchange and answers as the example says. When the code
   * is done, and the test passes, the exchange belongs to the contract.
   *
   * @returns what the code returns
   * @throws what the code throws, which a test of an error expects
   * @throws {HrTestingError} `contract-unmet` when it did not send the request or sent another one
   */
  readonly run: <Result>(code: (cloud: Cloud) => Result | Promise<Result>) => Promise<Result>;
}

/**
 * Several exchanges, to each of which the same code is put.
 *
 * @sealed
 */
export interface Interactions<Cloud> extends Iterable<Interaction<Cloud>> {
  /**
   * Runs the code for one after the other.
   *
   * @returns what the code returns, each time
   * @throws {HrTestingError} `contract-unmet` as {@link Interaction.run}
   */
  readonly run: <Result>(code: (cloud: Cloud) => Result | Promise<Result>) => Promise<Result[]>;
}
