import type { BrokerSource } from './broker.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';

/** Returns an access token. The verification calls it before each request that needs one, after the provider states. */
export type TokenSource = () => string | Promise<string>;

/** The provider to verify, and its pacts. */
export interface VerifyOptions {
  readonly provider: {
    /** Base URL of the provider, such as `http://127.0.0.1:4010`. */
    readonly url: string;
  };
  /** Pact files and folders, each with at least one pact; or a broker. */
  readonly source: { readonly pacts: readonly string[] } | { readonly broker: BrokerSource };
  /** Sets up provider states. */
  readonly states: StateHandlers;
  /** Runs before each interaction, before its states, even if it has none. */
  readonly reset?: (context: StateContext) => void | Promise<void>;
  /** Runs after each interaction, with its states. */
  readonly tearDown?: (context: StateContext) => void | Promise<void>;
  /**
   * Approves all submitted payments. It runs after an interaction that submits one, which then has to be listed. Without
   * it, a provider passes that loses submitted payments.
   */
  readonly approvePayments?: () => void | Promise<void>;
  /** A valid token with the scope `api:use`. It replaces `contract-token`, and is required if a pact sends that. */
  readonly token?: TokenSource;
  /** A valid token without that scope. It replaces `token-without-scope`, and is required if a pact sends that. */
  readonly tokenWithoutScope?: TokenSource;
}
