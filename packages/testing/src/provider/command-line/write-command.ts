import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ciVariable } from '../../pact/ci-variable.ts';
import { FOLDERS_VARIABLE } from '../../pact/interaction-records.ts';
import { readRecords, reconcileRun } from '../../pact/reconcile-run.ts';
import { UsageError, type Arguments, type Report } from './command.ts';

const REMEDY = 'Correct the tests, or add --update to write what they say.';
const CI_REMEDY = 'Run it with --update on your machine and commit the file: contracts are never written in CI.';

/**
 * Runs tests of any runner, and writes the contracts of their interactions if all tests pass: new interactions, and with
 * `--update` all differences.
 */
export async function writeCommand({ pacts: [command, ...args], values, env }: Arguments): Promise<Report> {
  if (command === undefined) throw new UsageError('write needs a command. Add it: -- node --test');
  const ci = ciVariable(env);
  if (ci !== undefined && values['update'])
    return { text: `Contracts are never written in CI (${ci} is set). Remove --update.`, ok: false };
  if (ci !== undefined && values['some'])
    return { text: `In CI (${ci} is set), all tests of a contract run. Remove --some.`, ok: false };
  const update = ci === undefined ? (values['update'] ? 'all' : 'new') : 'none';
  const isWhole = !values['some'];
  const root = process.cwd();
  const records = mkdtempSync(join(tmpdir(), 'hr-contracts-'));
  try {
    // jest loads ES modules only with this option.
    const NODE_OPTIONS = `${env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules`;
    const own = { [FOLDERS_VARIABLE]: JSON.stringify({ records, root }), PACT_DO_NOT_TRACK: 'true', NODE_OPTIONS };
    const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...own } });
    const [code, signal] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`${command} cannot be run (${error.code}).`);
    })) as [number, null] | [null, NodeJS.Signals];
    // As a shell does.
    const exitCode = code ?? 128 + constants.signals[signal];
    if (exitCode !== 0) return { text: 'The tests failed, so no contract is written.', ok: false, exitCode };
    const made = readRecords(records);
    const run = { update, isWhole, isStrict: isWhole, remedy: ci === undefined ? REMEDY : CI_REMEDY } as const;
    const { changes, faults, notes } = reconcileRun(made, root, [join(root, 'pacts')], run);
    const lines = [...changes, ...notes, ...faults];
    if (lines.length > 0) return { text: lines.join('\n'), ok: faults.length === 0 };
    if (made.parts.length === 0) return { text: 'The tests ran no interaction. Correct COMMAND.', ok: false };
    return { text: `Each contract ${isWhole ? 'is' : 'has'} what the tests say.`, ok: true };
  } finally {
    rmSync(records, { recursive: true });
  }
}
