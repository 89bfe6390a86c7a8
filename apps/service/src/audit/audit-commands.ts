import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, sqlStateOf } from '../database/database-errors.ts';
import { CommandError } from '../terminal/command-error.ts';
import { printable, printedMoment } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';
import { readConfig } from '../config/config.ts';
import { callOperator, type CommandContext } from '../operator/operator-api.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { countPrunable, pruneAudit } from './audit-months.ts';
import { auditOperations, type AuditVerification } from './audit-operations.ts';
import type { Seal } from './audit-seals.ts';
import { momentOfId } from './uuid-v7.ts';

/** `audit list|seal|verify|prune`. */
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
    seal(command, context) {
      command
        .description('print a signed seal of the audit as it is now; keep it elsewhere')
        .requiredOption('--key <file>', 'the private key to sign with: Ed25519, PKCS #8, PEM')
        .action(async (options: { key: string }) => {
          const { readPrivateKey, signSeal } = await import('./audit-seals.ts');
          const key = await readPrivateKey(options.key);
          const { block, hash, unchained } = await callOperator(context, auditOperations.operatorGetAuditHead, {});
          if (block === 0) throw new CommandError('There is nothing to seal yet.');
          const seal = await signSeal({ sealedAt: new Date().toISOString(), block, hash }, key);
          context.terminal.stdout.write(`${seal}\n`);
          if (unchained > 0) context.terminal.stderr.write(`${unchained} events are too new for this seal.\n`);
        });
    },
    verify(command, context) {
      command
        .description('find events that were removed, added or changed since they were written')
        .option('--seals <file>', 'seals that were kept elsewhere, one a line, to compare with, too')
        .option('--key <file>', 'the public key of the seals: Ed25519, PEM')
        .option('--json', 'print JSON')
        .action(async ({ seals: file, key, json }: { seals?: string; key?: string; json?: true }) => {
          if ((file === undefined) !== (key === undefined)) {
            throw new CommandError('--seals and --key belong together.', 2);
          }
          const { readPublicKey, readSeals } = await import('./audit-seals.ts');
          const seals = file === undefined || key === undefined ? [] : await readSeals(file, await readPublicKey(key));
          const verification = await callOperator(context, auditOperations.operatorVerifyAudit, {});
          const report = { ...verification, seals: seals.length, sealFaults: await faultsOf(seals, context) };
          context.terminal.stdout.write(json ? `${JSON.stringify(report)}\n` : inWords(report));
          if (report.faults.length + report.sealFaults.length > 0) throw new CommandError('The audit is not intact.');
        });
    },
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

/** A seal that does not fit, by its place in the file. */
interface SealFault {
  readonly line: number;
  readonly sealedAt?: string;
  /** The block that is not as the seal says. Without it, the key has not signed the seal. */
  readonly block?: number;
}

/** So many numbers of blocks fit into an address. */
const MAX_NUMBERS = 500;

async function faultsOf(seals: readonly (Seal | undefined)[], context: CommandContext): Promise<SealFault[]> {
  const numbers = [...new Set(seals.flatMap((seal) => seal?.block ?? []))];
  const hashes = new Map<number, string>();
  for (let start = 0; start < numbers.length; start += MAX_NUMBERS) {
    const query = { number: numbers.slice(start, start + MAX_NUMBERS).join(',') };
    // oxlint-disable-next-line no-await-in-loop -- each request is short
    const blocks = await callOperator(context, auditOperations.operatorListAuditBlocks, { query });
    for (const { number, hash } of blocks) hashes.set(number, hash);
  }
  return seals.flatMap((seal, index): SealFault[] => {
    const line = index + 1;
    if (seal === undefined) return [{ line }];
    const { sealedAt, block, hash } = seal;
    return hashes.get(block) === hash ? [] : [{ line, sealedAt, block }];
  });
}

type Report = AuditVerification & { readonly seals: number; readonly sealFaults: readonly SealFault[] };

function inWords({ intact, block, unchained, pruned, faults, moreFaults, seals, sealFaults }: Report): string {
  const lines = [
    `${intact} events are as they were written, in the chain until block ${block}.`,
    ...(unchained > 0 ? [`${unchained} events are too new to be in it.`] : []),
    ...(pruned ? [`${pruned.events} events before ${pruned.before} were pruned.`] : []),
    ...(seals > 0 ? [`${seals - sealFaults.length} of ${seals} seals fit.`] : []),
    ...faults.map(faultInWords),
    ...(moreFaults > 0 ? [`There are ${moreFaults} more such places.`] : []),
    ...sealFaults.map(({ line, sealedAt, block: sealed }) =>
      sealed === undefined
        ? `Seal ${line} is not signed with this key.`
        : `Seal ${line} of ${sealedAt}: block ${sealed} is not the one that was sealed, so events until then may be others.`,
    ),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

type Fault = AuditVerification['faults'][number];

function faultInWords({ kind, month, block, chained, found, after, before }: Fault): string {
  const place = [month, block === undefined ? 'in no block' : `block ${block}`].filter(Boolean).join(', ');
  const ends = [...(after ? [`after ${eventAt(after)}`] : []), ...(before ? [`before ${eventAt(before)}`] : [])];
  const what = {
    missing: `${chained - found} of ${chained} events are missing`,
    added: `${found - chained} events were added to ${chained}`,
    changed: `some of ${chained} events were changed`,
    block: month === undefined ? `${chained} blocks are missing` : 'the block was changed',
  }[kind];
  return `${[place, ...ends].join(', ')}: ${what}.`;
}

function eventAt(id: string): string {
  return `${printedMoment(new Date(momentOfId(id)).toISOString())} UTC (${id})`;
}

const refusals: Readonly<Record<string, string>> = {
  [INSUFFICIENT_PRIVILEGE]: 'Only the owner of the tables may prune the audit: set HR_DATABASE to that user.',
  [LOCK_NOT_AVAILABLE]: 'Others use the audit just now, such as a backup, so nothing was deleted: try again later.',
};
