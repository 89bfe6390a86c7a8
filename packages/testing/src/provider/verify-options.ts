import type { ProviderState, StateName, StateParameters } from '../states/provider-states.ts';
import { stateNames } from '../states/read-state.ts';
import { scenarioOf, type Scenario } from '../states/scenario.ts';
import type { Broker } from './broker.ts';
import type { VerificationRecord } from './deployment-records.ts';

/** The context of a state handler and of `reset`. @sealed */
export interface StateContext {
  /** The states of the interaction in order; for a handler, up to its own state. */
  readonly states: readonly ProviderState[];
}

/** Sets up one state at the provider. If it throws, the interaction fails. */
export type StateHandler<Name extends StateName> = (
  parameters: StateParameters<Name>,
  context: StateContext,
) => void | Promise<void>;

/** A handler for each state. An interaction fails if one of its states has no handler. */
export type StateHandlers = { readonly [Name in StateName]?: StateHandler<Name> | undefined };

/**
 * Creates handlers of all states from one function that loads a scenario. For several states, the function runs once
 * for each, with the whole scenario so far. So it must replace the data that it loaded before.
 *
 * @example
 * const states = scenarioStates((scenario) => fake.load(scenario));
 * await verifyProvider({ provider, source, states, reset: () => fake.reset() });
 */
export function scenarioStates(load: (scenario: Scenario) => void | Promise<void>): StateHandlers {
  const handler = (_parameters: unknown, { states }: StateContext) => load(scenarioOf(states));
  return Object.fromEntries(stateNames.map((name) => [name, handler]));
}

/** Returns an access token. The verification calls it before each request that needs one, after the provider states. */
export type TokenSource = () => string | Promise<string>;

/** The provider to verify, and its pacts. */
export interface VerifyOptions {
  readonly provider: {
    /** Base URL of the provider, such as `http://127.0.0.1:4010`. */
    readonly url: string;
  };
  /** Pact files and folders, each with at least one pact, and where to record the result, in CI only; or a broker. */
  readonly source:
    | { readonly pacts: readonly string[]; readonly record?: VerificationRecord | undefined }
    | { readonly broker: Broker };
  /** Sets up provider states. */
  readonly states: StateHandlers;
  /** Runs before each interaction, before its states, even if it has none. */
  readonly reset?: ((context: StateContext) => void | Promise<void>) | undefined;
  /** Runs after each interaction, with its states. */
  readonly tearDown?: ((context: StateContext) => void | Promise<void>) | undefined;
  /**
   * Approves all submitted payments. It runs after an interaction that submits one, which then has to be listed. Without
   * it, a provider passes that loses submitted payments.
   */
  readonly approvePayments?: (() => void | Promise<void>) | undefined;
  /** A valid token with the scope `api:use`. It replaces `contract-token`, and is required if a pact sends that. */
  readonly token?: TokenSource | undefined;
  /** A valid token without that scope. It replaces `token-without-scope`, and is required if a pact sends that. */
  readonly tokenWithoutScope?: TokenSource | undefined;
}
