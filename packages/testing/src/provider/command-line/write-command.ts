import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { FOLDERS_VARIABLE, type InteractionRecord, type RecordLine } from '../../pact/interaction-records.ts';
import { readContract, writeContract } from '../../pact/vitest/contract.ts';
import { conflictsOf, reconcileContract, type ContractPart } from '../../pact/vitest/reconcile-contract.ts';
import { UsageError, type Arguments, type Report } from './verify-command.ts';

/**
 * Runs tests of any runner, and writes the contracts of their interactions if all tests pass: new interactions, and with
 * `--update` all differences.
 */
export async function writeCommand({ pacts: [command, ...args], values, env }: Arguments): Promise<Report> {
  if (command === undefined) throw new UsageError('write needs a command. Add it: -- node --test');
  const root = process.cwd();
  const records = mkdtempSync(join(tmpdir(), 'hr-contracts-'));
  try {
    const own = { [FOLDERS_VARIABLE]: JSON.stringify({ records, root }), PACT_DO_NOT_TRACK: 'true' };
    const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...own } });
    const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`${command} cannot be run (${error.code}).`);
    })) as [number | null];
    if (code !== 0) return { text: 'The tests failed, so no contract is written.', ok: false };
    const lines = readdirSync(records).flatMap((name) => readFileSync(join(records, name), 'utf8').trim().split('\n'));
    const made = lines.map((line) => JSON.parse(line) as RecordLine).filter((line) => 'exchange' in line);
    return reconcile(made, { root, isUpdate: Boolean(values['update']), isCi: Boolean(env['CI']) });
  } finally {
    rmSync(records, { recursive: true });
  }
}

interface Run {
  readonly root: string;
  readonly isUpdate: boolean;
  readonly isCi: boolean;
}

function reconcile(made: readonly InteractionRecord[], { root, isUpdate, isCi }: Run): Report {
  const parts = made.filter((each): each is ContractPart => each.interaction !== undefined);
  const ran = new Set(parts.map(keyOf));
  const lost = made.filter((each) => each.failure !== undefined || !ran.has(keyOf(each)));
  const doubts = [
    ...conflictsOf(parts),
    ...lost.map(({ consumer, exchange, test, failure = 'has no run. Call run and await it.' }) => {
      return `${consumer}: "${exchange.description}" of ${test}: ${failure}`;
    }),
    ...(parts.length === 0 ? ['The tests ran no interaction.'] : []),
    ...(isCi && isUpdate ? ['Contracts are never written in CI. Remove --update.'] : []),
  ];
  if (doubts.length > 0) return { text: [...new Set(doubts)].toSorted().join('\n'), ok: false };
  const update = isCi ? 'none' : isUpdate ? 'all' : 'new';
  const results = [...Map.groupBy(parts, ({ file }) => file)].map(([file, own]) => {
    const text = existsSync(file) ? readContract(file) : undefined;
    const result = reconcileContract(own[0]?.consumer ?? '', own, text, { update, isWhole: true, isStrict: true });
    if (result.text !== undefined) writeContract(file, result.text);
    const name = relative(root, file);
    const heading = result.text === undefined ? 'is what the tests say' : 'written';
    return {
      lines: [
        `${name} ${result.faults.length > 0 ? 'differs from the tests' : heading}`,
        ...result.changes,
        ...result.faults,
        ...result.notes,
      ],
      ok: result.faults.length === 0,
    };
  });
  const ok = results.every((each) => each.ok);
  const remedy = ok
    ? []
    : ['Correct the tests, or add --update to write what they say. In CI, contracts are never written.'];
  return { text: [...results.flatMap(({ lines }) => lines), ...remedy].join('\n'), ok };
}

function keyOf({ file, exchange }: InteractionRecord): string {
  return JSON.stringify([file, exchange.description]);
}
