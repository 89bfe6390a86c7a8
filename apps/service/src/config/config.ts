import { isIP } from 'node:net';
import { isComponentVersion, REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import { z } from 'zod';
import type { DatabaseUrl } from '../database/open-database.ts';
import { serverUrls } from '../database/postgres-url.ts';
import { readEnvironmentsFile } from './environments-file.ts';
import { ConfigError } from './start-errors.ts';

const MAX_PORT = 65_535;
const A_PORT = `a port from 0 (any) to ${MAX_PORT}`;
const MAX_POOL = 1000;
const A_POOL = `a whole number of connections from 1 to ${MAX_POOL}`;
const MAX_TOKEN_TTL_SECONDS = 86_400;
const MAX_RATE_LIMIT = 1_000_000;
const MAX_HISTORY_DAYS = 36_500;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const text = z.string();

/**
 * The settings. A description says what to give in the environment variable: `databaseListPool` is
 * `HR_DATABASE_LIST_POOL`.
 */
const settings = z.object({
  database: z
    .custom<DatabaseUrl>(isDatabaseUrl)
    .default('pglite:.data/hr-cloud')
    .describe(
      'pglite:DIR, pglite:memory or postgres://USER:PASSWORD@HOST:PORT/NAME, with one host or several (HOST:PORT,HOST:PORT), and special characters percent-encoded',
    ),
  /** Maximum number of connections to PostgreSQL for requests. */
  databasePool: integer(1, MAX_POOL).default(10).describe(A_POOL),
  /** Maximum number of connections to PostgreSQL for lists. */
  databaseListPool: integer(1, MAX_POOL).default(8).describe(A_POOL),
  /** The address of a standby that lists are read from. */
  databaseReplica: text
    .refine((url) => serverUrls(url)?.length === 1)
    .optional()
    .describe('postgres://USER:PASSWORD@HOST:PORT/NAME of a standby of the PostgreSQL in HR_DATABASE'),
  /** The path of a file with the hosts and databases of many environments. `undefined` for a process with one. */
  environments: text.optional().describe('the path of a JSON file'),
  /** The host of the environment that a command is for. */
  environment: text.optional().describe('the host of an environment in the file of HR_ENVIRONMENTS'),
  host: text
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1')
    .describe('a host name or an IP address'),
  port: integer(0, MAX_PORT).default(4010).describe(A_PORT),
  /** The port of the metrics, on the same host. `undefined` turns them off. */
  metricsPort: integer(0, MAX_PORT).optional().describe(A_PORT),
  /** The base URL that callers use, without a slash at its end. Default: the address of the service. */
  publicUrl: text
    .refine(isBaseUrl)
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('the http or https URL that callers use, without user, query and fragment'),
  /** The addresses of proxies whose `X-Forwarded-For` says who calls. By default none. */
  trustedProxy: networks(),
  /** Networks beside the public ones to which webhooks may be sent, also by http, and from which keys are fetched. By default none. */
  webhookNetworks: networks(),
  /** IANA name of the zone in which the days of `changedSince` begin. */
  timeZone: text
    .refine(isTimeZone)
    .default('Europe/Berlin')
    .describe('an IANA time zone such as Europe/Berlin, or UTC'),
  /** Installed version of the time-recording component (section 8). */
  timeComponentVersion: text
    .refine(isComponentVersion)
    .default(REQUIRED_TIME_COMPONENT_VERSION)
    .describe(`a version such as ${REQUIRED_TIME_COMPONENT_VERSION}`),
  tokenTtlSeconds: integer(1, MAX_TOKEN_TTL_SECONDS)
    .default(3600)
    .describe(`whole seconds from 1 to ${MAX_TOKEN_TTL_SECONDS}`),
  /** Maximum number of requests of a client in a minute. `undefined` is no limit. */
  rateLimit: integer(1, MAX_RATE_LIMIT).optional().describe(`a whole number of requests from 1 to ${MAX_RATE_LIMIT}`),
  /** For how many days lists of changes reach back. */
  historyDays: integer(1, MAX_HISTORY_DAYS).default(400).describe(`whole days from 1 to ${MAX_HISTORY_DAYS}`),
  logLevel: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
});

/** What an environment in the file of `HR_ENVIRONMENTS` has of its own. All other settings hold for all. */
const environmentSettings = z.strictObject({
  host: text
    .max(255)
    .regex(/^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])$/)
    .describe('a host name in lower case, without port, or an IPv6 address in brackets'),
  database: z
    .custom<DatabaseUrl>((url) => isDatabaseUrl(url) && !String(url).startsWith('pglite:'))
    .describe('postgres://USER:PASSWORD@HOST:PORT/NAME, with one host or several (HOST:PORT,HOST:PORT)'),
  databaseReplica: settings.shape.databaseReplica,
  publicUrl: settings.shape.publicUrl,
  timeZone: settings.shape.timeZone.unwrap().optional().describe('an IANA time zone such as Europe/Berlin, or UTC'),
  /** Requests are 503, for instance while its database moves. */
  paused: z.literal(true).optional().describe('true, or leave it out'),
});
const OF_ENVIRONMENTS = ['HR_DATABASE', 'HR_DATABASE_REPLICA', 'HR_PUBLIC_URL'] as const;

