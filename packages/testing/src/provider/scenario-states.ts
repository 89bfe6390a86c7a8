import { stateNames } from '../states/read-state.ts';
import { scenarioOf } from '../states/scenario.ts';
import type { Scenario } from '../states/scenario.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';

/**
 * Handlers of all states, made from one function that loads a scenario. With several states it is called once for each
 * of them, each time with the whole scenario so far, so it has to replace what it loaded before.
 *
 * @example
 * const states = scenarioStates((scenario) => fake.load(scenario));
 * await verifyProvider({ provider, source, states, reset: () => fake.reset() });
 */
export function scenarioStates(load: (scenario: Scenario) => void | Promise<void>): StateHandlers {
  const handler = (_parameters: unknown, { states }: StateContext) => load(scenarioOf(states));
  return Object.fromEntries(stateNames.map((name) => [name, handler]));
}
