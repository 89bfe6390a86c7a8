import { HrTestingError } from '../hr-testing-error.ts';
import type { Exchange } from './exchange.ts';
import { startMockHrCloud } from './mock-hr-cloud.ts';
import { contractFolders, madeInteraction, recordContractPart } from './record-contract-part.ts';
import type { Consumer } from './record-contract-part.ts';

/**
 * Runs a consumer's code against a mock of the HR cloud that expects one exchange, and records the exchange once the
 * code has sent its request and has done with the answer. Gives what the code gives, and throws what it throws.
 */
export async function runExchange<Result>(
  consumer: Consumer,
  exchange: Exchange,
  use: (baseUrl: string) => Result | Promise<Result>,
): Promise<Result> {
  const folders = contractFolders();
  // Once the code is done, another test may be running.
  const made = madeInteraction(folders, consumer, exchange);
  const mock = await startMockHrCloud(consumer.name, exchange);
  try {
    const outcome = await outcomeOf(() => use(mock.baseUrl));
    const differences = mock.differences();
    if (differences.length > 0) {
      const found = differences.map((sentence) => `\n  ${sentence}`).join('');
      const message = `"${exchange.description}": the code did not send what the contract says.${found}`;
      throw new HrTestingError('contract-unmet', message, 'error' in outcome ? { cause: outcome.error } : {});
    }
    // A test may expect the code to throw. Where it does not, it fails, and then no contract is written.
    recordContractPart(folders, made, mock.interaction());
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  } finally {
    mock.stop();
  }
}

async function outcomeOf<Result>(
  run: () => Result | Promise<Result>,
): Promise<{ result: Result } | { error: unknown }> {
  try {
    return { result: await run() };
  } catch (error) {
    return { error };
  }
}
