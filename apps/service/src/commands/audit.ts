import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import type { Command } from 'commander';
import { CommandError } from './report-failure.ts';
import { checkedResponse, readOperator } from './operator-api.ts';
import type { OperatorResponse } from './operator-api.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

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
} as const;

type Filters = { readonly [Name in keyof typeof filters]?: string };

/** Adds `audit list`. */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  program
    .command('audit')
    .description('see who read or changed whose data')
    .command('list')
    .description('list the events of the audit, oldest first, that fit all of the options')
    .option('--person <id>', 'about this person')
    .option('--contract <id>', 'about this payroll contract')
    .option('--object <id>', 'about this variable payment or client')
    .option('--actor <id>', 'by this client; "command line" is the one of this machine')
    .option('--operation <name>', 'through this operation, such as listSalaryHistory')
    .addOption(new Option('--access <access>', 'only reads, or only changes').choices(['read', 'change']))
    .option('--request <id>', 'of the request with this id')
    .option('--since <moment>', 'from a date on (its beginning in HR_TIME_ZONE), or from 2026-01-31T08:15:00+01:00 on')
    .option('--until <moment>', 'to the end of a date, or before such a moment')
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
}

/** Prints a list as it comes, however long it is. */
async function printJson(list: Readable, stdout: Writable): Promise<void> {
  try {
    await pipeline(list, stdout, { end: false });
  } catch (error) {
    // A reader such as `head` that has enough is no failure.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return;
    throw new CommandError('The list broke off: what was printed is not all of it.');
  }
  stdout.write('\n');
}

function listText(events: OperatorResponse<'operatorListAuditEvents'>): string {
  if (events.length === 0) return 'There are no such events.\n';
  const rows = events.map(({ at, actor, access, operation, elements, requestId, ...subject }) => [
    at.slice(0, 19).replace('T', ' '),
    actor,
    access,
    operation,
    String(elements),
    subject.personId ?? '',
    subject.payrollContractId ?? '',
    subject.objectId ?? '',
    requestId,
  ]);
  const columns = ['ACTOR', 'ACCESS', 'OPERATION', 'RECORDS', 'PERSON', 'CONTRACT', 'OBJECT', 'REQUEST'];
  return textTable([['MOMENT (UTC)', ...columns], ...rows]);
}
