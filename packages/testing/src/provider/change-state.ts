import { readState } from '../states/read-state.ts';
import type { State } from '../states/provider-states.ts';
import { runHook } from './run-hook.ts';
import type { StateContext, StateHandlers } from './state-handlers.ts';
import type { Visit } from './visit.ts';

type AnyHandler = (parameters: unknown, context: StateContext) => void | Promise<void>;

/** Makes a state true for an interaction, or notes why it is not. After a fault nothing more is made. */
export async function changeState(
  visit: Visit,
  { name, parameters }: { readonly name: string; readonly parameters: unknown },
  handlers: StateHandlers,
): Promise<void> {
  const place = `state "${name}"`;
  visit.stateNames.push(name);
  if (visit.faults.length > 0) return;
  let state: State;
  try {
    state = readState(name, parameters);
  } catch (error) {
    visit.faults.push({ place, sentence: messageOf(error) });
    return;
  }
  visit.states.push(state);
  const handler = handlers[state[0]] as AnyHandler | undefined;
  if (!handler) {
    visit.faults.push({ place, sentence: 'The option states has no handler for it.' });
    return;
  }
  try {
    await runHook(() => handler(state[1] ?? {}, { states: [...visit.states] }));
  } catch (error) {
    visit.errors.push(error);
    visit.faults.push({ place, sentence: `Its handler has thrown: ${messageOf(error)}` });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
