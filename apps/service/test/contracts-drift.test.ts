import { expectNoDrift } from '@hr/testing/provider';
import { expect, test } from 'vitest';
import { pactFiles } from './contracts/pact-files.ts';

test('the contracts of our consumers are what the operation table and the OpenAPI document say', async () => {
  const { faults, unheld } = await expectNoDrift({ pacts: { files: pactFiles() } });
  expect(faults).toEqual([]);
  // Both consumers read fields that have bounds.
  expect(new Set(unheld.map(({ consumer }) => consumer))).toEqual(new Set(['hr-auth', 'hr-client']));
});
