import { stateNames } from '../states/read-state.ts';
import { scenarioOf, type Scenario } from '../states/scenario.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';

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
