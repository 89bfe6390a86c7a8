import { createHash, generateKeyPairSync } from 'node:crypto';
import { clientCredentials, isAuthError } from '@hr/auth';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { findIdempotency } from './try-operation.ts';
import { columnsNamed, kindOf } from './output/columns-of.ts';
import { inKeychain } from './keychain.ts';
import {
  accountOf,
  configFile,
  givenProof,
  noProfile,
  readConfig,
  proofOf,
  selectedProfile,
  storedProof,
  writeConfig,
  type Config,
  type Proof,
} from './profile.ts';

const MS_PER_MINUTE = 60_000;
const idempotencyTexts = {
  unsupported: 'not supported',
  'provider-supports': 'supported',
  unknown: 'found out before the first payment',
};

/** `hr auth login`: checks credentials by requesting a token, then stores them. A key may get a token only later. */
export async function login(
  context: Context,
  { clientId, generateKey }: { clientId?: string; generateKey?: true },
): Promise<void> {
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
  const stored = config.profiles[name] ?? {};
  const { base_url: ownUrl = '', client_id: ownId = '' } = stored;
  const given = generateKey ? newKey() : await givenProof(terminal, flags);
  const own = given ? undefined : await storedProof(terminal, name, stored);
  const key = own && 'privateKey' in own ? own : undefined;
  const baseUrl =
    (flags.baseUrl ?? env['HR_BASE_URL']) ||
    (key && ownUrl) ||
    (await ask('address of the HR Cloud', '--base-url or set HR_BASE_URL', ownUrl));
  const id =
    (clientId ?? env['HR_CLIENT_ID']) ||
    (generateKey ? ownId : await ask('client id', '--client-id or set HR_CLIENT_ID', ownId));
  const proof = given ??
    key ?? { clientSecret: await ask('client secret', '--client-secret-file or set HR_CLIENT_SECRET') };

  const auth = clientCredentials({ baseUrl, clientId: id || 'unknown', ...proof });
  const token = generateKey
    ? undefined
    : await auth.getToken({ signal: context.signal }).catch((error: unknown) => {
        if ('privateKey' in proof && isAuthError(error) && error.code === 'invalid-client') return undefined;
        throw error;
      });
  const idempotency = token && (await findIdempotency(baseUrl, token.value, context.signal));

  const isFirst = Object.keys(config.profiles).length === 0;
  const [kind, text] =
    'privateKey' in proof ? ['private_key', JSON.stringify(proof.privateKey)] : ['client_secret', proof.clientSecret];
  const isKept = await inKeychain(terminal, accountOf(terminal, name), async (entry) => {
    await entry.setPassword(text);
    return true;
  });
  const profile = {
    base_url: baseUrl,
    ...(id && { client_id: id }),
    ...(isKept ? { keychain: kind } : { [kind]: text }),
  };
  await writeConfig(terminal, {
    ...config,
    ...(isFirst && { default: name }),
    profiles: { ...config.profiles, [name]: { ...profile, ...(idempotency && { idempotency }) } },
  });
  const place = isKept ? 'the keychain of the system' : configFile(terminal);
  if (token) context.info(`Logged in to ${baseUrl} as ${id}. Stored in the profile ${name}.`);
  context.info(`The ${kind === 'private_key' ? 'key' : 'secret'} is in ${place}.`);
  if (token) return;
  if (given && 'privateKey' in given) {
    const { d: _, ...publicJwk } = given.privateKey;
    terminal.stdout.write(`${JSON.stringify(publicJwk)}\n`);
  }
  const register = id ? `clients keys ${id} --public-key FILE` : 'clients create --name NAME --public-key FILE';
  context.info(`It does not work yet. The operator of the HR Cloud registers the public key: ${register}`);
  context.info(`Then run: hr auth login --client-id ${id || 'ID'}`);
}

/** An Ed25519 key, named by its thumbprint (RFC 7638). */
function newKey(): Proof {
  const { crv, d, kty, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { privateKey: { kty, crv, x, d, kid } };
}

/** `hr auth status`: prints the profile in use and requests a token. */
export async function status(context: Context): Promise<void> {
  const profile = await context.profile();
  const { name, baseUrl, clientId, idempotency } = profile;
  const proof = proofOf(profile);
  const authentication = 'privateKey' in proof ? 'private_key_jwt' : 'client_secret';
  const { expiresAt } = await context.token();
  const facts = {
    profile: name,
    baseUrl,
    clientId,
    authentication,
    idempotency,
    tokenExpiresAt: new Date(expiresAt).toISOString(),
  };
  const { stdout } = context.terminal;
  if (context.flags.json || context.flags.output === 'json') {
    stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const minutes = Math.round((expiresAt - Date.now()) / MS_PER_MINUTE);
  stdout.write(
    `${baseUrl}\n  Profile: ${name}\n  Client id: ${clientId}\n  Authentication: ${authentication === 'client_secret' ? 'client secret' : 'private key'}\n  Idempotency-Key: ${idempotencyTexts[idempotency ?? 'unknown']}\n  The credentials work. A token is valid for ${minutes} minutes.\n`,
  );
}

/** `hr auth logout`: deletes the stored secret or key; address and client id stay. */
export async function logout(context: Context): Promise<void> {
  const { terminal, flags } = context;
  const config = await readConfig(terminal);
  const { name } = selectedProfile(terminal, flags, config);
  const { client_secret: secret, private_key: key, keychain, ...rest } = config.profiles[name] ?? {};
  if ((secret ?? key ?? keychain) === undefined) {
    throw new CliError(`The profile ${name} in ${configFile(terminal)} has no stored secret or key.`, exitCodes.usage);
  }
  if (keychain !== undefined) {
    const deleted = await inKeychain(terminal, accountOf(terminal, name), (entry) => entry.deleteCredential());
    if (deleted === undefined)
      throw new CliError('The keychain of the system did not delete it. Unlock it and try again.');
  }
  await writeConfig(terminal, { ...config, profiles: { ...config.profiles, [name]: rest } });
  context.info(`Deleted the secret or key of the profile ${name}. To delete the local copy too, run: hr sync --purge`);
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
