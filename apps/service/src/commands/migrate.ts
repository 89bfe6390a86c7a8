import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the tables of the database up to date; every other command does so first')
    .action(async () => {
      const { readConfig } = await import('../config/config.ts');
      const applied = await withDatabase(readConfig(terminal.env), async (_database, names) => names);
      terminal.stdout.write(applied.length === 0 ? 'The tables are up to date.\n' : `Applied ${applied.join(', ')}.\n`);
    });
}
