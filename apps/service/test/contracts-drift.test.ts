import { expectNoDrift } from '@hr/testing/provider';
import { expect, test } from 'vitest';
import { pactFolders } from './contracts/pact-folders.ts';

test('the contracts of our consumers agree with the operation table and the OpenAPI document', async () => {
  const { faults, unsupportedRules } = await expectNoDrift({ pacts: pactFolders() });
  expect(faults).toEqual([]);
  // Both consumers of this workspace read fields that have bounds.
  const consumers = unsupportedRules.map(({ consumer }) => consumer);
  expect(consumers).toEqual(expect.arrayContaining(['hr-auth', 'hr-client']));
});
