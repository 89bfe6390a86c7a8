import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { CommandError } from '../terminal/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';
import { explain } from './report-failure.ts';

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description(
      'bring the tables of the database up to date, or of all in HR_ENVIRONMENTS; every other command does so first',
    )
    .action(async () => {
      const { readConfig, readEnvironments } = await import('../config/config.ts');
      const all = readEnvironments(terminal.env);
      if (!all) {
        terminal.stdout.write(`${await migrated(readConfig(terminal.env))}\n`);
        return;
      }
      const failed: string[] = [];
      for (const [host, config] of all.environments) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const outcome = await (config.paused ? Promise.resolve('It is paused, so left out.') : migrated(config)).catch(
          (error: unknown) => {
            failed.push(host);
            return explain(error);
          },
        );
        terminal.stdout.write(`${host}: ${outcome}\n`);
      }
      if (failed.length > 0) throw new CommandError(`The tables of ${failed.join(', ')} are not up to date.`);
    });
}

function migrated(config: Config): Promise<string> {
  return withDatabase(config, async (_database, applied) =>
    applied.length === 0 ? 'The tables are up to date.' : `Applied ${applied.join(', ')}.`,
  );
}
