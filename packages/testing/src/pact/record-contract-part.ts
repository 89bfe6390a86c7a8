import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, inject } from 'vitest';
import { HrTestingError } from '../hr-testing-error.ts';
import { PROVIDER_NAME } from '../provider/provider-name.ts';
import type { ContractFolders, ContractPart } from './contract-part.ts';

/** Whose contract it is, and the folder of its file. */
export interface Consumer {
  readonly name: string;
  readonly dir: string;
}

/** Leaves a part of a contract for the end of the run, when all parts are put together. */
export function recordContractPart(
  { parts, root }: ContractFolders,
  consumer: Consumer,
  part: Pick<ContractPart, 'interaction' | 'notExpressed'>,
): void {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const whole: ContractPart = {
    consumer: consumer.name,
    file: resolve(root, consumer.dir, `${consumer.name}-${PROVIDER_NAME}.json`),
    test: `${relative(root, testPath)} > ${currentTestName}`,
    ...part,
  };
  writeFileSync(join(parts, `${randomUUID()}.json`), JSON.stringify(whole));
}

/** @throws {HrTestingError} `invalid-option` where nobody makes the files, so that a contract would get lost. */
export function contractFolders(): ContractFolders {
  const folders = inject('hr-contracts') as ContractFolders | undefined;
  if (folders) return folders;
  const remedy = "add contractFiles() of '@hr/testing/pact/vitest' to plugins in vitest.config.ts";
  throw new HrTestingError('invalid-option', `No contract can be written: ${remedy}.`);
}
