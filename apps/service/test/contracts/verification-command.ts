import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brokerFromEnvironment, HrTestingError, recordVerification, verificationReport } from '@hr/testing/provider';
import { VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import type { VerificationResult, VerifyOptions } from '@hr/testing/provider';
import type { Terminal } from '../../src/commands/terminal.ts';
import { pactFolders } from './pact-folders.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { verificationOf } from './verification-of.ts';

const FAILED = 1;
const MISUSED = 2;

const usage = `Usage: pnpm --silent --filter service run verify-contracts [PACTS...] [--version VERSION] [--branch BRANCH] [--records FILE]

PACTS are files and folders. Without any, the broker of PACT_BROKER_BASE_URL and PACT_BROKER_TOKEN is asked for them, and
without a broker they are those of this workspace and those in apps/service/contracts.
--version names this version of the service: the results are published to the broker, or recorded in --records FILE.
`;

const options = {
  version: { type: 'string' },
  branch: { type: 'string' },
  records: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The command was called in a wrong way. */
class UsageError extends Error {}

interface Verification {
  readonly startProvider: () => Promise<ProviderUnderTest>;
  /** The folder of pacts that other teams have handed in. */
  readonly inbox?: string;
}

/** Runs the command to its end: prints whether the service passes contracts, and leaves an exit code. */
export async function verificationCommand(
  args: readonly string[],
  terminal: Terminal,
  verification: Verification,
): Promise<void> {
  try {
    terminal.exitCode = await run(args, terminal, verification);
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
  { startProvider, inbox }: Verification,
): Promise<number> {
  const { values, positionals } = readArguments(args);
  const { version, branch, records } = values;
  if (values.help) return print(stdout, usage.trimEnd());
  const broker = positionals.length === 0 && records === undefined ? brokerFromEnvironment(env) : undefined;
  if (records !== undefined && version === undefined) throw new UsageError('--records needs --version.');
  if (!broker && branch !== undefined) throw new UsageError('--branch needs a broker: leave out PACTS and --records.');
  if (!broker && version !== undefined && records === undefined)
    throw new UsageError(`Nothing would be recorded for version ${version}: add --records, or use a broker.`);

  // pnpm runs this in the service's folder; a path is relative to where its caller is.
  const fromCaller = (path: string): string => resolve(env['INIT_CWD'] ?? '', path);
  const publish = version === undefined ? {} : { publish: { version } };
  const source = broker
    ? { broker: { ...broker, ...(branch !== undefined && { branch }), ...publish } }
    : { pacts: positionals.length > 0 ? positionals.map(fromCaller) : pactFolders(inbox) };
  const result = await verified(source, startProvider);
  if (records !== undefined && version !== undefined) {
    // A failed result is not recorded, and the report says why.
    const recorded = recordVerification({ records: fromCaller(records), version, result });
    await (result.ok ? recorded : recorded.catch(() => undefined));
  }
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

async function verified(
  source: VerifyOptions['source'],
  startProvider: Verification['startProvider'],
): Promise<VerificationResult> {
  const provider = await startProvider();
  try {
    return await verifyProvider({ ...verificationOf(provider), source });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  } finally {
    await provider.stop();
  }
}
