import { issuesOf } from '@hr/schemas';
import type { z } from 'zod';
import { invalidOption } from '../hr-testing-error.ts';
import { providerStates, type ProviderState, type StateName } from './provider-states.ts';

/** The names of all provider states. */
export const stateNames = Object.keys(providerStates) as readonly StateName[];

/**
 * Checks a state from an external source, such as a contract file.
 *
 * @throws {HrTestingError} `invalid-option` if the state is unknown, or its parameters are invalid.
 * @example
 * readState('a person', { id: '4711' }); // ['a person', { id: '4711' }]
 */
export function readState(name: string, parameters: unknown = {}): ProviderState {
  const place = `provider state "${name}"`;
  const known = stateNames.find((each) => each === name);
  const model: z.ZodType | undefined = known && providerStates[known];
  if (model) return [name, checked(place, model, parameters)] as ProviderState;
  throw invalidOption(`${place}: unknown. Use one of: ${stateNames.join(', ')}.`);
}

/**
 * Checks a value against a model.
 *
 * @param place the subject of the error message
 * @throws {HrTestingError} `invalid-option`, with the JSON pointer and the remedy of each issue.
 */
export function checked<Model>(place: string, model: z.ZodType<Model>, value: unknown): Model {
  const { success, data, error } = model.safeParse(value);
  if (success) return data;
  const issues = issuesOf(error, value).map(({ pointer, detail }) => `${pointer} ${detail}`.trimStart());
  throw invalidOption(`${place}: ${issues.join('; ')}.`);
}
