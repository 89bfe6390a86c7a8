import { HrTestingError, invalidOption } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';
import type { Check } from './check.ts';
import { changeChecks } from './checks/changes.ts';
import { filterChecks } from './checks/filters.ts';
import { listChecks } from './checks/lists.ts';
import { requestChecks } from './checks/requests.ts';
import { behaviourChecks, contractChecks, setUpStates } from './checks/states.ts';
import { tokenChecks } from './checks/tokens.ts';
import { writeChecks } from './checks/writes.ts';
import { Cloud } from './cloud.ts';
import type { CheckResult, ConformOptions, ConformReport } from './conform-options.ts';
import { ConformRun } from './conform-run.ts';
import { NotTried } from './deviation.ts';
import { Journal, keptOf, type Kept } from './journal.ts';

const MAX_SEED = 2 ** 31 - 1;

// Problem details are those of all requests of level 1, and changes are read before what counts their elements.
const liveChecks: readonly Check[] = [
  ...tokenChecks,
  ...changeChecks,
  ...listChecks,
  ...filterChecks,
  ...requestChecks,
  ...writeChecks,
];

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
  const results = new Map<string, CheckResult>();
  const notes: string[] = [];
  const journal = new Journal(settings);
  const checks = [...liveChecks, ...(options.states ? [...behaviourChecks, ...(await contractChecks())] : [])];

  let isRestored = true;
  const restore = async (kept: Kept): Promise<void> => {
    const failure = await journal.restore(cloud, kept);
    isRestored = failure === undefined;
    notes.push(failure ?? 'The first address and the bank details of the person are restored.');
  };
  const tryChecks = async (level: Check['level']): Promise<void> => {
    for (const { run: act, ...check } of checks.filter((each) => each.level === level)) {
      options.onProgress?.(`${check.section} ${check.id}`);
      // oxlint-disable-next-line no-await-in-loop -- a person reads along, and checks build on each other
      results.set(check.id, await resultOf(check, () => act(run)));
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
    const { allowWrites } = options;
    if (allowWrites !== undefined && !run.person)
      throw invalidOption('"allowWrites" is not the id of a person in the list. Correct it.');
    await tryChecks(1);
    if (run.person) {
      const kept = keptOf(run.person);
      if (!kept.bankDetails)
        notes.push('The person had no bank details: they are empty after the restore, not missing.');
      await journal.keep(kept);
      try {
        await tryChecks(2);
      } finally {
        await restore(kept);
      }
    } else await tryChecks(2);
    if (options.states) {
      await checkReset(run);
      await tryChecks(3);
      await setUpStates(run, []);
    }
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
  const all = checks.map(({ run: _run, ...check }): CheckResult => {
    return (
      results.get(check.id) ?? { ...check, outcome: 'not tried', reason: 'the run was interrupted', deviations: [] }
    );
  });
  const ok = isRestored && all.every(({ severity, outcome }) => severity === 'should' || outcome !== 'failed');
  for (const [operation, statuses] of Object.entries(cloud.coverage))
    Object.assign(statuses[200]?.fields ?? {}, Object.fromEntries(run.census.fields(operation)));
  const interrupted = options.signal?.aborted === true;
  return { ok, interrupted, baseUrl, seed, wireNames: run.wireNames(), notes, checks: all, coverage: cloud.coverage };
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

async function resultOf(check: Omit<Check, 'run'>, act: () => ReturnType<Check['run']>): Promise<CheckResult> {
  try {
    const deviations = await act();
    return { ...check, outcome: deviations.length > 0 ? 'failed' : 'passed', deviations };
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    return { ...check, outcome: 'not tried', reason: error.message, deviations: [] };
  }
}

function checkedUrl({ baseUrl, token, clientId, clientSecret }: ConformOptions): string {
  const url = httpUrl(baseUrl);
  if (!url) throw invalidOption('"baseUrl" is not an http(s) URL. Correct it.');
  if (!token && !(clientId && clientSecret))
    throw invalidOption('No credentials. Pass "clientId" and "clientSecret", or "token".');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
