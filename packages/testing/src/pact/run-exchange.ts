import { HrTestingError } from '../hr-testing-error.ts';
import type { Exchange } from './exchange.ts';
import { appendRecord, contractFolders, newRecord } from './interaction-records.ts';
import type { Consumer } from './interaction-records.ts';
import { startMockHrCloud } from './mock-hr-cloud.ts';

/** Runs a consumer's code as `Interaction.run` says. */
export async function runExchange<Result>(
  consumer: Consumer,
  exchange: Exchange,
  use: (baseUrl: string) => Result | Promise<Result>,
): Promise<Result> {
  const folders = contractFolders();
  if (!folders) {
    const remedy = "add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts";
    throw new HrTestingError(
      'invalid-option',
      `No contract can be written. Run it in a test of vitest, and ${remedy}.`,
    );
  }
  let hasEnded = false;
  // Once the code is done, another test may be running.
  const record = newRecord(folders, consumer, exchange, (state) => {
    hasEnded = true;
    if (state !== 'pass') appendRecord(folders, { dropped: record.id });
  });
  const mock = await startMockHrCloud(consumer.name, exchange);
  try {
    const outcome = await outcomeOf(() => use(mock.baseUrl));
    const fault = hasEnded ? 'its test ended before its run. Await run.' : faultOf(mock.differences(), outcome.error);
    if (fault) {
      const code = fault.startsWith(REJECTED) ? 'invalid-option' : 'contract-unmet';
      const failure = `"${exchange.description}": ${fault}`;
      appendRecord(folders, { ...record, failure });
      throw new HrTestingError(code, failure, 'error' in outcome ? { cause: outcome.error } : {});
    }
    appendRecord(folders, { ...record, interaction: mock.interaction() });
    // A test may expect the error. If it does not, it fails, and the exchange is dropped.
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  } finally {
    mock.stop();
  }
}

interface Outcome<Result> {
  readonly result?: Result;
  readonly error?: unknown;
}

async function outcomeOf<Result>(run: () => Result | Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await run() };
  } catch (error) {
    return { error };
  }
}

const REJECTED = '@hr/client rejects the example';

function faultOf(differences: readonly string[], error: unknown): string | undefined {
  if (differences.length > 0) {
    return ['the code did not send the request of the contract.', ...differences].join('\n  ');
  }
  const places = rejectedPlaces(error);
  return places && `${REJECTED}, which the mock sent as the response: ${places}. Correct the example there.`;
}

/** Marks the errors of every version of `@hr/client`. */
const HR_ERROR = Symbol.for('@hr/client/HrError');

/** What `@hr/client` found wrong in a response; undefined if the code failed for another reason. */
function rejectedPlaces(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, problem } = error as { code?: string; problem?: { errors?: { pointer: string; detail: string }[] } };
  if (!(HR_ERROR in error) || code !== 'invalid-response') return rejectedPlaces(error.cause);
  const places = problem?.errors?.map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`) ?? [];
  return places.join('; ') || 'the whole is not what the API sends';
}
