// pnpm --filter service run verify-contracts: tells whether this service holds contracts.
import { startProviderUnderTest } from './provider-under-test.ts';
import { verificationCommand } from './verification-command.ts';

await verificationCommand(process.argv.slice(2), process, {
  startProvider: startProviderUnderTest,
  reports: 'reports',
});
