import type { BrokerSource } from './broker.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';

/** Gives an access token. The verification calls it before each request that needs one, after the provider states. */
export type TokenSource = () => string | Promise<string>;

/** What is verified, and against which pacts. */
export interface VerifyOptions {
  readonly provider: {
    /** Base URL of the provider, such as `http://127.0.0.1:4010`. */
    readonly url: string;
  };
  /** Pact files and folders of them, each of which has to have a pact; or a broker. */
  readonly source: { readonly pacts: readonly string[] } | { readonly broker: BrokerSource };
  /** Sets up provider states. */
  readonly states: StateHandlers;
  /** Runs before each interaction, also one without states, and before its states. */
  readonly reset?: (context: StateContext) => void | Promise<void>;
  /** A valid token with the scope `api:use`; sent in place of `contract-token`, and required where a pact sends that. */
  readonly token?: TokenSource;
  /** A valid token without that scope; sent in place of `token-without-scope`, and required where a pact sends that. */
  readonly tokenWithoutScope?: TokenSource;
}
