import { Option } from 'commander';
import type { Command } from 'commander';
import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from '../database/database-errors.ts';
import { printJson } from '../commands/print-json.ts';
import { CommandError } from '../commands/report-failure.ts';
import { accesses } from './audit-events.ts';
import { checkedResponse, readOperator } from '../operator/operator-api.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';
import { printedMoment, textTable } from '../commands/terminal.ts';
import { withDatabase } from '../commands/with-database.ts';

/** The options, with the query parameter that each stands for. */
const filters = {
  person: 'personId',
  contract: 'payrollContractId',
  object: 'objectId',
  actor: 'actor',
  operation: 'operation',
  access: 'access',
  request: 'requestId',
  since: 'since',
  until: 'until',
  last: 'last',
} as const;

type Filters = { readonly [Name in keyof typeof filters]?: string };

/** Adds `audit list` and `audit prune`. */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('see who read or changed what, and whose requests were refused');
  audit
    .command('list')
    .description('list the events of the audit that match all of the options, oldest first')
    .option('--person <id>', 'about this person')
    .option('--contract <id>', 'about this payroll contract')
    .option('--object <id>', 'about this variable payment or client')
    .option('--actor <id>', 'by this client; "command line" is that of this machine, "unknown" did not prove who it is')
    .option('--operation <name>', 'through this operation, such as listSalaryHistory')
    .addOption(new Option('--access <access>', 'only reads, changes, or refused requests').choices(accesses))
    .option('--request <id>', 'of the request with this id')
    .option('--since <moment>', 'from a date on (its beginning in HR_TIME_ZONE), or from 2026-01-31T08:15:00+01:00 on')
    .option('--until <moment>', 'to the end of a date, or before such a moment')
    .option('--last <number>', 'only the newest so many of them, at most 1000')
    .option('--json', 'print JSON')
    .action(async ({ json, ...given }: Filters & { json?: true }) => {
      const query = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [filters[name as keyof Filters], value]),
      );
      await readOperator(terminal, 'operatorListAuditEvents', { query }, async (events) => {
        if (json) await printJson(events, terminal.stdout);
        else terminal.stdout.write(listText(await checkedResponse('operatorListAuditEvents', events)));
      });
    });

  audit
    .command('prune')
    .description('delete the events of old months for good; only the owner of the tables may')
    .requiredOption('--before <month>', 'the first month to keep, such as 2026-01; months begin at 00:00 UTC')
    .option('--yes', 'do it; without it, only count the events')
    .option('--json', 'print JSON')
    .action(async ({ before, yes, json }: { before: string; yes?: true; json?: true }) => {
      if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(before) || Date.parse(before) > Date.now()) {
        throw new CommandError('--before must be a month such as 2026-01, and not after the current one.', 2);
      }
      const [{ readConfig }, { countPrunable, pruneAudit }] = await Promise.all([
        import('../config.ts'),
        import('./audit-months.ts'),
      ]);
      const config = readConfig(terminal.env);
      if (!yes) {
        const events = await withDatabase(config, (database) => countPrunable(database, before));
        throw new CommandError(`This would delete ${events} events for good. Add --yes to do it.`, 2);
      }
      const events = await withDatabase(config, (database) => pruneAudit(database, before)).catch((error: unknown) => {
        throw pruningRefused(error) ?? error;
      });
      terminal.stdout.write(json ? `${JSON.stringify({ events })}\n` : `Deleted ${events} events.\n`);
    });
}

function pruningRefused(error: unknown): CommandError | undefined {
  const state = sqlStateOf(error);
  if (state === INSUFFICIENT_PRIVILEGE) {
    return new CommandError('Only the owner of the tables may prune the audit: set HR_DATABASE to that user.');
  }
  if (state !== LOCK_NOT_AVAILABLE) return undefined;
  return new CommandError('Others use the audit just now, such as a backup, so nothing was deleted: try again later.');
}

function listText(events: OperatorResponse<'operatorListAuditEvents'>): string {
  if (events.length === 0) return 'There are no such events.\n';
  const rows = events.map(({ at, actor, access, status, operation, elements, requestId, ...subject }) => [
    printedMoment(at),
    actor,
    status === undefined ? access : `${access} ${status}`,
    operation,
    String(elements),
    subject.personId ?? '',
    subject.payrollContractId ?? '',
    subject.objectId ?? '',
    requestId,
  ]);
  const columns = ['ACTOR', 'ACCESS', 'OPERATION', 'COUNT', 'PERSON', 'CONTRACT', 'OBJECT', 'REQUEST'];
  return textTable([['MOMENT (UTC)', ...columns], ...rows]);
}
