import { join } from 'node:path';

/** Variables of this run, in contrast to those of the machine. */
const OWN =
  /^(npm_(?!config_)|npm_config_(registry|user_agent|userconfig|globalconfig|prefix)$|NODE_(ENV|OPTIONS)$|GIT_|TURBO_|VITEST|CI$)/i;

/** The environment of a person at this machine, with the commands of a workspace on the PATH. */
export function environment(workspace: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN.test(name));
  const PATH = [join(workspace, 'node_modules/.bin'), process.env['PATH']].join(':');
  return { ...Object.fromEntries(inherited), PATH, CI: 'true', NO_COLOR: '1', TURBO_TELEMETRY_DISABLED: '1' };
}