/** The environment variable of each setting. */
const variables = (Object.keys(settings.shape) as (keyof Config)[]).map(
  (name) => [name, `HR_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`] as const,
);

type Variables = Readonly<Record<string, string | undefined>>;

/** The checked settings of a deployment. */
export type Config = Readonly<z.output<typeof settings>>;

/**
 * Reads the settings from environment variables. A missing or empty variable has its default. Of several environments,
 * they are those of the one that `HR_ENVIRONMENT` names.
 *
 * @throws {ConfigError} which has a line for each invalid value.
 * @example
 * readConfig({ HR_PORT: '0' }).host; // '127.0.0.1'
 */
export function readConfig(given: Variables): Config {
  const config = readSettings(given);
  const { environments: file, environment: host } = config;
  if (file === undefined && host === undefined) return config;
  if (file === undefined) throw new ConfigError('HR_ENVIRONMENT is set, but HR_ENVIRONMENTS is not: set both.');
  if (host === undefined) throw new ConfigError('HR_ENVIRONMENTS is set: say which one, with --environment HOST.');
  const one = environmentsOf(config, file).get(host);
  if (!one) throw new ConfigError(`--environment: HR_ENVIRONMENTS has no such host. Give one of ${file}.`);
  if (one.paused) throw new ConfigError(`--environment: ${host} is paused. Remove "paused" in ${file} first.`);
  return one;
}

/** The settings of one of several environments. */
export interface EnvironmentConfig extends Config {
  readonly paused?: true | undefined;
}

/** The settings of a process with several environments, and those of each environment, by host. */
export interface Environments {
  readonly config: Config;
  readonly environments: ReadonlyMap<string, EnvironmentConfig>;
}

/**
 * Reads the settings of all environments; `undefined` where there is one, or `HR_ENVIRONMENT` names it.
 *
 * @throws {ConfigError} as {@link readConfig}.
 */
export function readEnvironments(given: Variables): Environments | undefined {
  const config = readSettings(given);
  const { environments: file, environment: host } = config;
  if (file === undefined || host !== undefined) return undefined;
  return { config, environments: environmentsOf(config, file) };
}

function environmentsOf(config: Config, file: string): ReadonlyMap<string, EnvironmentConfig> {
  const { timeZone } = config;
  return new Map(
    readEnvironmentsFile(file, environmentSettings).map(({ host, ...own }) => [
      host,
      { ...config, publicUrl: `https://${host}`, ...own, timeZone: own.timeZone ?? timeZone },
    ]),
  );
}

function readSettings(environment: Variables): Config {
  const given = variables.flatMap(([name, variable]) => (environment[variable] ? [[name, environment[variable]]] : []));
  const { data, error } = settings.safeParse(Object.fromEntries(given));
  if (error) {
    const invalid = new Set(error.issues.map(({ path }) => path[0]));
    const lines = variables.flatMap(([name, variable]) =>
      invalid.has(name) ? `${variable} is not valid: give ${settings.shape[name].description}.` : [],
    );
    throw new ConfigError(lines.join('\n'));
  }
  if (data.databaseReplica !== undefined && data.database.startsWith('pglite:')) {
    throw new ConfigError('HR_DATABASE_REPLICA is set, but HR_DATABASE is not PostgreSQL: set both, or neither.');
  }
  const single = OF_ENVIRONMENTS.filter((variable) => environment[variable]);
  if (data.environments !== undefined && single.length > 0) {
    throw new ConfigError(
      `${single.join(', ')} and HR_ENVIRONMENTS are set: unset ${single.join(', ')}, as each environment has its own.`,
    );
  }
  return data;
}

/** Variables of other programs: the console, `hr`, the example program, and the registry of the packages. */
const otherPrograms =
  /^HR_(?:(?:BASE_URL|HOME|KEYCHAIN|PROFILE)$|CLIENT_|CONSOLE_|OPERATOR_CLIENT_|PRIVATE_KEY_|REGISTRY)/;

/**
 * A warning about variables that look like settings, such as the misspelled `HR_PROT`. They do not stop a command, because
 * platforms add variables of their own: Kubernetes sets `HR_SERVICE_HOST` for a service named "hr".
 */
export function unknownSettings(environment: Variables): string | undefined {
  const names: readonly string[] = variables.map(([, variable]) => variable);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('HR_') && !names.includes(name) && !otherPrograms.test(name),
  );
  if (unknown.length === 0) return undefined;
  return `Ignored unknown settings: ${unknown.join(', ')}. The settings are ${names.join(', ')}.`;
}

function integer(min: number, max: number) {
  return text
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
    .transform(Number);
}

function networks() {
  return text
    .transform((value) => value.split(',').map((network) => network.trim()))
    .refine((given) => given.every(isNetwork))
    .optional()
    .describe('IP addresses or networks such as 10.0.0.0/8, separated by commas');
}

function isDatabaseUrl(value: unknown): boolean {
  const url = String(value);
  if (url.startsWith('pglite:')) return url.length > 'pglite:'.length;
  return serverUrls(url) !== undefined;
}

function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[!-~]+$/.test(value) && !/[?#@\\]/.test(value) && URL.canParse(value);
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...more] = value.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return maxBits > 0;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= maxBits;
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
