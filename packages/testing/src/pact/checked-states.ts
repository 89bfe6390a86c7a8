import { statesOf } from '../states/provider-states.ts';
import type { Given, State } from '../states/provider-states.ts';
import { readState } from '../states/read-state.ts';

/**
 * The states of an interaction, as they were given.
 *
 * @throws {HrTestingError} `invalid-option` where the kit has no such state, or it takes other parameters: nobody could
 * verify the contract.
 */
export function checkedStates(given: Given): readonly State[] {
  const states = statesOf(given);
  for (const [name, parameters] of states) readState(name, parameters);
  return states;
}
