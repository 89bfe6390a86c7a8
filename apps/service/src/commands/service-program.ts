import { Command } from 'commander';
import { addAuditCommand } from '../audit/audit-command.ts';
import { addClientsCommand } from '../clients/clients-command.ts';
import { addCustomFieldsCommand } from '../clients/custom-fields-command.ts';
import { addDemoCommand } from '../demo/demo-command.ts';
import { addImportCommand } from '../feed/import-command.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPaymentsCommand } from '../payroll/payments-command.ts';
import { addPersonCommands } from '../erasure/erasure-commands.ts';
import { reportFailure } from './report-failure.ts';
import { addServeCommand } from './serve.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command, such as `['clients', 'list']`, to its end. One that fails says why and leaves an exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await serviceProgram(terminal).parseAsync(args, { from: 'user' });
  } catch (error) {
    terminal.exitCode = reportFailure(error, terminal.stderr);
  }
}

/**
 * The command line of the service: every command and its arguments. What a command does is imported when it runs, because
 * importing all of it takes longer than most commands do.
 */
export function serviceProgram(terminal: Terminal): Command {
  const program = new Command('service')
    .description('The HR Cloud: one entry point to master data, payroll and time management.')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride()
    .hook('preAction', async () => {
      const { unknownSettings } = await import('../config.ts');
      const warning = unknownSettings(terminal.env);
      if (warning !== undefined) terminal.stderr.write(`${warning}\n`);
    });

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
