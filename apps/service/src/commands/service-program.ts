import { Command } from 'commander';
import { addAuditCommand } from './audit.ts';
import { addClientsCommand } from './clients.ts';
import { addCustomFieldsCommand } from './custom-fields.ts';
import { addDemoCommand } from './demo.ts';
import { addImportCommand } from './import.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPaymentsCommand } from './payments.ts';
import { addPersonCommands } from './persons.ts';
import { addServeCommand } from './serve.ts';

/** The command line of the service: every command, and what its arguments are. */
export function serviceProgram(): Command {
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
  return program;
}
