import { randomUUID } from 'node:crypto';
import { HrTestingError, invalidOption, type HrTestingErrorCode } from '../hr-testing-error.ts';
import type { Exchange } from './exchange.ts';
import { appendRecord, newRecord, type ConsumerOptions } from './interaction-records.ts';
import { startMockHrCloud } from './mock-hr-cloud.ts';

/** A run that records when it is awaited. Otherwise its test passes whatever happens. */
export class Run<Result> extends Promise<Result> {
  static override readonly [Symbol.species] = Promise;
  id = '';

  static begin<Result>(use: (id: string) => Promise<Result>): Run<Result> {
    const id = randomUUID();
    return Object.assign(new Run<Result>((resolve) => resolve(use(id))), { id });
  }

  // oxlint-disable-next-line unicorn/no-thenable -- await calls it
  override then<Next, Other>(...callbacks: Parameters<Promise<Result>['then']>): Promise<Next | Other> {
    appendRecord({ awaited: this.id });
    return super.then(...callbacks) as Promise<Next | Other>;
  }
}

/** Runs a consumer's code as `Interaction.run` says. */
export async function runExchange<Result>(
  id: string,
  owner: ConsumerOptions,
  exchange: Exchange,
  use: (baseUrl: string) => Result | Promise<Result>,
): Promise<Result> {
  let hasEnded = false;
  // After the code has ended, another test may be running.
  const record = newRecord(owner, exchange, id, (state) => {
    hasEnded = true;
    if (state !== 'pass') appendRecord({ dropped: id });
  });
  if (!record) {
    const remedy = "add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts";
    const fault = 'No contract can be written. Run the tests by "hr-contracts write -- COMMAND", or with vitest';
    throw invalidOption(`${fault}: ${remedy}.`);
  }
  const mock = await startMockHrCloud(owner.name, exchange);
  try {
    const [outcome] = await Promise.allSettled([Promise.resolve(mock.baseUrl).then(use)]);
    const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
    const failure = failureOf(exchange, hasEnded, mock.differences(), error);
    if (failure) {
      appendRecord({ ...record, failure: failure.message });
      // Shows the caller first.
      Error.captureStackTrace(failure, runExchange);
      throw failure;
    }
    appendRecord({ ...record, interaction: mock.interaction() });
    if (exchange.counterpart) {
      const other = await startMockHrCloud(owner.name, exchange.counterpart);
      appendRecord({ ...record, exchange: exchange.counterpart, interaction: other.interaction() });
      other.stop();
    }
    // A test may expect the error. Otherwise the test fails, and the exchange is dropped.
    if (outcome.status === 'rejected') throw error;
    return outcome.value;
  } finally {
    mock.stop();
  }
}

function failureOf(
  { description }: Exchange,
  hasEnded: boolean,
  differences: readonly string[],
  cause: unknown,
): HrTestingError | undefined {
  const failure = (code: HrTestingErrorCode, fault: string): HrTestingError =>
    new HrTestingError(code, `"${description}": ${fault}`, cause === undefined ? {} : { cause });
  if (hasEnded) return failure('contract-unmet', 'its test ended before its run. Await run.');
  if (differences.length > 0) {
    const sentences = ['the code did not send the request of the contract.', ...differences];
    return failure('contract-unmet', sentences.join('\n  '));
  }
  const places = rejectedPlaces(cause);
  const fault = `@hr/client rejects the example, which the mock sent as the response: ${places}`;
  return places === undefined ? undefined : failure('invalid-option', `${fault}. Correct the example there.`);
}

/** Marks the errors of every version of `@hr/client`. */
const HR_ERROR = Symbol.for('@hr/client/HrError');

/** The fault that `@hr/client` reports for a response; undefined if the code failed for another reason. */
function rejectedPlaces(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, problem } = error as { code?: string; problem?: { errors?: { pointer: string; detail: string }[] } };
  if (!(HR_ERROR in error) || code !== 'invalid-response') return rejectedPlaces(error.cause);
  const places = problem?.errors?.map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`) ?? [];
  return places.join('; ') || 'the whole is not what the API sends';
}
