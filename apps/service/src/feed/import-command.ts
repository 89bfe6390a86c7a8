import type { Socket } from 'node:net';
import type { Command } from 'commander';
import { CommandError } from '../commands/report-failure.ts';
import { callOperator, connectionToHolder } from '../operator/operator-api.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';
import { printable, printedMoment, textTable } from '../commands/terminal.ts';
import { withDatabase } from '../commands/with-database.ts';

/** The exit code of an import that left lines out. */
const LINES_LEFT_OUT = 3;

interface ImportOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Adds `import` and `imports`. */
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
      const config = readConfig(terminal.env);
      const { lines, badLines, outcomes } = await withDatabase(config, (database) =>
        importFeed(database, sources, { strict, onBadLine: report.onBadLine, onProgress: report.onProgress }),
      ).catch(async (error: unknown) => {
        const connect = (): Promise<Socket> => connectionToHolder(config, error);
        // It fails where no service is the reason.
        (await connect()).destroy();
        const { sendFeeds } = await import('./send-feeds.ts');
        return await sendFeeds(terminal, sources, { strict, report, connect });
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

  const imports = program.command('imports').description('see what became of imports, also of running ones');

  imports
    .command('list')
    .description('list imports, oldest first')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const list = await callOperator(terminal, 'operatorListImports', {});
      terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list));
    });

  imports
    .command('show')
    .description('show the counts of an import, and the lines that it left out')
    .argument('<id>', 'the id that `imports list` shows')
    .option('--json', 'print JSON')
    .action(async (importId: string, { json }: { json?: true }) => {
      const run = await callOperator(terminal, 'operatorGetImport', { path: { importId } });
      if (json) {
        terminal.stdout.write(`${JSON.stringify(run)}\n`);
        return;
      }
      terminal.stdout.write(listText([run]) + outcomesTable(run.outcomes));
      if (run.reason !== undefined) terminal.stdout.write(`${printable(run.reason)}\n`);
      const { importReport } = await import('./import-report.ts');
      const report = importReport(terminal.stdout);
      report.onRun(run);
      report.end();
    });

  imports
    .command('cancel')
    .description('end a running import behind its current batch; what it stored stays')
    .argument('<id>', 'the id that `imports list` shows')
    .action(async (importId: string) => {
      await callOperator(terminal, 'operatorCancelImport', { path: { importId } });
      terminal.stdout.write(`The import ${importId} is cancelled: it ends within seconds. What it stored stays.\n`);
    });
}

type ListedImport = OperatorResponse<'operatorGetImport'>;

function listText(list: readonly ListedImport[]): string {
  if (list.length === 0) return 'There are no imports.\n';
  const rows = list.map(({ id, state, startedAt, endedAt, lines, badLines, actor, sources }) => [
    id,
    state,
    printedMoment(startedAt),
    printedMoment(endedAt),
    String(lines),
    String(badLines),
    actor,
    sources.join(', '),
  ]);
  return textTable([['ID', 'STATE', 'STARTED (UTC)', 'ENDED', 'LINES', 'LEFT OUT', 'BY', 'SOURCE'], ...rows]);
}

const columns = ['created', 'changed', 'unchanged', 'deleted', 'erased'] as const;

function outcomesTable(outcomes: ListedImport['outcomes']): string {
  const counts = Object.entries(outcomes).filter(([, of]) => Object.values(of).some((count) => count > 0));
  return textTable([
    ['', ...columns],
    ...counts.map(([kind, of]) => [kind, ...columns.map((name) => String(of[name]))]),
  ]);
}
