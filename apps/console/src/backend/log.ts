import type { FastifyInstance } from 'fastify';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'silent'] as const;

/** The log: JSON, one line an event, to the standard output unless there is a `destination`. */
export function createLog(level: (typeof logLevels)[number], destination?: DestinationStream): Logger {
  const options = {
    level,
    // Neither process id nor host name.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Logs each request when it has ended. No address, parameter, header, body, name or message of an error gets in. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async ({ method, routeOptions: { url: route } }, { statusCode: status, elapsedTime }) => {
    log.info({ method, route, status, durationMs: Math.round(elapsedTime) });
  });
}

interface ErrorFacts {
  readonly code?: string | number;
  readonly errstr?: string;
  readonly error?: string;
  readonly cause?: Pick<ErrorFacts, 'code'> | null;
}

/** What the log may have of an error: not its message, which may contain personal data. */
export function describeError(error: unknown): object {
  const { name, message, stack = '' } = error instanceof Error ? error : { name: typeof error, message: '' };
  const facts = (error ?? {}) as ErrorFacts;
  // Of the system and of SQLite, such as `ENOSPC` and `database is locked`. That of `fetch` has a cause.
  const { code = facts.cause?.code, errstr } = facts;
  // Of an identity provider, such as `invalid_client` (RFC 6749, section 5.2).
  const oauth = /^[a-z_]{1,40}$/.exec(facts.error ?? '')?.[0];
  const frames = stack
    .replace(message, '')
    .split('\n')
    .flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? []);
  return {
    name,
    ...(code !== undefined && { code: String(code) }),
    ...(errstr !== undefined && { errstr }),
    ...(oauth !== undefined && { oauth }),
    frames,
  };
}
