import type { State } from '../states/provider-states.ts';

/** What an interaction is called where nobody named it. */
export function describeExchange(operation: string, status: number, states: readonly State[]): string {
  const given = states.map(([name]) => name).join(' and ');
  return given === '' ? `${operation}: ${status}` : `${operation}: ${status} given ${given}`;
}
