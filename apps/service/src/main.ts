import { Command } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addClientsCommand } from './commands/clients.ts';
import { addCustomFieldsCommand } from './commands/custom-fields.ts';
import { addDemoCommand } from './commands/demo.ts';
import { reportFailure } from './commands/report-failure.ts';
import { addImportCommand } from './commands/import.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addPersonCommands } from './commands/persons.ts';
import { addServeCommand } from './commands/serve.ts';

// What is written here, a database folder above all, is for nobody but this user to read.
process.umask(0o077);

const program = new Command('service')
  .description('The HR Cloud: one entry point to master data, payroll and time management.')
  .exitOverride();

addDemoCommand(program);
addServeCommand(program);
addMigrateCommand(program);
addImportCommand(program);
addClientsCommand(program);
addCustomFieldsCommand(program);
addPaymentsCommand(program);
addAuditCommand(program);
addPersonCommands(program);

// A reader such as `head` that has enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
