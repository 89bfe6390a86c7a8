import { Command } from 'commander';
import { addDemoCommand } from '../demo/demo-command.ts';
import { addImportCommand } from '../feed/import-command.ts';
import type { CommandContext } from '../operator/operator-api.ts';
import type { DefineCommand } from '../operator/operator-command.ts';
import { addMigrateCommand } from './migrate.ts';
import { reportFailure } from './report-failure.ts';
import { addServeCommand } from './serve.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Runs a command, such as `['clients', 'list']`, to its end. One that fails says why and leaves an exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await (await serviceProgram(terminal, args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    terminal.exitCode = reportFailure(error, terminal.stderr);
  }
}

type Load = () => Promise<{ readonly commands: Readonly<Record<string, DefineCommand>> }>;

/** The commands for operators, which follow from the table of operations: it takes longer to load than most commands. */
const operatorCommands: readonly (readonly [load: Load, usages: Record<string, string>])[] = [
  [() => import('../feed/import-run-commands.ts'), { imports: 'see what became of imports, also of running ones' }],
  [() => import('../clients/client-commands.ts'), { clients: 'manage the programs that may use the API' }],
  [
    () => import('../clients/custom-field-commands.ts'),
    { 'custom-fields': 'say which custom fields of persons a client sees; by default none' },
  ],
  [() => import('../webhooks/webhook-commands.ts'), { webhooks: 'see and manage where clients hear of changes' }],
  [() => import('../payroll/payment-commands.ts'), { payments: 'decide on variable payments' }],
  [
    () => import('../audit/audit-commands.ts'),
    { audit: 'see who read or changed what, and whose requests were refused' },
  ],
  [
    () => import('../erasure/personal-data-commands.ts'),
    {
      'export <person>': 'print all that is stored about a person, as JSON',
      'erase <person>': 'erase for good all that is stored about a person; no import brings it back',
      'readmit <person>': 'let imports bring an erased person again',
    },
  ],
];

/**
 * The command line of the service: every command, and the arguments of those that `args` name. What a command does is
 * imported when it runs, because importing all of it takes longer than most commands do.
 */
export async function serviceProgram(terminal: Terminal, args: readonly string[]): Promise<Command> {
  const program = new Command('service')
    .description('The HR Cloud: one entry point to master data, payroll and time management.')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride()
    .option('--environment <host>', 'which environment of HR_ENVIRONMENTS')
    .hook('preAction', async () => {
      const { environment } = program.opts<{ environment?: string }>();
      if (environment !== undefined) terminal.env = { ...terminal.env, HR_ENVIRONMENT: environment };
      const { unknownSettings } = await import('../config/config.ts');
      const warning = unknownSettings(terminal.env);
      if (warning !== undefined) terminal.stderr.write(`${warning}\n`);
    });

  const context: CommandContext = {
    terminal,
    createServer: async (service) => (await import('../server.ts')).createServer(service),
  };
  addDemoCommand(program, terminal);
  addServeCommand(program, terminal);
  addMigrateCommand(program, terminal);
  addImportCommand(program, context);
  for (const [load, usages] of operatorCommands) {
    for (const [usage, description] of Object.entries(usages)) {
      const [name = ''] = usage.split(' ');
      const isNamed = args.includes(name);
      const command = program.command(isNamed ? name : usage).description(description);
      // oxlint-disable-next-line no-await-in-loop -- in the order of the help
      if (isNamed) (await load()).commands[name]?.(command, context);
    }
  }
  return program;
}
