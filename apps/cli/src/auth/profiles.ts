import type { Context } from '../context.ts';
import { columnsNamed, kindOf } from '../output/columns-of.ts';
import { configFile, noProfile, readConfig, selectedProfile, writeConfig, type Config } from '../profile.ts';

/** A stored profile without its secret. `defaultBy` says what makes it the default. */
const profileKind = kindOf('profiles', columnsNamed('string', 'name', 'baseUrl', 'clientId', 'defaultBy'));

/** `hr profiles list`. */
export async function list(context: Context): Promise<void> {
  const { terminal } = context;
  await write(context, await readConfig(terminal));
  context.info(`They are stored in ${configFile(terminal)}.`);
}

/** `hr profiles use`: sets the profile that commands use without `--profile`. */
export async function use(context: Context, name: string): Promise<void> {
  const { terminal } = context;
  const stored = await readConfig(terminal);
  if (!Object.hasOwn(stored.profiles, name)) throw noProfile(terminal, name, stored);
  const config = { ...stored, default: name };
  await writeConfig(terminal, config);
  const note = terminal.env['HR_PROFILE'] ? ' HR_PROFILE is set, and has precedence.' : '';
  context.info(`Commands use the profile ${name} by default.${note}`);
  if (context.wantsRecords) await write(context, config);
}

async function write(context: Context, config: Config): Promise<void> {
  const { name: selected, by } = selectedProfile(context.terminal, context.flags, config);
  const rows = Object.entries(config.profiles).map(([name, { base_url: baseUrl, client_id: clientId }]) => ({
    name,
    baseUrl,
    clientId,
    ...(name === selected && { defaultBy: by }),
  }));
  await context.write(profileKind, rows);
}
