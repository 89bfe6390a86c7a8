import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  HrTestingError,
  VerificationFailedError,
  brokerFromEnvironment,
  scenarioStates,
  verificationReport,
  verifyProvider,
  type VerificationResult,
  type VerifyOptions,
} from '@hr/testing/provider';
import { scenarioOf } from '@hr/testing/states';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { pactFolders } from './pact-folders.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

const FAILED = 1;
const MISUSED = 2;

const usage = `Verify the service against pacts.

USAGE
  pnpm --silent --filter service run verify-contracts [PACTS...] [flags]

ARGUMENTS
  PACTS  Pact files and folders; default: the pacts of the broker, or without a broker all pacts of this workspace

FLAGS
  --version VERSION  Version of the service; records or publishes the result
  --branch BRANCH    Branch of the service; includes pacts of consumer branches with this name
  --records FILE     Record the result in this file instead of the broker
  -h, --help         Print this help

ENVIRONMENT
  PACT_BROKER_BASE_URL  URL of the broker
  PACT_BROKER_TOKEN     Token for the broker

EXAMPLES
  pnpm --silent --filter service run verify-contracts
  pnpm --silent --filter service run verify-contracts ../payroll-batch/pacts
`;

const options = {
  version: { type: 'string' },
  branch: { type: 'string' },
  records: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The arguments of the command are invalid. */
class UsageError extends Error {}

/**
 * Verifies the service, prints the report and sets the exit code.
 *
 * @param folders with all pacts of this workspace
 */
export async function verificationCommand(
  args: readonly string[],
  terminal: Terminal,
  startProvider: () => Promise<ProviderUnderTest>,
  folders: readonly string[] = pactFolders(),
): Promise<void> {
  try {
    terminal.exitCode = await run(args, terminal, startProvider, folders);
  } catch (error) {
    const isMisuse = error instanceof UsageError;
    if (!isMisuse && !(error instanceof HrTestingError)) throw error;
    terminal.stderr.write(`${error.message}\n${isMisuse ? 'See verify-contracts --help.\n' : ''}`);
    terminal.exitCode = isMisuse ? MISUSED : FAILED;
  }
}

async function run(
  args: readonly string[],
  { env, stdout }: Terminal,
  startProvider: () => Promise<ProviderUnderTest>,
  folders: readonly string[],
): Promise<number> {
  const { values, positionals } = readArguments(args);
  const { version, branch, records } = values;
  if (values.help) return print(stdout, usage.trimEnd());
  const broker = positionals.length === 0 && records === undefined ? brokerFromEnvironment(env) : undefined;
  if (records !== undefined && version === undefined) throw new UsageError('--records needs --version.');
  if (!broker && branch !== undefined)
    throw new UsageError('--branch needs the broker. Omit PACTS and --records to use it.');
  if (!broker && version !== undefined && records === undefined)
    throw new UsageError('--version needs --records or the broker. Add --records, or omit PACTS to use the broker.');

  // pnpm runs this in the folder of the service, but paths are relative to the caller's folder.
  const fromCaller = (path: string): string => resolve(env['INIT_CWD'] ?? '', path);
  const publish = version === undefined ? {} : { publish: { version } };
  const record = records !== undefined && version !== undefined && { file: fromCaller(records), version };
  const source = broker
    ? { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } }
    : { pacts: positionals.length > 0 ? positionals.map(fromCaller) : folders, ...(record && { record }) };
  const result = await verified(source, await startProvider());
  return print(stdout, verificationReport(result), result.ok ? 0 : FAILED);
}

function print(stdout: NodeJS.WritableStream, text: string, exitCode = 0): number {
  stdout.write(`${text}\n`);
  return exitCode;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s|\.?\n|\.$/);
    throw new UsageError(`${sentence}.`, { cause: error });
  }
}

async function verified(source: VerifyOptions['source'], provider: ProviderUnderTest): Promise<VerificationResult> {
  try {
    return await verifyProvider({
      provider: { url: provider.url },
      source,
      // All states of an interaction at once: each on its own would load those before it again.
      reset: ({ states }) => provider.load(scenarioOf(states)),
      states: scenarioStates(() => {}),
      approvePayments: () => provider.approvePayments(),
      token: () => provider.token(),
      tokenWithoutScope: () => provider.tokenWithoutScope(),
    });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  } finally {
    await provider.stop();
  }
}
