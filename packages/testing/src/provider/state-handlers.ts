import type { ProviderState, StateName, StateParameters } from '../states/provider-states.ts';

/**
 * What a state handler learns beside the parameters of its state.
 *
 * @sealed
 */
export interface StateContext {
  /** The states of this interaction so far, in the order of its contract; the last one is the handler's own. */
  readonly states: readonly ProviderState[];
}

/** Makes one state true at the provider. Where it throws, the interaction has failed. */
export type StateHandler<Name extends StateName> = (
  parameters: StateParameters<Name>,
  context: StateContext,
) => void | Promise<void>;

/** A handler for each state; an interaction whose state has none fails. */
export type StateHandlers = { readonly [Name in StateName]?: StateHandler<Name> };
