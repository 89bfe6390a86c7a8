import type { BrokerSource } from './broker-source.ts';
import type { StateHandlers } from './state-handlers.ts';

/** Gives an access token; it is asked for each request, once its states are there. */
export type TokenSource = () => string | Promise<string>;

/** Pact files, and folders whose `.json` files are pacts. All must be of the provider. */
export interface PactFiles {
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
}

/** Who is verified, and against which contracts. */
export interface VerifyOptions {
  readonly provider: {
    /** Base URL of the provider under test, such as `http://127.0.0.1:4010`. */
    readonly url: string;
  };
  /** Where the pacts come from. */
  readonly source: PactFiles | { readonly broker: BrokerSource };
  /** What makes provider states true. */
  readonly states: StateHandlers;
  /** Runs before each interaction, also before one without states, and before its states. */
  readonly reset?: () => void | Promise<void>;
  /** A valid token of the scope `api:use`, which replaces the example of the pacts. Needed where a pact has it. */
  readonly token?: TokenSource;
  /** A valid token without that scope. Needed where a pact has it. */
  readonly tokenWithoutScope?: TokenSource;
  /** Where to write `contracts.txt`, `contracts.xml` (JUnit) and `contracts.json`. */
  readonly report?: { readonly dir: string };
}
