import { getSystemErrorMessage } from 'node:util';
import { isAuthError, type AuthErrorCode } from '@hr/auth';
import { isHrError, type HrError, type HrErrorCode } from '@hr/client';
import { CliError, exitCodes, type ExitCode } from './cli-error.ts';

const { failure, usage, authentication, notFound, rejected, unknownOutcome, network, interrupted } = exitCodes;

/** The codes of a union that is open for more. */
type Known<Code extends string> = Code extends unknown ? (string extends Code ? never : Code) : never;

const ofCall: Readonly<Record<Known<HrErrorCode>, ExitCode>> = {
  'invalid-option': usage,
  'insecure-url': usage,
  'invalid-request': rejected,
  'token-unavailable': authentication,
  unauthorized: authentication,
  forbidden: authentication,
  'not-found': notFound,
  conflict: rejected,
  'idempotency-key-reused': rejected,
  'rate-limited': failure,
  rejected,
  'server-error': failure,
  redirected: failure,
  'untrusted-certificate': network,
  network,
  'fetch-failed': network,
  timeout: network,
  aborted: interrupted,
  'invalid-response': failure,
};

const ofToken: Readonly<Record<Known<AuthErrorCode>, ExitCode>> = {
  'invalid-option': usage,
  'insecure-url': usage,
  'secret-unavailable': authentication,
  'invalid-client': authentication,
  'invalid-scope': authentication,
  rejected: authentication,
  'rate-limited': failure,
  'server-error': failure,
  network,
  'fetch-failed': network,
  timeout: network,
  'invalid-response': failure,
  redirected: failure,
};

/** The exit code of a failed command. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (isAbort(error)) return interrupted;
  if (isAuthError(error)) return exitCodeIn(ofToken, error.code) ?? failure;
  if (isCoded(error) && error.code === 'cannot-store') return unknownOutcome;
  return isHrError(error) ? exitCodeOfCall(error) : failure;
}

function exitCodeOfCall({ code, operation, outcome, tokenErrorCode }: HrError): ExitCode {
  const writes = operation === 'updatePerson' || operation === 'submitVariablePayment';
  if (writes && (outcome === 'unknown' || outcome === 'accepted')) return unknownOutcome;
  const ofItsToken = code === 'token-unavailable' && tokenErrorCode && exitCodeIn(ofToken, tokenErrorCode);
  if (ofItsToken) return ofItsToken;
  // The client found it before it sent anything.
  if (code === 'invalid-request' && outcome === 'not-sent') return usage;
  return exitCodeIn(ofCall, code) ?? failure;
}

function exitCodeIn(table: Readonly<Record<string, ExitCode>>, code: string): ExitCode | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}

/** What a failed command prints: one paragraph without personal data and without secrets. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed.';
  if (isHrError(error) && error.code === 'aborted') {
    const effect = exitCodeOfCall(error) === unknownOutcome ? ' The change may have been made: check it.' : '';
    return `Interrupted.${effect}`;
  }
  if (isAbort(error)) return 'Interrupted.';
  if (isSqliteError(error)) {
    return `The local database failed: ${error.message}. ${sqliteRemedies[error.errcode] ?? 'Check its disk.'}`;
  }
  if (error instanceof CliError || isHrError(error) || isAuthError(error)) return error.message;
  if (isCoded(error)) return error.code === 'other-source' ? `${error.message} ${OTHER_PROFILE}` : error.message;
  if (isOfSystem(error)) return `${error.path ?? 'Output'}: ${getSystemErrorMessage(error.errno)} (${error.syscall}).`;
  // Any other message may quote data.
  return `The command failed unexpectedly (${error.name}). Report it to the maintainers.`;
}

const OTHER_PROFILE =
  'Each profile has its own files. For another address or client, run: hr auth login --profile <name>';

function isOfSystem(
  error: object,
): error is NodeJS.ErrnoException & { readonly errno: number; readonly syscall: string } {
  return 'syscall' in error && 'errno' in error && typeof error.errno === 'number';
}

/** A question was interrupted. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const sqliteRemedies: Readonly<Record<number, string>> = {
  [SQLITE_CORRUPT]:
    'If mirror.db is damaged, delete it and run: hr sync --full. If outbox.db is, restore it from a backup: it is the record of submitted payments.',
  [SQLITE_FULL]: 'Free some disk space.',
};

/** Its message names tables and columns, and no values. */
function isSqliteError(error: Error): error is Error & { readonly errcode: number } {
  return 'errcode' in error && typeof error.errcode === 'number';
}

/** Errors of `@hr/client/mirror`, which is not imported here because most commands do without it. */
function isCoded(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'MirrorError';
}
