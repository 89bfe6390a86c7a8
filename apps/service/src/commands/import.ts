import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { feedSource } from '../ingest/feed-source.ts';
import { importFeed } from '../ingest/import-feed.ts';
import { importReport } from '../ingest/import-report.ts';
import { CommandError } from './command-error.ts';
import { textTable } from './text-table.ts';
import { withDatabase } from './with-database.ts';

/** The exit code of an import that left lines out. */
const LINES_LEFT_OUT = 3;

interface ImportOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Adds `import`. */
export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('load feeds: NDJSON, one record a line')
    .argument('<file...>', 'plain or gzipped; - is the standard input')
    .option('--strict', 'stop at the first bad line and store nothing')
    .option('--json', 'print the counts as JSON')
    .action(async (files: string[], { strict = false, json = false }: ImportOptions) => {
      const sources = await Promise.all(files.map(feedSource));
      const report = importReport(process.stderr);
      const { lines, badLines, outcomes } = await withDatabase(readConfig(process.env), (database) =>
        importFeed(database, sources, { strict, onBadLine: report.onBadLine, onProgress: report.onProgress }),
      );
      const seconds = report.end();
      if (strict && badLines > 0) throw new CommandError('A line is bad, so nothing was stored.');
      if (json) process.stdout.write(`${JSON.stringify({ lines, badLines, outcomes })}\n`);
      else {
        const counts = Object.entries(outcomes).filter(([, of]) => Object.values(of).some((count) => count > 0));
        const columns = ['created', 'changed', 'unchanged', 'deleted', 'erased'] as const;
        process.stdout.write(
          textTable([
            ['', ...columns],
            ...counts.map(([kind, of]) => [kind, ...columns.map((name) => String(of[name]))]),
          ]),
        );
        process.stdout.write(`${lines} lines read, ${badLines} left out. It took ${seconds.toFixed(1)} s.\n`);
      }
      if (badLines > 0) process.exitCode = LINES_LEFT_OUT;
    });
}
