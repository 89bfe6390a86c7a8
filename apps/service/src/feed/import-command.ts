import type { Command } from 'commander';
import { CommandError } from '../commands/report-failure.ts';
import type { Terminal } from '../commands/terminal.ts';
import { textTable } from '../commands/terminal.ts';
import { withDatabase } from '../commands/with-database.ts';

/** The exit code of an import that left lines out. */
const LINES_LEFT_OUT = 3;

interface ImportOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Adds `import`. */
export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('load feeds: NDJSON, one record a line')
    .argument('<file...>', 'plain or gzipped; - is the standard input')
    .option('--strict', 'check all lines first, and store nothing if one is bad')
    .option('--json', 'print the counts as JSON')
    .action(async (files: string[], { strict = false, json = false }: ImportOptions) => {
      const [{ readConfig }, { feedSource }, { importFeed }, { importReport }] = await Promise.all([
        import('../config.ts'),
        import('./feed-source.ts'),
        import('./import-feed.ts'),
        import('./import-report.ts'),
      ]);
      const sources = await Promise.all(files.map((file) => feedSource(file, terminal.stdin)));
      const report = importReport(terminal.stderr);
      const { lines, badLines, outcomes } = await withDatabase(readConfig(terminal.env), (database) =>
        importFeed(database, sources, { strict, onBadLine: report.onBadLine, onProgress: report.onProgress }),
      );
      const seconds = report.end();
      if (strict && badLines > 0) throw new CommandError('A line is bad, so nothing was stored.');
      if (json) terminal.stdout.write(`${JSON.stringify({ lines, badLines, outcomes })}\n`);
      else {
        const counts = Object.entries(outcomes).filter(([, of]) => Object.values(of).some((count) => count > 0));
        const columns = ['created', 'changed', 'unchanged', 'deleted', 'erased'] as const;
        terminal.stdout.write(
          textTable([
            ['', ...columns],
            ...counts.map(([kind, of]) => [kind, ...columns.map((name) => String(of[name]))]),
          ]),
        );
        terminal.stdout.write(`${lines} lines read, ${badLines} left out. It took ${seconds.toFixed(1)} s.\n`);
      }
      if (badLines > 0) terminal.exitCode = LINES_LEFT_OUT;
    });
}
