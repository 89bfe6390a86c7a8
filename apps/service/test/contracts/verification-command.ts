import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brokerFromEnvironment, HrTestingError, recordVerification } from '@hr/testing/provider';
import { VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import type { PactFiles, VerificationResult, VerifyOptions } from '@hr/testing/provider';
import type { Terminal } from '../../src/commands/terminal.ts';
import { pactFiles } from './pact-files.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { verificationOf } from './verification-of.ts';

const FAILED = 1;
const MISUSED = 2;

const usage = `Usage: pnpm --filter service run verify-contracts [PACTS...] [--version VERSION] [--branch BRANCH] [--records FILE]

PACTS are files that end in .json, and folders of them. Without any, they come from the broker of PACT_BROKER_BASE_URL and
PACT_BROKER_TOKEN, and where there is none, they are those of this workspace.
--version names this version of the service: the results are published to the broker, or written into --records FILE.
`;

const options = { version: { type: 'string' }, branch: { type: 'string' }, records: { type: 'string' } } as const;

/** It was called in a way that it does not know. */
class UsageError extends Error {}

interface Verification {
  readonly startProvider: () => Promise<ProviderUnderTest>;
  /** The folder that the report is written to. */
  readonly reports: string;
}

/** Runs the command to its end: tells whether the service holds contracts, and leaves an exit code. */
export async function verificationCommand(
  args: readonly string[],
  terminal: Terminal,
  verification: Verification,
): Promise<void> {
  try {
    terminal.exitCode = await run(args, terminal, verification);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.stderr.write(`${error.message}\n\n${usage}`);
      terminal.exitCode = MISUSED;
    } else if (error instanceof HrTestingError) {
      terminal.stderr.write(`${error.message}\n`);
      terminal.exitCode = FAILED;
    } else throw error;
  }
}

async function run(args: readonly string[], { env, stdout }: Terminal, verification: Verification): Promise<number> {
  // pnpm runs this in the service's folder; a path is as its caller means it.
  const fromCaller = (path: string): string => resolve(env['INIT_CWD'] ?? '', path);
  const { values, positionals } = readArguments(args);
  const { version, branch, records } = values;
  const broker = positionals.length === 0 ? brokerFromEnvironment(env) : undefined;
  if (records !== undefined && (broker || version === undefined)) {
    throw new UsageError('--records needs --version, and PACTS or no broker.');
  }
  const pacts = filesOf(positionals.map(fromCaller));
  const publish = version === undefined ? {} : { publish: { version } };
  const source = broker ? { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } } : pacts;
  const result = await verified(source, verification);
  stdout.write(await readFile(join(verification.reports, 'contracts.txt'), 'utf8'));
  if (records !== undefined && version !== undefined) {
    await recordVerification({ records: fromCaller(records), version, pacts, result });
  }
  return result.ok ? 0 : FAILED;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

async function verified(
  source: VerifyOptions['source'],
  { startProvider, reports }: Verification,
): Promise<VerificationResult> {
  const provider = await startProvider();
  try {
    return await verifyProvider({ ...verificationOf(provider), source, report: { dir: reports } });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  } finally {
    await provider.stop();
  }
}

function filesOf(paths: readonly string[]): PactFiles {
  if (paths.length === 0) return { files: pactFiles() };
  return {
    files: paths.filter((path) => path.endsWith('.json')),
    folders: paths.filter((path) => !path.endsWith('.json')),
  };
}
