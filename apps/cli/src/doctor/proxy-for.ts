/** A proxy that the environment names for an address. */
export interface Proxy {
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
export function proxyFor({ protocol, hostname, port }: URL, env: NodeJS.ProcessEnv): Proxy | undefined {
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
