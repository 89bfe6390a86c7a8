import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from '../database/database-errors.ts';
import { CommandError } from '../terminal/command-error.ts';
import { printedMoment } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';
import { readConfig } from '../config/config.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { countPrunable, pruneAudit } from './audit-months.ts';
import { auditOperations } from './audit-operations.ts';

/** `audit list|prune`. */
export const commands = {
  audit: commandGroup({
    list: operatorCommand(auditOperations.operatorListAuditEvents, {
      text: table('There are no such events.', {
        'MOMENT (UTC)': ({ at }) => printedMoment(at),
        ACTOR: 'actor',
        'ACTING PERSON': 'actingPerson',
        PURPOSE: 'purpose',
        ACCESS: ({ access, status = '' }) => `${access} ${status}`.trim(),
        OPERATION: 'operation',
        COUNT: 'elements',
        PERSON: 'personId',
        CONTRACT: 'payrollContractId',
        OBJECT: 'objectId',
        REQUEST: 'requestId',
      }),
    }),
    prune(command, { terminal }) {
      command
        .description('delete the events of old months for good; only the owner of the tables may')
        .requiredOption('--before <month>', 'the first month to keep, such as 2026-01; months begin at 00:00 UTC')
        .option('--yes', 'do it; without it, only count the events')
        .option('--json', 'print JSON')
        .action(async ({ before, yes, json }: { before: string; yes?: true; json?: true }) => {
          if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(before) || Date.parse(before) > Date.now()) {
            throw new CommandError('--before must be a month such as 2026-01, and not after the current one.', 2);
          }
          const config = readConfig(terminal.env);
          if (!yes) {
            const events = await withDatabase(config, (database) => countPrunable(database, before));
            throw new CommandError(`This would delete ${events} events for good. Add --yes to do it.`, 2);
          }
          const events = await withDatabase(config, (database) => pruneAudit(database, before)).catch((error) => {
            const refusal = refusals[sqlStateOf(error) ?? ''];
            throw refusal === undefined ? error : new CommandError(refusal);
          });
          terminal.stdout.write(json ? `${JSON.stringify({ events })}\n` : `Deleted ${events} events.\n`);
        });
    },
  }),
};

const refusals: Readonly<Record<string, string>> = {
  [INSUFFICIENT_PRIVILEGE]: 'Only the owner of the tables may prune the audit: set HR_DATABASE to that user.',
  [LOCK_NOT_AVAILABLE]: 'Others use the audit just now, such as a backup, so nothing was deleted: try again later.',
};
