import { responseCheck, operations } from '@hr/schemas';
import type { Call } from './call.ts';
import type { HrClientSettings } from './hr-client-options.ts';
import { places, placesOf } from './hr-problem.ts';

/** Lets a broken bound pass, with an event, unless the client is to throw; a wrong type never. */
export function checkAnswer({ onInvalid }: HrClientSettings, call: Call, value: unknown): void {
  const faults = responseCheck(call.operation)(value);
  if (faults.length === 0) return;

  const errors = placesOf(faults, operations[call.operation].list ? `/${call.elements}` : '');
  if (onInvalid === 'report' && !faults.some(({ unusable }) => unusable)) {
    call.invalid(errors);
    return;
  }
  const title = 'The answer is not what the API says';
  throw call.error('invalid-response', `the answer is not what the API says${places({ errors })}`, {
    type: 'about:blank',
    title,
    status: undefined,
    requestId: undefined,
    errors,
  });
}
