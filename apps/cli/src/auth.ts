import { clientCredentials } from '@hr/auth';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { findIdempotency } from './try-operation.ts';
import { columnsNamed, kindOf } from './output/columns-of.ts';
import {
  configFile,
  givenSecret,
  noProfile,
  readConfig,
  selectedProfile,
  writeConfig,
  type Config,
} from './profile.ts';

const MS_PER_MINUTE = 60_000;
const idempotencyTexts = {
  unsupported: 'not supported',
  'provider-supports': 'supported',
  unknown: 'found out before the first payment',
};

/** `hr auth login`: checks credentials by requesting a token, then stores them. */
export async function login(context: Context, { clientId }: { clientId?: string }): Promise<void> {
  const { terminal, flags } = context;
  const { env } = terminal;
  const config = await readConfig(terminal);
  const { name } = selectedProfile(terminal, flags, config);
  const ask = async (what: string, remedy: string, initialValue?: string): Promise<string> => {
    if (!context.canAsk) throw new CliError(`No ${what}. Pass ${remedy}.`, exitCodes.usage);
    const { cancel, isCancel, password, text } = await import('@clack/prompts');
    const streams = { input: process.stdin, output: process.stderr, signal: context.signal };
    const message = what.replace(/^./, (letter) => letter.toUpperCase());
    const isSecret = initialValue === undefined;
    const answer = await (isSecret ? password({ message, ...streams }) : text({ message, initialValue, ...streams }));
    if (!isCancel(answer)) return answer.trim();
    cancel('Nothing was stored.', streams);
    throw new CliError('Interrupted.', exitCodes.interrupted);
  };
  const { base_url: ownUrl = '', client_id: ownId = '' } = config.profiles[name] ?? {};
  const baseUrl =
    (flags.baseUrl ?? env['HR_BASE_URL']) ||
    (await ask('address of the HR Cloud', '--base-url or set HR_BASE_URL', ownUrl));
  const id = (clientId ?? env['HR_CLIENT_ID']) || (await ask('client id', '--client-id or set HR_CLIENT_ID', ownId));
  const secret =
    (await givenSecret(terminal, flags)) ??
    (await ask('client secret', '--client-secret-file or set HR_CLIENT_SECRET'));

  const auth = clientCredentials({ baseUrl, clientId: id, clientSecret: secret });
  const { value } = await auth.getToken({ signal: context.signal });
  const idempotency = await findIdempotency(baseUrl, value, context.signal);

  const isFirst = Object.keys(config.profiles).length === 0;
  const profile = { base_url: baseUrl, client_id: id, client_secret: secret };
  await writeConfig(terminal, {
    ...config,
    ...(isFirst && { default: name }),
    profiles: { ...config.profiles, [name]: { ...profile, ...(idempotency && { idempotency }) } },
  });
  context.info(`Logged in to ${baseUrl} as ${id}. Stored in the profile ${name}.`);
}

/** `hr auth status`: prints the profile in use and requests a token. */
export async function status(context: Context): Promise<void> {
  const { name, baseUrl, clientId, idempotency } = await context.profile();
  const { expiresAt } = await context.token();
  const facts = { profile: name, baseUrl, clientId, idempotency, tokenExpiresAt: new Date(expiresAt).toISOString() };
  const { stdout } = context.terminal;
  if (context.flags.json || context.flags.output === 'json') {
    stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const minutes = Math.round((expiresAt - Date.now()) / MS_PER_MINUTE);
  stdout.write(
    `${baseUrl}\n  Profile: ${name}\n  Client id: ${clientId}\n  Idempotency-Key: ${idempotencyTexts[idempotency ?? 'unknown']}\n  The credentials work. A token is valid for ${minutes} minutes.\n`,
  );
}

/** `hr auth logout`: deletes the stored secret; address and client id stay. */
export async function logout(context: Context): Promise<void> {
  const { terminal, flags } = context;
  const config = await readConfig(terminal);
  const { name } = selectedProfile(terminal, flags, config);
  const { client_secret: secret, ...rest } = config.profiles[name] ?? {};
  if (secret === undefined) {
    throw new CliError(`The profile ${name} in ${configFile(terminal)} has no stored secret.`, exitCodes.usage);
  }
  await writeConfig(terminal, { ...config, profiles: { ...config.profiles, [name]: rest } });
  context.info(`Deleted the secret of the profile ${name}. To delete the local copy too, run: hr sync --purge`);
}

/** A stored profile without its secret. `defaultBy` says what makes it the default. */
const profileKind = kindOf('profiles', columnsNamed('string', 'name', 'baseUrl', 'clientId', 'defaultBy'));

/** `hr profiles list`. */
export async function listProfiles(context: Context): Promise<void> {
  const { terminal } = context;
  await writeProfiles(context, await readConfig(terminal));
  context.info(`They are stored in ${configFile(terminal)}.`);
}

/** `hr profiles use`: sets the profile that commands use without `--profile`. */
export async function useProfile(context: Context, name: string): Promise<void> {
  const { terminal } = context;
  const stored = await readConfig(terminal);
  if (!Object.hasOwn(stored.profiles, name)) throw noProfile(terminal, name, stored);
  const config = { ...stored, default: name };
  await writeConfig(terminal, config);
  const note = terminal.env['HR_PROFILE'] ? ' HR_PROFILE is set, and has precedence.' : '';
  context.info(`Commands use the profile ${name} by default.${note}`);
  if (context.wantsRecords) await writeProfiles(context, config);
}

async function writeProfiles(context: Context, config: Config): Promise<void> {
  const { name: selected, by } = selectedProfile(context.terminal, context.flags, config);
  const rows = Object.entries(config.profiles).map(([name, { base_url: baseUrl, client_id: clientId }]) => ({
    name,
    baseUrl,
    clientId,
    ...(name === selected && { defaultBy: by }),
  }));
  await context.write(profileKind, rows);
}
