import { Command } from 'commander';
import { addClientsCommand } from './commands/clients.ts';
import { exitCodeOf } from './commands/exit-code.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addServeCommand } from './commands/serve.ts';

const program = new Command('service')
  .description('The HR Cloud: one entry point to master data, payroll and time management.')
  .exitOverride();

addServeCommand(program);
addMigrateCommand(program);
addClientsCommand(program);
addPaymentsCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
