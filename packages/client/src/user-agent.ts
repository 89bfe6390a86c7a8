/** The program that uses the client, for the header `User-Agent`. */
export interface AppInfo {
  /** Such as `payroll-batch`: letters, digits and `-._`. */
  readonly name: string;
  /** Such as `2.1.0`. */
  readonly version?: string | undefined;
}

const productPattern = /^[\w.+-]{1,100}$/;

export function isAppInfo({ name, version = '0' }: AppInfo): boolean {
  return productPattern.test(name) && productPattern.test(version);
}

interface Platform {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(id: 'node:module'): { createRequire(url: string): (path: string) => unknown } | undefined;
  };
}

/** The header `User-Agent` (RFC 9110, section 10.1.5), most significant product first; browsers set their own. */
export function userAgent(app: AppInfo | undefined): string | undefined {
  const { process } = globalThis as unknown as Platform;
  const node = process?.versions?.node;
  if (node === undefined) return undefined;
  const products = [
    ...(app ? [app] : []),
    { name: 'hr-client', version: ownVersion(process) },
    { name: 'node', version: node },
  ];
  return products.map(({ name, version }) => (version === undefined ? name : `${name}/${version}`)).join(' ');
}

/** The version in the `package.json` of this package; undefined in a bundle. */
function ownVersion(process: Platform['process']): string | undefined {
  try {
    const require = process?.getBuiltinModule?.('node:module')?.createRequire(import.meta.url);
    const manifest = require?.('../package.json') as { readonly name?: unknown; readonly version?: string } | undefined;
    return manifest?.name === '@hr/client' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}
