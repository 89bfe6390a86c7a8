import { getSystemErrorMessage } from 'node:util';
import { isAuthError, type AuthErrorCode } from '@hr/auth';
import { isHrError, type HrError, type HrErrorCode } from '@hr/client';
import { endpoints } from '@hr/schemas/checks';
import type { Command } from 'commander';
import { CliError, exitCodes, type ExitCode } from './cli-error.ts';

const { failure, usage, authentication, notFound, rejected, unknownOutcome, network, busy, interrupted } = exitCodes;

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
  ...ofCall,
  'secret-unavailable': authentication,
  'invalid-client': authentication,
  'invalid-scope': authentication,
  rejected: authentication,
};

/** The exit code of a failed command. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (isAbort(error)) return interrupted;
  if (isAuthError(error)) return exitCodeIn(ofToken, error.code) ?? failure;
  if (isCoded(error) && error.code === 'cannot-store') return unknownOutcome;
  if (isCoded(error) && error.code === 'invalid-option') return usage;
  if (isCoded(error) && error.code === 'outbox-busy') return busy;
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

/**
 * What a failed command prints: one paragraph without personal data and without secrets.
 *
 * @param command - Whose flags and arguments the message names.
 */
export function failureMessage(error: unknown, command?: Command): string {
  if (!(error instanceof Error)) return 'The command failed.';
  if (isHrError(error) && error.code === 'aborted') {
    const effect = exitCodeOfCall(error) === unknownOutcome ? ' The change may have been made: check it.' : '';
    return `Interrupted.${effect}`;
  }
  if (isAbort(error)) return 'Interrupted.';
  if (error instanceof CliError) return error.message;
  if (isHrError(error)) return inTermsOfHr(messageOfCall(error, command), command);
  if (isAuthError(error)) return inTermsOfHr(error.message, command);
  if (isCoded(error)) {
    // Such as `persons: limit must be …`.
    const isOption = error.code === 'invalid-option';
    const message = isOption
      ? error.message.replace(/^\w+: (\w+)/, (_, name: string) => inputOf(name, command) ?? name)
      : error.message;
    return inTermsOfHr(message, command) + (error.code === 'other-source' ? ` ${OTHER_PROFILE}` : '');
  }
  const { errno, path = 'Output', syscall } = error as NodeJS.ErrnoException;
  if (errno !== undefined && syscall !== undefined) return `${path}: ${getSystemErrorMessage(errno)} (${syscall}).`;
  // Any other message may quote data.
  return `The command failed unexpectedly (${error.name}). Report it to the maintainers.`;
}

/** The message of a call, with the flags and arguments that are wrong. */
function messageOfCall(error: HrError, command?: Command): string {
  const { message, operation, code, outcome, problem, tokenErrorCode } = error;
  if (code === 'token-unavailable' && outcome === 'not-sent') {
    return `No access token (${tokenErrorCode}), so nothing was sent. To see why, run: hr doctor`;
  }
  if (code !== 'invalid-request' || operation === undefined) return message;
  return (problem?.errors ?? []).reduce(
    (text, { pointer }) => {
      const name = pointer.slice(1);
      return text.replace(pointer, inputOf(name, command, endpoints[operation].path.includes(`{${name}}`)) ?? pointer);
    },
    outcome === 'not-sent' ? message.replace(`${operation}: `, '') : message,
  );
}

/** The flag or argument for a parameter. The parameter of a path is the first argument, whatever its name. */
function inputOf(name: string, command: Command | null | undefined, isOfPath = false): string | undefined {
  if (!command) return undefined;
  const flag = command.options.find((option) => option.attributeName() === name)?.long;
  const argument = command.registeredArguments.find((each) => isOfPath || each.name() === name);
  return flag ?? (argument ? `<${argument.name()}>` : inputOf(name, command.parent));
}

/** What only a program has that uses the packages. */
const ofPrograms =
  /\b(?:timeout|\w+Timeout|retryAfterMs|allowInsecureHttp|maxShrink|mayPayTwice|auth|a function|token provider|one provider|problem\.kind|See (?:status|cause)|Check scope|headers of the call|(?:new|same) key|Correct the request)\b/;

/**
 * A message of the packages, as it applies to hr: with the names of its flags, and without the remedies, or alternatives
 * of one, that only a program has.
 */
export function inTermsOfHr(message: string, command?: Command): string {
  return message
    .replaceAll('@hr/client', 'hr')
    .replaceAll(
      /\b(base|client)(Url|Id|Secret)\b/g,
      (name, of: string, what: string) => inputOf(name, command) ?? `${of} ${what.toLowerCase()}`,
    )
    .split(/(?<=\.) (?=[A-Z])/)
    .flatMap((sentence) => {
      if (!ofPrograms.test(sentence)) return [sentence];
      const rest = sentence.split(/,? or /).filter((alternative) => !ofPrograms.test(alternative));
      return rest.map((each) => each.replace(/^./, (letter) => letter.toUpperCase()).replace(/\.?$/, '.'));
    })
    .join(' ');
}

const OTHER_PROFILE =
  'Each profile has its own files. For another address or client, run: hr auth login --profile <name>';

/** A question was interrupted. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Errors of `@hr/client/mirror`, which is not imported here because most commands do without it. */
function isCoded(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'MirrorError';
}
