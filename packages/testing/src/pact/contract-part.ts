import type { NotExpressed } from './matchers/not-expressed.ts';
import type { PactInteraction } from './pact-interaction.ts';

/** What one run of an interaction adds to a contract. */
export interface ContractPart {
  readonly consumer: string;
  /** The contract's file. */
  readonly file: string;
  /** The test that ran it. */
  readonly test: string;
  readonly interaction: PactInteraction;
  readonly notExpressed: readonly NotExpressed[];
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
