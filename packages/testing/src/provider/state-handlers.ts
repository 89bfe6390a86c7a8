import type { ProviderState, StateName, StateParameters } from '../states/provider-states.ts';

/**
 * What a state handler gets beside the parameters of its state, and `reset` before it.
 *
 * @sealed
 */
export interface StateContext {
  /** The states of the interaction in their order, for a handler up to its own. */
  readonly states: readonly ProviderState[];
}

/** Sets up one state at the provider. The interaction fails when it throws. */
export type StateHandler<Name extends StateName> = (
  parameters: StateParameters<Name>,
  context: StateContext,
) => void | Promise<void>;

/** A handler for each state. An interaction fails when one of its states has none. */
export type StateHandlers = { readonly [Name in StateName]?: StateHandler<Name> };
