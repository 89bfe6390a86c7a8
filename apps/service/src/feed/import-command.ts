import type { Socket } from 'node:net';
import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.ts';
import { connectionToHolder, type CommandContext } from '../operator/operator-api.ts';
import { withDatabase } from '../terminal/with-database.ts';

/** The exit code of an import that left lines out. */
const LINES_LEFT_OUT = 3;

export function addImportCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('import')
    .description('load feeds: NDJSON, one record a line')
    .argument('<file...>', 'plain or gzipped; - is the standard input')
    .option('--strict', 'check all lines first, and store nothing if one is bad')
    .option('--json', 'print the counts as JSON')
    .action(async (files: string[], { strict = false, json }: { strict?: boolean; json?: boolean }) => {
      const [{ readConfig }, { feedSource }, { importFeed }, { importReport, outcomesTable }] = await Promise.all([
        import('../config/config.ts'),
        import('./feed-source.ts'),
        import('./import-feed.ts'),
        import('./import-report.ts'),
      ]);
      const sources = await Promise.all(files.map((file) => feedSource(file, terminal.stdin)));
      const report = importReport(terminal.stderr);
      const config = readConfig(terminal.env);
      const { lines, badLines, outcomes } = await withDatabase(config, (database) =>
        importFeed(database, sources, { strict, onBadLine: report.onBadLine, onProgress: report.onProgress }),
      ).catch(async (error: unknown) => {
        const connect = (): Promise<Socket> => connectionToHolder(config, error);
        // It fails where no service is the reason.
        (await connect()).destroy();
        const { sendFeeds } = await import('./send-feeds.ts');
        return await sendFeeds(context, sources, { strict, report, connect });
      });
      const seconds = report.end();
      if (strict && badLines > 0) throw new CommandError('A line is bad, so nothing was stored.');
      if (json) terminal.stdout.write(`${JSON.stringify({ lines, badLines, outcomes })}\n`);
      else {
        terminal.stdout.write(outcomesTable(outcomes));
        terminal.stdout.write(`${lines} lines read, ${badLines} left out. It took ${seconds.toFixed(1)} s.\n`);
      }
      if (badLines > 0) terminal.exitCode = LINES_LEFT_OUT;
    });
}
