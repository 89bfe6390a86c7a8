import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as vitest from 'vitest';
import type { PactInteraction } from '../contract/pact-interaction.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import type { ConsumerOptions } from './consumer.ts';
import type { Exchange } from './exchange.ts';

/** What a worker reports of an interaction: that a test file made it, and then how each run ended. */
export interface InteractionRecord {
  readonly id: string;
  readonly consumer: string;
  /** The contract's file. */
  readonly file: string;
  /** The test, or only its file. */
  readonly test: string;
  /** Whether no test was running, as for `test.each`. */
  readonly isCollected: boolean;
  readonly exchange: Exchange;
  /** The interaction as the contract has it, after a run. */
  readonly interaction?: PactInteraction;
  /** Why a run failed. */
  readonly failure?: string;
}

/** A line of a file of records: a record, or the id of a run whose test failed. */
export type RecordLine = InteractionRecord | { readonly dropped: string };

/** What the reporter provides to the workers. */
export interface ContractFolders {
  /** The folder of the records. */
  readonly records: string;
  /** The root of the tests' project. */
  readonly root: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly 'hr-contracts': ContractFolders;
  }
}

/** The folders; undefined outside of vitest, and without the reporter. */
export function contractFolders(): ContractFolders | undefined {
  try {
    return vitest.inject('hr-contracts') as ContractFolders | undefined;
  } catch {
    return undefined;
  }
}

/**
 * A record of an interaction for the running test.
 *
 * @param onTestEnd called with the outcome of the test
 */
export function newRecord(
  { root }: ContractFolders,
  { name, dir }: Required<ConsumerOptions>,
  exchange: Exchange,
  onTestEnd: (state: string | undefined) => void = () => {},
): InteractionRecord {
  // Of concurrent tests, vitest only knows the one that began last. vitest 4.0 does not export TestRunner.
  const { TestRunner } = vitest as Partial<typeof vitest>;
  const isConcurrent = TestRunner?.getCurrentTest()?.concurrent === true;
  const isInTest = isConcurrent || calledAtTestEnd(onTestEnd);
  const { testPath = '', currentTestName } = vitest.expect.getState();
  const path = relative(root, testPath);
  return {
    id: randomUUID(),
    consumer: name,
    file: resolve(root, dir, `${name}-${PROVIDER_NAME}.json`),
    test: isInTest && !isConcurrent ? `${path} > ${currentTestName}` : path,
    isCollected: !isInTest,
    exchange,
  };
}

function calledAtTestEnd(onTestEnd: (state: string | undefined) => void): boolean {
  try {
    vitest.onTestFinished(({ task }) => onTestEnd(task.result?.state));
    return true;
  } catch {
    // No test is running.
    return false;
  }
}

// Each worker has a file of its own.
const fileName = `${randomUUID()}.jsonl`;

export function appendRecord({ records }: ContractFolders, line: RecordLine): void {
  appendFileSync(join(records, fileName), `${JSON.stringify(line)}\n`);
}
