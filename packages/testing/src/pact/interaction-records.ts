import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type * as Vitest from 'vitest';
import type { Interaction } from '../contract/pact.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import type { Exchange } from './exchange.ts';

/** A consumer and its contract. */
export interface ConsumerOptions {
  /** The name of the program, such as `payroll-batch`. It is part of the name of the contract file. */
  readonly name: string;
  /** Whom to talk to when the HR Cloud breaks the contract, such as `Payroll team, #payroll`. It is part of the contract. */
  readonly contact?: string | undefined;
  /** The folder of the contract file, relative to the root of the test project. @default 'pacts' */
  readonly dir?: string | undefined;
}

/** A report of a worker about an interaction: its declaration in a test file, and then the outcome of each run. */
export interface InteractionRecord {
  readonly id: string;
  readonly consumer: string;
  readonly contact?: string | undefined;
  /** The contract's file. */
  readonly file: string;
  /** The name of the test, or only of its file. */
  readonly test: string;
  /** Whether it was declared outside of a test, as for `test.each`. */
  readonly isCollected: boolean;
  readonly exchange: Described;
  /** The interaction in the contract, after a run. */
  readonly interaction?: Interaction;
  /** Why the declaration or a run failed. */
  readonly failure?: string;
}

/** An exchange. If its declaration failed, only the description, and the reason as the comment. */
type Described = Pick<Exchange, 'description' | 'comment'>;

/** A line of a file of records: a record, or the id of a run whose test failed, or that was awaited. */
export type RecordLine = InteractionRecord | { readonly dropped: string } | { readonly awaited: string };

/** The values that the reporter provides to the workers. */
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

// Other test runners do without it.
const vitest: Partial<typeof Vitest> = process.env['VITEST'] ? await import('vitest') : {};

/** The variable in which `hr-contracts write` names the folders to the tests of any runner, as JSON. */
export const FOLDERS_VARIABLE = 'HR_CONTRACT_FOLDERS';

/** The folders; undefined without the reporter of vitest or `hr-contracts write`. */
function contractFolders(): ContractFolders | undefined {
  const { [FOLDERS_VARIABLE]: given } = process.env;
  if (given) return JSON.parse(given) as ContractFolders;
  try {
    return vitest.inject?.('hr-contracts');
  } catch {
    return undefined;
  }
}

/**
 * A record of an interaction for the running test; undefined if no records are kept.
 *
 * @param onTestEnd called with the outcome of the test
 */
export function newRecord(
  { name, dir = 'pacts', contact }: ConsumerOptions,
  exchange: Described,
  id: string = randomUUID(),
  onTestEnd: (state: string | undefined) => void = () => {},
): InteractionRecord | undefined {
  const folders = contractFolders();
  if (!folders) return undefined;
  // vitest knows only the last one of concurrent tests. vitest 4.0 does not export TestRunner.
  const isConcurrent = vitest.TestRunner?.getCurrentTest()?.concurrent === true;
  const isInTest = isConcurrent || calledAtTestEnd(onTestEnd);
  // jest has it, too. node:test runs each file in a process of its own.
  const { expect = vitest.expect } = globalThis as { readonly expect?: Pick<typeof Vitest.expect, 'getState'> };
  const { testPath = process.argv[1] ?? '', currentTestName } =
    expect?.getState() ?? ({} as Partial<Vitest.MatcherState>);
  const path = relative(folders.root, testPath);
  return {
    id,
    consumer: name,
    contact,
    file: resolve(folders.root, dir, `${name}-${PROVIDER_NAME}.json`),
    test: isInTest && !isConcurrent && currentTestName !== undefined ? `${path} > ${currentTestName}` : path,
    isCollected: !isInTest,
    exchange,
  };
}

function calledAtTestEnd(onTestEnd: (state: string | undefined) => void): boolean {
  if (!vitest.onTestFinished) return false;
  try {
    vitest.onTestFinished(({ task }) => onTestEnd(task.result?.state));
    return true;
  } catch {
    // No test is running.
    return false;
  }
}

/** Records a declaration. The run fails if no test runs the interaction, or if a test swallows the failure. */
export function recordDeclaration(owner: ConsumerOptions, exchange: Described, failure?: string): void {
  const record = newRecord(owner, exchange);
  if (record) appendRecord({ ...record, ...(failure !== undefined && { failure }) });
}

// Each worker has a file of its own.
const fileName = `${randomUUID()}.jsonl`;

export function appendRecord(line: RecordLine): void {
  const folders = contractFolders();
  if (folders) appendFileSync(join(folders.records, fileName), `${JSON.stringify(line)}\n`);
}
