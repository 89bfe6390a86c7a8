/** A setting has an invalid value. The message names the setting and never shows the value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}

/** The service cannot listen on its port. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code = 'listen';

  /** @param setting the name of the setting that has the port */
  constructor(setting: string, { host, port }: { readonly host: string; readonly port: number }, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} of ${host} is taken: stop what uses it, or set ${setting} to another one (0 takes any).`
        : `The service cannot listen on port ${port} of ${host} (${code}): set HR_HOST and ${setting} to what this machine has.`,
    );
  }
}
