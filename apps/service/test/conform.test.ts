import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conform } from '@hr/testing/conform';
import { company } from '@hr/testing/fixtures';
import { scenarioStates } from '@hr/testing/provider';
import { scenarioOf } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import { anyDriver, emptyDatabase } from './drivers.ts';

test.each(anyDriver)('the service on %s conforms to the specification', async (driver) => {
  const { url, remove } = await emptyDatabase(driver);
  const provider = await startProviderUnderTest(url);
  const folder = await mkdtemp(join(tmpdir(), 'hr-conform-'));
  const members = [...company({ persons: 10, seed: 1 })];
  const writable = members.find(({ person }) => person.address && person.bankDetails);
  await provider.load({ ...scenarioOf([]), members });
  const report = await conform({
    baseUrl: provider.url,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    folder,
    allowWrites: writable?.person.id ?? '',
    allowPayment: writable?.payrollContractIds[0] ?? '',
    reset: ({ states }) => provider.load(scenarioOf(states)),
    states: scenarioStates(() => {}),
    approvePayments: () => provider.approvePayments(),
    tokenWithoutScope: () => provider.tokenWithoutScope(),
  });
  await provider.stop();
  await remove();
  await rm(folder, { recursive: true });
  expect(report.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(report.ok).toBe(true);
});
