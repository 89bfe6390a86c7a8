import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readGrant, type Grant } from '../model/grants.ts';
import { logLevels } from './log.ts';

/** A setting that is missing or wrong. Its message names the setting and the remedy. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** How long requests in flight may take to end when the console stops. */
export const GRACE_MS = 4000;

const Port = z.coerce
  .number('must be a port')
  .int('must be a port')
  .min(0, 'must be 0 at least')
  .max(65_535, 'must be 65535 at most');
const Origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine(
    (url) => new URL(url).origin === url,
    'must be an origin such as https://console.example.com, without a path',
  );

const SAFE_ISSUER = /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;

const MIN_RECORD_DAYS = 90;
/** Grants by values of a claim, such as `{"hr-payroll": "editor,pay,everyone"}`. */
const Roles = z.string().transform((text, context) => {
  try {
    const grants = z.record(z.string(), z.string()).parse(JSON.parse(text));
    return Object.fromEntries(Object.entries(grants).map(([value, grant]) => [value, readGrant(grant)]));
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'It is no JSON object of texts.';
    context.addIssue(`must be valid. ${reason} Write JSON such as {"hr-payroll": "editor,pay,everyone"}`);
    return z.NEVER;
  }
});

const Environment = z.object({
  HR_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be the URL of the HR Cloud' }).optional(),
  HR_PORT: Port.default(4010),
  HR_CLIENT_ID: z.string().optional(),
  HR_CLIENT_SECRET: z.string().optional(),
  HR_OPERATOR_CLIENT_ID: z.string().optional(),
  HR_OPERATOR_CLIENT_SECRET: z.string().optional(),
  HR_CONSOLE_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be the issuer of the identity provider' })
    .refine((issuer) => SAFE_ISSUER.test(issuer), 'must begin with https:, unless the provider is on this computer')
    .optional(),
  HR_CONSOLE_OIDC_CLIENT_ID: z.string().optional(),
  HR_CONSOLE_OIDC_CLIENT_SECRET: z.string().optional(),
  HR_CONSOLE_OIDC_SCOPE: z.string().default('openid profile email'),
  HR_CONSOLE_OIDC_ROLES_CLAIM: z.string().default('groups'),
  HR_CONSOLE_OIDC_EMPLOYEE_NUMBER_CLAIM: z.string().optional(),
  HR_CONSOLE_ROLES: Roles.optional(),
  HR_CONSOLE_DATA: z.string().default('.data/console'),
  HR_CONSOLE_ENVIRONMENT: z.string().max(20).optional(),
  HR_CONSOLE_LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  HR_CONSOLE_METRICS_PORT: Port.optional(),
  HR_CONSOLE_RECORD_DAYS: z.coerce
    .number('must be days')
    .int('must be whole days')
    .min(MIN_RECORD_DAYS, `must be ${MIN_RECORD_DAYS} at least`)
    .default(400),
  HR_CONSOLE_HOST: z.string().default('127.0.0.1'),
  HR_CONSOLE_ORIGIN: Origin.optional(),
  HR_CONSOLE_PORT: Port.default(4020),
});

/** How the console knows people of the identity provider of the company, by OpenID Connect. */
export interface ProviderSettings {
  /** Its issuer identifier, as its metadata has it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. */
  readonly scope: string;
  /** The claim whose values are the keys of `roles`: a text, or a list of texts. */
  readonly rolesClaim: string;
  /** What a value of the claim grants. */
  readonly roles: Readonly<Record<string, Grant>>;
  readonly employeeNumberClaim: string | undefined;
}

/** Credentials of a client of the service. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const demo = {
  HR_CLIENT_ID: 'demo',
  HR_CLIENT_SECRET: 'demo-secret',
  HR_OPERATOR_CLIENT_ID: 'operator',
  HR_OPERATOR_CLIENT_SECRET: 'operator-secret',
  HR_CONSOLE_ENVIRONMENT: 'demo',
  // Its terminal has the link.
  HR_CONSOLE_LOG_LEVEL: 'error',
};

/** Settings that a file may have. */
const filed = ['HR_CLIENT_SECRET', 'HR_OPERATOR_CLIENT_SECRET', 'HR_CONSOLE_OIDC_CLIENT_SECRET', 'HR_CONSOLE_ROLES'];

