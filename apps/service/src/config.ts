import { isComponentVersion, REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { DatabaseUrl } from './database/open-database.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What a deployment sets, checked. */
export interface Config {
  readonly database: DatabaseUrl;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where the metrics are, on the same host; `undefined` where nothing is measured. */
  readonly metricsPort: number | undefined;
  /** The base address that callers use, without a slash at its end; by default the one that the service listens on. */
  readonly publicUrl: string | undefined;
  /** IANA name of the zone in which the days of `changedSince` begin. */
  readonly timeZone: string;
  /** Installed version of the time-recording component (section 8). */
  readonly timeComponentVersion: string;
  readonly tokenTtlSeconds: number;
  /** How many requests a client may send in a minute; `undefined` where as many as it likes. */
  readonly rateLimit: number | undefined;
  readonly logLevel: (typeof logLevels)[number];
}

/** A setting has a value it cannot have. The message names the setting and never shows the value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}

const HIGHEST_PORT = 65_535;
const A_PORT = `a port from 0 (any) to ${HIGHEST_PORT}`;
const LONGEST_TOKEN_TTL_SECONDS = 86_400;
const HIGHEST_RATE_LIMIT = 1_000_000;

/**
 * Reads the settings from environment variables; one that is absent or empty has its default.
 *
 * @throws {ConfigError} when a value is wrong.
 * @example
 * readConfig({ HR_PORT: '0' }).host; // '127.0.0.1'
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const setting = (name: string, preset: string, accepts: (value: string) => boolean, remedy: string): string => {
    const value = environment[name] || preset;
    if (!accepts(value)) throw new ConfigError(`${name} is not valid: give ${remedy}.`);
    return value;
  };
  const isPort = wholeNumber(0, HIGHEST_PORT);
  const isRateLimit = wholeNumber(1, HIGHEST_RATE_LIMIT);
  const metricsPort = setting('HR_METRICS_PORT', '', (value) => value === '' || isPort(value), A_PORT);
  return {
    database: setting(
      'HR_DATABASE',
      'pglite:.data/hr-cloud',
      isDatabaseUrl,
      'pglite:DIR, pglite:memory or postgres://USER:PASSWORD@HOST:PORT/NAME (percent-encode what is special in it)',
    ) as DatabaseUrl,
    host: setting('HR_HOST', '127.0.0.1', (value) => /^[\w.:-]+$/.test(value), 'a host name or an IP address'),
    port: Number(setting('HR_PORT', '4010', isPort, A_PORT)),
    metricsPort: metricsPort === '' ? undefined : Number(metricsPort),
    publicUrl:
      setting(
        'HR_PUBLIC_URL',
        '',
        isBaseAddress,
        'the http or https address that callers use, without user, query and fragment',
      ).replace(/\/+$/, '') || undefined,
    timeZone: setting('HR_TIME_ZONE', 'Europe/Berlin', isTimeZone, 'an IANA time zone such as Europe/Berlin, or UTC'),
    timeComponentVersion: setting(
      'HR_TIME_COMPONENT_VERSION',
      REQUIRED_TIME_COMPONENT_VERSION,
      isComponentVersion,
      `a version such as ${REQUIRED_TIME_COMPONENT_VERSION}`,
    ),
    tokenTtlSeconds: Number(
      setting(
        'HR_TOKEN_TTL_SECONDS',
        '3600',
        wholeNumber(1, LONGEST_TOKEN_TTL_SECONDS),
        `whole seconds from 1 to ${LONGEST_TOKEN_TTL_SECONDS}`,
      ),
    ),
    rateLimit:
      Number(
        setting(
          'HR_RATE_LIMIT',
          '',
          (value) => value === '' || isRateLimit(value),
          `a whole number of requests from 1 to ${HIGHEST_RATE_LIMIT}`,
        ),
      ) || undefined,
    logLevel: setting(
      'HR_LOG_LEVEL',
      'info',
      (value) => logLevels.some((level) => level === value),
      `one of ${logLevels.join(', ')}`,
    ) as Config['logLevel'],
  };
}

function isDatabaseUrl(value: string): boolean {
  if (value.startsWith('pglite:')) return value.length > 'pglite:'.length;
  return /^postgres(?:ql)?:\/\/./.test(value) && URL.canParse(value);
}

function isBaseAddress(value: string): boolean {
  return value === '' || (/^https?:\/\/[!-~]+$/.test(value) && !/[?#@\\]/.test(value) && URL.canParse(value));
}

function wholeNumber(least: number, most: number): (value: string) => boolean {
  return (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
}

function isTimeZone(value: string): boolean {
  // Abbreviations and offsets, such as PST and +02:00, mean one thing to JavaScript and another to PostgreSQL.
  if (!/^(?:UTC|[a-z]+\/.+)$/i.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
