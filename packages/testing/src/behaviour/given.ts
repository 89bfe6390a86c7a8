import { systems, type System } from '@hr/schemas/rules';
import type { ProviderState } from '../states/provider-states.ts';

// States of several tables of cases.

export const contract: ProviderState = ['a contract', { payrollContractId: '1-77', personId: '4711' }];

/** The day on which {@link changed} persons changed. */
export const day = '2026-03-02';

export function changed(names: readonly System[], id = '4711', since = day): ProviderState {
  return ['a person who changed', { id, systems: [...names], since }];
}

/** The ways in which a person can be deleted: the state, and how lists of changes mark it. */
export function deletions(id: string) {
  return [
    { name: 'a deleted person', state: ['a deleted person', { id }], mark: { deleted: true } },
    { name: 'an erased person', state: ['an erased person', { id }], mark: { erased: true } },
  ] as const;
}

/** Sets of systems that can have changed. */
export const systemSets: readonly System[][] = [
  ...systems.map((system) => [system]),
  ['payroll', 'time'],
  ['master', 'time'],
  [...systems],
];
