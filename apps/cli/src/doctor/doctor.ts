import { existsSync } from 'node:fs';
import { styleText } from 'node:util';
import { createHrClient } from '@hr/client';
import { isMirrorError } from '@hr/client/mirror';
import type { Context } from '../context.ts';
import { columnsNamed, kindOf } from '../output/columns-of.ts';
import { proofOf } from '../profile.ts';
import { exitCodeOf, failureMessage } from '../report-failure.ts';
import { accessChecks } from './access-checks.ts';
import { connectionChecks } from './connection-checks.ts';
import { Examination, Fault, Skip, type Check } from './examination.ts';

const MS_PER_DAY = 86_400_000;
/** A nightly sync that failed once is no reason to worry. */
const MAX_AGE_DAYS = 3;

const checks: readonly Check[] = [
  { name: 'profile', needs: [], run: checkProfile },
  ...connectionChecks,
  ...accessChecks,
  { name: 'mirror', needs: ['profile'], run: checkMirror },
];

interface Result {
  readonly check: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly message: string;
  /** What to do, if it failed. */
  readonly remedy?: string;
}

const resultKind = kindOf<Result>('checks', columnsNamed('string', 'check', 'state', 'message', 'remedy'));

/** `hr doctor`: looks for the usual faults, in the order in which one hides the next, and says what to do. */
export async function doctor(context: Context): Promise<number | void> {
  const results: Result[] = [];
  // Check → the failed check that hides what it would find.
  const hidden = new Map<string, string>();
  let exitCode: number | undefined;
  const report = (check: string, state: Result['state'], message: string, remedy?: string): void => {
    const result = { check, state, message, ...(remedy !== undefined && { remedy }) };
    results.push(result);
    if (!context.wantsRecords) context.terminal.stdout.write(lineOf(result, context));
  };
  const examination = new Examination(context);
  for (const { name, needs, run } of checks) {
    const cause = needs.map((need) => hidden.get(need)).find((need) => need !== undefined);
    if (cause !== undefined) {
      hidden.set(name, cause);
      report(name, 'skipped', `because of ${cause}`);
      continue;
    }
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as each needs others
      report(name, 'ok', await run(examination));
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof Skip) {
        report(name, 'skipped', error.message);
        continue;
      }
      const isFault = error instanceof Fault;
      report(name, 'failed', isFault ? error.message : failureMessage(error), isFault ? error.remedy : undefined);
      exitCode ??= isFault ? error.exitCode : exitCodeOf(error);
      hidden.set(name, name);
    }
  }
  if (context.wantsRecords) await context.write(resultKind, results);
  return exitCode;
}

async function checkProfile(examination: Examination): Promise<string> {
  const { context } = examination;
  const profile = (examination.profile = await context.profile());
  if (profile.unusedSecret === undefined) proofOf(profile);
  // It checks the address, as it does for every other command.
  createHrClient({ baseUrl: profile.baseUrl, auth: () => '' });
  const { origin, pathname } = examination.url;
  return `${profile.name}: ${profile.clientId} at ${origin}${pathname.replace(/\/$/, '')}`;
}

async function checkMirror({ context, profile }: Examination): Promise<string> {
  if (!existsSync(profile.mirrorFile)) throw new Skip('there is no local copy yet; to make it: hr sync');
  const mirror = await context.mirror().catch((error: unknown) => {
    const isElsewhere = profile.unusedSecret !== undefined && isMirrorError(error) && error.code === 'other-source';
    throw isElsewhere ? new Skip('the local copy is that of another address or client') : error;
  });
  const runs = mirror.runs();
  const found: string[] = [];
  for (const { collection, syncedAt, rows } of mirror.status()) {
    const latest = runs.find((run) => run.collection === collection);
    const remedy = `Run: hr sync ${collection}`;
    if (latest?.error !== undefined) {
      const failure = `the latest sync of ${collection} failed (${latest.error}), at ${latest.startedAt}`;
      throw new Fault(failure, remedy);
    }
    if (syncedAt === undefined) continue;
    const days = Math.floor((Date.now() - Date.parse(syncedAt)) / MS_PER_DAY);
    if (days >= MAX_AGE_DAYS) throw new Fault(`${collection} are ${days} days old`, remedy);
    found.push(`${rows.toLocaleString('en')} ${collection} of ${syncedAt}`);
  }
  return found.join(', ') || 'empty';
}

const colors = { ok: 'green', failed: 'red', skipped: 'gray' } as const;
const STATE_WIDTH = 'skipped'.length;
const NAME_WIDTH = Math.max(...checks.map(({ name }) => name.length));

function lineOf({ check, state, message, remedy }: Result, { terminal }: Context): string {
  const word = styleText(colors[state], state.padEnd(STATE_WIDTH), { stream: terminal.stdout });
  const indent = ' '.repeat(STATE_WIDTH + NAME_WIDTH + 4);
  return `${word}  ${check.padEnd(NAME_WIDTH)}  ${message}\n${remedy === undefined ? '' : `${indent}${remedy}\n`}`;
}
