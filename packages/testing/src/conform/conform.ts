import { HrTestingError, invalidOption } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import type { Row } from '../model/lists.ts';
import { grouped, NotTried, type Check, type CheckedRule, type CheckResult } from './check.ts';
import { behaviourChecks, setUpStates } from './checks/behaviour.ts';
import { changeChecks } from './checks/changes.ts';
import { contractChecks } from './checks/contracts.ts';
import { filterChecks } from './checks/filters.ts';
import { listChecks } from './checks/lists.ts';
import { requestChecks } from './checks/requests.ts';
import { tokenChecks } from './checks/tokens.ts';
import { writeChecks } from './checks/writes.ts';
import { Cloud } from './cloud.ts';
import type { ConformOptions, ConformReport } from './conform-options.ts';
import { ConformRun } from './conform-run.ts';
import { Journal, keptOf, type Kept } from './journal.ts';
import { checkWireNames, differingNames } from './query-names.ts';

const MAX_SEED = 2 ** 31 - 1;
/** Checks that a note says are not tried for the same reason. */
const MANY = 5;

// Problem details are those of all requests of level 1, and changes are read before what counts their elements.
const readChecks = [...tokenChecks, ...changeChecks, ...listChecks, ...filterChecks, ...requestChecks];

/**
 * Checks whether a running HR cloud, of whichever vendor, keeps the specification. It only reads, except that
 * `allowWrites` permits changes of one person, which are restored, `allowPayment` one payment, and `states` everything.
 *
 * A check that could not be made is reported as not tried. An interruption by `signal` reports what was found so far.
 *
 * @throws {HrTestingError} `invalid-option` if an option is invalid or the client gets no token, `missing-package`
 * without fast-check.
 * @example
 * const { ok, checks } = await conform({ baseUrl: fake.url, clientId: fake.clientId, clientSecret: fake.clientSecret });
 */
export async function conform(options: ConformOptions): Promise<ConformReport> {
  const baseUrl = checkedUrl(options);
  const { seed = Math.floor(Math.random() * MAX_SEED) } = options;
  const settings = { ...options, baseUrl, seed };
  const cloud = new Cloud(settings);
  const { default: fc } = await import('fast-check').catch((error: unknown) => {
    const message = 'fast-check is missing. Install it: npm install --save-dev fast-check';
    throw new HrTestingError('missing-package', message, { cause: error });
  });
  const run = new ConformRun(settings, cloud, fc);
  const checks = [
    ...atLevel(1, readChecks),
    ...atLevel(2, writeChecks),
    ...(options.states ? atLevel(3, [...behaviourChecks, ...(await contractChecks())]) : []),
  ];
  const results = checks.map((check) => notTried(check, 'the run was interrupted'));
  const notes: string[] = [];
  const journal = new Journal(settings);

  let isRestored = true;
  const restore = async (kept: Kept): Promise<void> => {
    const failure = await journal.restore(cloud, kept);
    isRestored = failure === undefined;
    notes.push(failure ?? 'The first address and the bank details of the person are restored.');
  };
  const tryChecks = async (level: CheckedRule['level']): Promise<void> => {
    for (const [index, check] of checks.entries()) {
      if (check.level !== level) continue;
      options.onProgress?.(`${check.section} ${check.id}`);
      // oxlint-disable-next-line no-await-in-loop -- a person reads along, and checks build on each other
      results[index] = await resultOf(check, run);
    }
  };
  const tryWrites = async (person: Row): Promise<void> => {
    const kept = keptOf(person);
    if (!kept.bankDetails) notes.push('The person had no bank details: they are empty after the restore, not missing.');
    await journal.keep(kept);
    try {
      await tryChecks(2);
    } finally {
      await restore(kept);
    }
  };
  try {
    await cloud.token();
    const left = await journal.read();
    if (left) {
      notes.push('An earlier run ended before its restore.');
      await restore(left);
      // Another run would overwrite what is still to restore.
      if (!isRestored) throw new HrTestingError('verification-failed', notes.join(' '));
    }
    await run.survey();
    if (options.allowWrites !== undefined && !run.person)
      throw invalidOption('"allowWrites" (--allow-writes) is not the id of a person in the list. Correct it.');
    await tryChecks(1);
    await (run.person ? tryWrites(run.person) : tryChecks(2));
    if (options.states) {
      await checkReset(run);
      await tryChecks(3);
      await setUpStates(run, []);
    }
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
  const { coverage } = cloud;
  for (const [operation, statuses] of Object.entries(coverage))
    Object.assign(statuses[200]?.fields ?? {}, Object.fromEntries(run.census.fields(operation)));
  const reasons = Map.groupBy(results, ({ reason }) => reason);
  for (const [reason, { length }] of reasons)
    if (reason !== undefined && length >= MANY) notes.push(`${length} checks are not tried: ${reason}.`);
  const ok = isRestored && results.every(({ severity, outcome }) => severity === 'should' || outcome !== 'failed');
  const interrupted = options.signal?.aborted === true;
  const wireNames = differingNames(run.names);
  return { ok, interrupted, baseUrl, seed, wireNames, notes, checks: results, coverage };
}

type LeveledCheck = Check & CheckedRule;

function atLevel(level: CheckedRule['level'], checks: readonly Check[]): LeveledCheck[] {
  return checks.map((check) => ({ ...check, level }));
}

/** Without a reset that removes everything, nothing could be tried, or everything would fail. */
async function checkReset(run: ConformRun): Promise<void> {
  await setUpStates(run, []).catch(({ message }: Error) => Promise.reject(unusableStates(message)));
  await run.readPersons();
  const { size } = run.persons;
  if (size > 0)
    throw unusableStates(`after a reset the list of persons has ${size} elements. Let the reset remove everything.`);
}

function unusableStates(message: string): HrTestingError {
  return invalidOption(`The provider states cannot be used: ${message}`);
}

async function resultOf(check: LeveledCheck, run: ConformRun): Promise<CheckResult> {
  const { run: tryCheck, ...rule } = check;
  try {
    const deviations = grouped(await tryCheck(run));
    return { ...rule, outcome: deviations.length > 0 ? 'failed' : 'passed', deviations };
  } catch (error) {
    if (error instanceof NotTried) return notTried(check, error.message);
    throw error;
  }
}

function notTried({ run: _run, ...check }: LeveledCheck, reason: string): CheckResult {
  return { ...check, outcome: 'not tried', reason, deviations: [] };
}

function checkedUrl({ baseUrl, token, clientId, clientSecret, wireNames = {} }: ConformOptions): string {
  checkWireNames(wireNames);
  const url = httpUrl(baseUrl);
  if (!url) throw invalidOption('"baseUrl" is not an http(s) URL. Correct it.');
  if (!token && !(clientId && clientSecret))
    throw invalidOption('No credentials. Pass "clientId" and "clientSecret", or "token".');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
