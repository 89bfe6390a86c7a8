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
import type { Terminal } from './terminal.ts';

/** The command line of the service: every command, and what its arguments are. */
export function serviceProgram(terminal: Terminal): Command {
  const program = new Command('service')
    .description('The HR Cloud: one entry point to master data, payroll and time management.')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride();

  addDemoCommand(program, terminal);
  addServeCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addImportCommand(program, terminal);
  addClientsCommand(program, terminal);
  addCustomFieldsCommand(program, terminal);
  addPaymentsCommand(program, terminal);
  addAuditCommand(program, terminal);
  addPersonCommands(program, terminal);
  return program;
}
