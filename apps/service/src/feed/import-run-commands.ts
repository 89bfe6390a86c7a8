import { printable, printedMoment } from '../terminal/terminal.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { feedOperations } from './feed-operations.ts';
import { importReport, outcomesTable } from './import-report.ts';
import type { ShownRun } from './import-run.ts';

const listText = table<ShownRun>('There are no imports.', {
  ID: 'id',
  STATE: 'state',
  'STARTED (UTC)': ({ startedAt }) => printedMoment(startedAt),
  ENDED: ({ endedAt }) => printedMoment(endedAt),
  LINES: 'lines',
  'LEFT OUT': 'badLines',
  BY: 'actor',
  SOURCE: ({ sources }) => sources.join(', '),
});

/** `imports list|show|cancel`. */
export const commands = {
  imports: commandGroup({
    list: operatorCommand(feedOperations.operatorListImports, { text: listText }),
    show: operatorCommand(feedOperations.operatorGetImport, {
      text(run) {
        const parts = [listText([run]), outcomesTable(run.outcomes)];
        if (run.reason !== undefined) parts.push(`${printable(run.reason)}\n`);
        const report = importReport({ write: (part) => parts.push(part) });
        report.onRun(run);
        report.end();
        return parts.join('');
      },
    }),
    cancel: operatorCommand(feedOperations.operatorCancelImport, {
      text: ({ id }) => `The import ${id} is cancelled: it ends within seconds. What it stored stays.\n`,
    }),
  }),
};
