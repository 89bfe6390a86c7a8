// pnpm --filter service run verify-contracts: prints whether this service passes contracts.
import { startProviderUnderTest } from './provider-under-test.ts';
import { verificationCommand } from './verification-command.ts';

await verificationCommand(process.argv.slice(2), process, startProviderUnderTest);
