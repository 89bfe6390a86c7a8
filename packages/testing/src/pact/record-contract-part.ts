import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { TestRunner, expect, inject } from 'vitest';
import { HrTestingError } from '../hr-testing-error.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import type { ContractFolders, ContractPart, MadeInteraction } from './contract-part.ts';
import type { Exchange } from './exchange.ts';
import type { PactInteraction } from '../contract/pact-interaction.ts';

/** Whose contract it is, and the folder of its file. */
export interface Consumer {
  readonly name: string;
  readonly dir: string;
}

/** Leaves word of an interaction for the end of the run, when each has to have been run. */
export function recordMade(consumer: Consumer, exchange: Exchange): void {
  const folders = foldersOfRun();
  if (folders) write(folders, 'made', madeInteraction(folders, consumer, exchange));
}

/** The interaction of an exchange, of the test that is running. */
export function madeInteraction(
  { root }: ContractFolders,
  { name, dir }: Consumer,
  exchange: Exchange,
): MadeInteraction {
  const { testPath = '' } = expect.getState();
  const test = TestRunner.getCurrentTest();
  const path = relative(root, testPath);
  // Of tests that run at the same time, vitest says only which has begun last.
  const isKnown = test && !test.concurrent;
  return {
    consumer: name,
    file: resolve(root, dir, `${name}-${PROVIDER_NAME}.json`),
    test: isKnown ? `${path} > ${test.fullTestName}` : path,
    ...(!test && { collectedIn: testPath }),
    exchange,
  };
}

/** Leaves a part of a contract for the end of the run, when all parts are put together. */
export function recordContractPart(
  folders: ContractFolders,
  made: MadeInteraction,
  interaction: PactInteraction,
): void {
  const part: ContractPart = { ...made, interaction };
  write(folders, 'part', part);
}

/** @throws {HrTestingError} `invalid-option` where nobody makes the files, so that a contract would get lost. */
export function contractFolders(): ContractFolders {
  const folders = foldersOfRun();
  if (folders) return folders;
  const remedy = "add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts";
  throw new HrTestingError('invalid-option', `No contract can be written: run it in a test of vitest, and ${remedy}.`);
}

/** Nothing outside of vitest, and where nobody makes the files. */
function foldersOfRun(): ContractFolders | undefined {
  try {
    return inject('hr-contracts') as ContractFolders | undefined;
  } catch {
    return undefined;
  }
}

function write({ parts }: ContractFolders, kind: 'made' | 'part', content: MadeInteraction): void {
  writeFileSync(join(parts, `${randomUUID()}.${kind}.json`), JSON.stringify(content));
}
