import { issuesOf } from '@hr/schemas';
import { providerStates } from './provider-states.ts';
import type { State, StateName } from './provider-states.ts';

/** The names of all provider states. */
export const stateNames = Object.keys(providerStates) as readonly StateName[];

/**
 * A state that somebody else has written, such as the file of a contract.
 *
 * @throws {RangeError} when there is no such state, or it takes no such parameters.
 */
export function readState(name: string, parameters: unknown = {}): State {
  const known = stateNames.find((each) => each === name);
  if (!known) throw new RangeError(`There is no provider state "${name}"; there are: ${stateNames.join(', ')}.`);
  const { success, data, error } = providerStates[known].safeParse(parameters);
  if (success) return [known, data] as State;
  const faults = issuesOf(error, parameters).map(({ pointer, detail }) => `${pointer} ${detail}`);
  throw new RangeError(`The provider state "${name}" takes other parameters: ${faults.join('; ')}.`);
}