/**
 * Reads the settings from the environment. A setting `…_FILE` names a file with the value, for secrets.
 *
 * @param isDemo - Whether the credentials of the demo are the default.
 * @throws {ConfigError}
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, isDemo = false) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const given: Record<string, string | undefined> = { ...(isDemo && demo), ...Object.fromEntries(set) };
  for (const name of filed) {
    const file = given[`${name}_FILE`];
    if (file !== undefined) given[name] = secretIn(file, `${name}_FILE`);
  }
  const { success, data, error } = Environment.safeParse(given);
  if (!success) {
    throw new ConfigError(error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'));
  }
  return {
    /** Address of the service. */
    baseUrl: data.HR_BASE_URL ?? `http://127.0.0.1:${data.HR_PORT}`,
    /** Reads and changes persons, and submits payments. Its scope is `api:use`. */
    client: credentials(data, 'HR_CLIENT'),
    /** Decides on payments, reads the audit and manages clients. Its scope is `operator`. */
    operator: credentials(data, 'HR_OPERATOR_CLIENT'),
    /** Folder of the local copy, the submitted payments, the sessions and the console's own record. */
    folder: data.HR_CONSOLE_DATA,
    /** Name of the environment, which every page shows. */
    environment: data.HR_CONSOLE_ENVIRONMENT ?? 'production',
    logLevel: data.HR_CONSOLE_LOG_LEVEL,
    /** Port of the metrics, on the same host; undefined turns them off. */
    metricsPort: data.HR_CONSOLE_METRICS_PORT,
    /** So long the record of what people did is kept. */
    recordDays: data.HR_CONSOLE_RECORD_DAYS,
    host: data.HR_CONSOLE_HOST,
    port: data.HR_CONSOLE_PORT,
    /** Origin that browsers use, if it is not the address itself, such as behind a proxy that ends TLS. */
    origin: data.HR_CONSOLE_ORIGIN,
    /** Who signs people in; by default links do. */
    provider: providerOf(data),
  };
}

/** Checked settings. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

function providerOf(data: z.infer<typeof Environment>): ProviderSettings | undefined {
  const {
    HR_CONSOLE_OIDC_ISSUER: issuer,
    HR_CONSOLE_OIDC_CLIENT_ID: clientId,
    HR_CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    HR_CONSOLE_ROLES: roles,
  } = data;
  if (issuer === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined || roles === undefined) {
    throw new ConfigError(
      'HR_CONSOLE_OIDC_ISSUER is set, so set HR_CONSOLE_OIDC_CLIENT_ID, HR_CONSOLE_OIDC_CLIENT_SECRET_FILE and HR_CONSOLE_ROLES or HR_CONSOLE_ROLES_FILE, too.',
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    scope: data.HR_CONSOLE_OIDC_SCOPE,
    rolesClaim: data.HR_CONSOLE_OIDC_ROLES_CLAIM,
    roles,
    employeeNumberClaim: data.HR_CONSOLE_OIDC_EMPLOYEE_NUMBER_CLAIM,
  };
}

/** Path of the console's own database in its folder. */
export function recordsFile(folder: string): string {
  return join(folder, 'console.db');
}

function secretIn(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name} names a file that cannot be read.`);
  }
}

function credentials(data: z.infer<typeof Environment>, prefix: 'HR_CLIENT' | 'HR_OPERATOR_CLIENT'): Credentials {
  const [clientId, clientSecret] = [data[`${prefix}_ID`], data[`${prefix}_SECRET`]];
  if (clientId === undefined) throw new ConfigError(`${prefix}_ID is missing. Set it to the id of a client.`);
  if (clientSecret === undefined) {
    throw new ConfigError(
      `${prefix}_SECRET is missing. Set it, or ${prefix}_SECRET_FILE to the path of a file with it.`,
    );
  }
  return { clientId, clientSecret };
}
