import type { Exchange } from './exchange.ts';
import type { PactInteraction } from '../contract/pact-interaction.ts';

/** An interaction that somebody has made, to be run. */
export interface MadeInteraction {
  readonly consumer: string;
  /** The contract's file. */
  readonly file: string;
  /** The test in which it was made or run, or its file alone. */
  readonly test: string;
  /** The file of tests in which it was made outside of them, as for `test.each`: it may be for a test that is skipped. */
  readonly collectedIn?: string;
  readonly exchange: Exchange;
}

/** What one run of an interaction adds to a contract. */
export interface ContractPart extends MadeInteraction {
  readonly interaction: PactInteraction;
}

/** What the tests are told by whoever makes the files of contracts. */
export interface ContractFolders {
  /** Where parts are left. */
  readonly parts: string;
  /** The folder of the tests' project, where relative folders begin. */
  readonly root: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly 'hr-contracts': ContractFolders;
  }
}
