import { expect, test } from 'vitest';
import { interactionNames } from '../src/pact/vitest/interaction-names.ts';

const identity = (...parts: readonly unknown[]): string => JSON.stringify(parts);

test('interactions of one description are told apart by what differs in their states', () => {
  const identities = [
    identity('alone', ['a person', { id: '1' }]),
    identity('persons', ['a person', { id: '1', jobTitle: 'Baker' }], ['an outdated time component', {}]),
    identity('persons', ['a person', { id: '2', jobTitle: 'Baker' }], ['an outdated time component', {}]),
    identity('persons', ['a person', { id: '2', jobTitle: 'Baker', address: null }]),
    identity('named', ['a used-up rate limit', {}]),
    identity('named', ['an unavailable service', {}]),
    identity('named'),
  ];
  expect([...interactionNames(identities).values()]).toEqual([
    'alone',
    'persons (id 1, given an outdated time component)',
    'persons (id 2, given an outdated time component)',
    'persons (id 2, address null)',
    'named (given a used-up rate limit)',
    'named (given an unavailable service)',
    'named',
  ]);
});
