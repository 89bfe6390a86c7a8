import { stateNames } from '../states/read-state.ts';
import { stageOf } from '../states/stage.ts';
import type { Stage } from '../states/stage.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';

/**
 * Handlers of all states, made from one function: it gets all that the provider has to hold so far. With several states
 * it is called once for each of them, each time with the whole stage, so it has to replace what it did for the one before.
 *
 * @example
 * await verifyProvider({ provider, source, states: stagedStates((stage) => fake.apply(stage)), reset: () => fake.reset() });
 */
export function stagedStates(apply: (stage: Stage) => void | Promise<void>): StateHandlers {
  const handler = (_parameters: unknown, { states }: StateContext) => apply(stageOf(states));
  return Object.fromEntries(stateNames.map((name) => [name, handler]));
}
