import type { ProviderState, StateName, StateParameters } from '../states/provider-states.ts';

/**
 * The context of a state handler and of `reset`.
 *
 * @sealed
 */
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
export type StateHandlers = { readonly [Name in StateName]?: StateHandler<Name> };
