// pnpm --filter service run verify-contracts: tells whether this service holds contracts.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brokerFromEnvironment, HrTestingError, recordVerification } from '@hr/testing/provider';
import { VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import type { PactFiles, VerificationResult, VerifyOptions } from '@hr/testing/provider';
import { pactFiles } from './pact-files.ts';
import { startProviderUnderTest } from './provider-under-test.ts';
import { verificationOf } from './verification-of.ts';

const FAILED = 1;
const MISUSED = 2;
const REPORT = 'reports';

const usage = `Usage: pnpm --filter service run verify-contracts [PACTS...] [--version VERSION] [--branch BRANCH] [--records FILE]

PACTS are files that end in .json, and folders of them. Without any, they come from the broker of PACT_BROKER_BASE_URL and
PACT_BROKER_TOKEN, and where there is none, they are those of this workspace.
--version names this version of the service: the results are published to the broker, or written into --records FILE.
`;

const options = { version: { type: 'string' }, branch: { type: 'string' }, records: { type: 'string' } } as const;

/** It was called in a way that it does not know. */
class UsageError extends Error {}

try {
  process.exitCode = await run();
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exitCode = MISUSED;
  } else if (error instanceof HrTestingError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = FAILED;
  } else throw error;
}

async function run(): Promise<number> {
  const { values, positionals } = readArguments();
  const { version, branch, records } = values;
  const broker = positionals.length === 0 ? brokerFromEnvironment() : undefined;
  if (records !== undefined && (broker || version === undefined)) {
    throw new UsageError('--records needs --version, and PACTS or no broker.');
  }
  const pacts = filesOf(positionals);
  const publish = version === undefined ? {} : { publish: { version } };
  const source = broker ? { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } } : pacts;
  const result = await verified(source);
  process.stdout.write(await readFile(`${REPORT}/contracts.txt`, 'utf8'));
  if (records !== undefined && version !== undefined) {
    await recordVerification({ records: fromCaller(records), version, pacts, result });
  }
  return result.ok ? 0 : FAILED;
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

async function verified(source: VerifyOptions['source']): Promise<VerificationResult> {
  const provider = await startProviderUnderTest();
  try {
    return await verifyProvider({ ...verificationOf(provider), source, report: { dir: REPORT } });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  } finally {
    await provider.stop();
  }
}

function filesOf(paths: readonly string[]): PactFiles {
  if (paths.length === 0) return { files: pactFiles() };
  const found = paths.map(fromCaller);
  return {
    files: found.filter((path) => path.endsWith('.json')),
    folders: found.filter((path) => !path.endsWith('.json')),
  };
}

/** A path as its caller means it: pnpm runs this in the service's folder. */
function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', path);
}
