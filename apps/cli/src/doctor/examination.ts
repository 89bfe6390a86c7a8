import type { AccessToken } from '@hr/auth';
import { operations } from '@hr/schemas';
import { exitCodes, type ExitCode } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Profile } from '../profile.ts';
import { fetchOnce } from '../try-operation.ts';

/** What the checks of one run share. */
export class Examination {
  readonly context: Context;
  /** The first check sets it, without which no other one runs. */
  profile!: Profile;
  /** Set once the service has issued it. */
  token: AccessToken | undefined;
  #probe: Promise<Response> | undefined;

  constructor(context: Context) {
    this.context = context;
  }

  get url(): URL {
    return new URL(this.profile.baseUrl);
  }

  /** The proxy of the environment for the address. */
  get proxy(): Proxy | undefined {
    return proxyFor(this.url, this.context.terminal.env);
  }

  /** The response to a request without a token. The body is not read. */
  probe(): Promise<Response> {
    const { context, profile } = this;
    return (this.#probe ??= fetchOnce(profile.baseUrl, operations.listPersons.path, context.signal).then(
      async (response) => {
        await response.body?.cancel();
        return response;
      },
    ));
  }
}

/** The code of a failed connection, such as `ECONNREFUSED`. The rest of the error may quote the request. */
export function systemCode(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error) {
    if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(error.code)) return error.code;
    if (error.name === 'TimeoutError') return 'ETIMEDOUT';
    error = error.cause;
  }
  return 'no code';
}

/** One thing that `hr doctor` looks at. */
export interface Check {
  readonly name: string;
  /** The checks without which this one makes no sense. */
  readonly needs: readonly string[];
  /**
   * Resolves with what it found, if all is well.
   *
   * @throws {Fault} If it is not.
   * @throws {Skip} If there is nothing to look at.
   */
  readonly run: (examination: Examination) => Promise<string>;
}

/** What is wrong, and what to do about it. */
export class Fault extends Error {
  readonly remedy: string;
  readonly exitCode: ExitCode;

  constructor(message: string, remedy: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** Why a check has nothing to look at. */
export class Skip extends Error {}

/** A proxy that the environment names for an address. */
interface Proxy {
  /** The variable that names it, such as `HTTPS_PROXY`. */
  readonly variable: string;
  /** Undefined if it is not a URL. */
  readonly url: URL | undefined;
  /** Whether `NO_PROXY` exempts the address. */
  readonly isExempt: boolean;
  /** Whether Node.js uses proxies of the environment. */
  readonly isUsed: boolean;
}

/** The proxy of the environment for an address, as Node.js reads it; undefined if there is none. */
function proxyFor({ protocol, hostname, port }: URL, env: NodeJS.ProcessEnv): Proxy | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [name.toLowerCase(), name].find((each) => env[each]);
  if (variable === undefined) return undefined;
  const exempt = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/).filter((entry) => entry !== '');
  const options = [...process.execArgv, ...(env['NODE_OPTIONS'] ?? '').split(' ')];
  return {
    variable,
    url: URL.parse(env[variable] ?? '') ?? undefined,
    isExempt: exempt.some((entry) => isExempt(entry.toLowerCase(), hostname, port)),
    isUsed: env['NODE_USE_ENV_PROXY'] === '1' || options.includes('--use-env-proxy'),
  };
}

/** `*` is every host, `.example.com` and `*.example.com` are those below it, and a port restricts an entry. */
function isExempt(entry: string, hostname: string, port: string): boolean {
  const [, host = entry, entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  return host === '*' || host === hostname || (/^\*?\./.test(host) && hostname.endsWith(host.replace('*', '')));
}
