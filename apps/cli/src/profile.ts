import { access, constants, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PrivateJwk } from '@hr/auth';
import { parse, stringify } from 'smol-toml';
import { CliError, exitCodes } from './cli-error.ts';
import type { Flags } from './context.ts';
import type { Idempotency } from './try-operation.ts';
import { homeFolder, isOpenToOthers, PRIVATE_FOLDER } from './home-folder.ts';
import { inKeychain } from './keychain.ts';
import { replaceFile } from './output/replace-file.ts';
import { readTextInput } from './read-input.ts';
import type { Terminal } from './terminal.ts';

interface StoredProfile {
  readonly base_url?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  /** A JWK. */
  readonly private_key?: string;
  /** Which of the two the keychain of the system keeps instead. */
  readonly keychain?: string;
  /** As the option of `createHrClient`. */
  readonly idempotency?: Idempotency;
}

/** The file with the profiles, `config.toml`. */
export interface Config {
  /** The profile to use without `--profile`. */
  readonly default?: string;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
}

/** By what `hr` proves that it is the client. */
export type Proof = { readonly clientSecret: string } | { readonly privateKey: PrivateJwk };

/** How `hr` reaches a service: from the flags, the environment and a profile, in this order. */
export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly clientId: string;
  /** Undefined if there is none; then {@link proofOf} says why. */
  readonly proof: Proof | undefined;
  /** Why the stored secret is not used, if there is one. */
  readonly unusedSecret: string | undefined;
  /** As login found out; undefined without a login. */
  readonly idempotency: Idempotency | undefined;
  /** The folder of the local copy and the outbox. */
  readonly folder: string;
  /** The file of the local copy. */
  readonly mirrorFile: string;
  /** The file of the submitted payments. */
  readonly outboxFile: string;
  /** Whose data the files of the folder contain. */
  readonly source: string;
}

type Toml = Readonly<Record<string, unknown>>;

const settingNames = ['base_url', 'client_id', 'client_secret', 'private_key', 'keychain', 'idempotency'];
const FORM = `It has "default", and tables such as [profiles.default] with ${settingNames.join(', ')}, all texts in quotes.`;
const OPEN_TO_OTHERS = 0o077;
/** The name is that of a folder, too: neither `.` nor `..`. */
const profileName = /^\w[\w.-]{0,63}$/;

/** The file with the profiles. */
export function configFile(terminal: Pick<Terminal, 'env'>): string {
  return join(homeFolder(terminal), 'config.toml');
}

/**
 * Reads the profiles.
 *
 * @throws {CliError} If the file is not valid, or others can read it.
 */
export async function readConfig(terminal: Pick<Terminal, 'env'>): Promise<Config> {
  const folder = homeFolder(terminal);
  // Others could exchange the record of submitted payments.
  if (isOpenToOthers(folder)) {
    throw new CliError(`${folder}: other users can change its files. Run: chmod go-w ${folder}`);
  }
  const file = configFile(terminal);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return { profiles: {} };
  // Windows has no such modes.
  if (process.platform !== 'win32' && (found.mode & OPEN_TO_OTHERS) !== 0) {
    throw new CliError(`${file} contains secrets, but others can read it. Run: chmod 600 ${file}`);
  }
  const content = await readToml(file);
  const wrong = wrongPlace(content);
  if (wrong !== undefined) throw new CliError(`${file}: ${wrong}: not valid. ${FORM}`);
  return { profiles: {}, ...(content as Partial<Config>) };
}

/** Reads a TOML file, or throws a `CliError` if it is not valid. */
export async function readToml(file: string): Promise<Toml> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    // Only its first line: the others quote the file.
    throw new CliError(`${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** What is not valid in the file. Without zod, because to load it takes longer than to complete a line. */
function wrongPlace({ default: name = '', profiles = {}, ...others }: Toml): string | undefined {
  if (!isTable(profiles)) return 'profiles';
  const settings = Object.entries(profiles).flatMap(([profile, table]): [place: string, value: unknown][] => {
    if (!isTable(table)) return [[`profiles.${profile}`, undefined]];
    const known = (setting: string) => (settingNames.includes(setting) ? table[setting] : undefined);
    return Object.keys(table).map((setting) => [`profiles.${profile}.${setting}`, known(setting)]);
  });
  const unknown = Object.keys(others).map((each): [string, unknown] => [each, undefined]);
  return [...unknown, ['default', name] as const, ...settings].find(([, value]) => typeof value !== 'string')?.[0];
}

function isTable(value: unknown): value is Toml {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces the file with the profiles. Only the current user can read it. */
export async function writeConfig(terminal: Pick<Terminal, 'env'>, config: Config): Promise<void> {
  const file = configFile(terminal);
  await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  await replaceFile(file, [stringify(config)]);
}

/** The name of the profile to use, and what chooses it. */
export function selectedProfile(
  { env }: Pick<Terminal, 'env'>,
  flags: Pick<Flags, 'profile'>,
  config: Config,
): { readonly name: string; readonly by: string } {
  const names = {
    '--profile': flags.profile,
    HR_PROFILE: env['HR_PROFILE'] || undefined,
    'config.toml': config.default,
  };
  const [by, name = 'default'] = Object.entries(names).find(([, each]) => each !== undefined) ?? ['its name'];
  if (profileName.test(name)) return { name, by };
  throw new CliError(
    `${JSON.stringify(name)} is not the name of a profile. Use letters, digits, ".", "_" and "-", and begin with a letter or digit.`,
    exitCodes.usage,
  );
}

/** The error for a profile that is not stored. */
export function noProfile(terminal: Pick<Terminal, 'env'>, name: string, { profiles }: Config): CliError {
  const names = Object.keys(profiles).join(', ');
  const remedy = names === '' ? `Run: hr auth login --profile ${name}` : `Its profiles: ${names}.`;
  return new CliError(`There is no profile ${name} in ${configFile(terminal)}. ${remedy}`, exitCodes.usage);
}

/** The account of a profile in the keychain. */
export function accountOf(terminal: Pick<Terminal, 'env'>, name: string): string {
  return `${configFile(terminal)} ${name}`;
}

/** The secret or key that a login stored for a profile. */
export async function storedProof(
  terminal: Pick<Terminal, 'env'>,
  name: string,
  { client_secret: secret, private_key: key, keychain }: StoredProfile,
): Promise<Proof | undefined> {
  if (keychain !== undefined) {
    const kept = await inKeychain(terminal, accountOf(terminal, name), (entry) => entry.getPassword());
    return kept ? storedProof(terminal, name, { [keychain]: kept }) : undefined;
  }
  if (key !== undefined) return { privateKey: readJwk(key, configFile(terminal)) };
  return secret === undefined ? undefined : { clientSecret: secret };
}

function readJwk(text: string, file: string): PrivateJwk {
  try {
    return JSON.parse(text) as PrivateJwk;
  } catch {
    throw new CliError(`${file}: the private key is not a JWK.`, exitCodes.usage);
  }
}

/** @throws {CliError} If the profile has no secret and no key. */
export function proofOf({ clientId, proof, unusedSecret }: Profile): Proof {
  if (proof !== undefined) return proof;
  const why = unusedSecret === undefined ? '' : ` (${unusedSecret})`;
  const remedy = 'Run: hr auth login, or set HR_CLIENT_SECRET, or name a file: --client-secret-file.';
  throw missing(`client secret for ${clientId}${why}`, remedy);
}

/**
 * The profile of a command.
 *
 * @throws {CliError} If its address or client id is missing.
 */
export async function readProfile(
  terminal: Pick<Terminal, 'env' | 'stdin'>,
  flags: Pick<Flags, 'profile' | 'baseUrl' | 'clientSecretFile'>,
): Promise<Profile> {
  const config = await readConfig(terminal);
  const { name, by } = selectedProfile(terminal, flags, config);
  const profile = config.profiles[name];
  if (!profile && (by === '--profile' || by === 'HR_PROFILE')) throw noProfile(terminal, name, config);
  const { env } = terminal;
  const { base_url: ownUrl, client_id: ownId, idempotency, ...own } = profile ?? {};
  const baseUrl = flags.baseUrl ?? (env['HR_BASE_URL'] || ownUrl);
  const clientId = env['HR_CLIENT_ID'] || ownId;
  if (baseUrl === undefined) throw missing('address of the HR Cloud', 'Run: hr auth login, or set HR_BASE_URL.');
  if (clientId === undefined) throw missing('client id', 'Run: hr auth login, or set HR_CLIENT_ID.');
  // The secret of the profile is for its address and its client alone.
  const isOwn = baseUrl === ownUrl && clientId === ownId;
  const unused = `the stored secret is only sent to ${URL.parse(ownUrl ?? '')?.origin ?? 'its own address'} as ${ownId}`;
  const folder = join(homeFolder(terminal), name);
  return {
    name,
    baseUrl,
    clientId,
    proof: (await givenProof(terminal, flags)) ?? (isOwn ? await storedProof(terminal, name, own) : undefined),
    unusedSecret: isOwn || Object.keys(own).length === 0 ? undefined : unused,
    idempotency,
    folder,
    mirrorFile: join(folder, 'mirror.db'),
    outboxFile: join(folder, 'outbox.db'),
    source: `${clientId} at ${baseUrl}`,
  };
}

/** The secret of `--client-secret-file` (`-` is standard input), or the key or secret of the environment. */
export async function givenProof(
  terminal: Pick<Terminal, 'env' | 'stdin'>,
  { clientSecretFile }: Pick<Flags, 'clientSecretFile'>,
): Promise<Proof | undefined> {
  const { HR_PRIVATE_KEY_FILE: keyFile, HR_CLIENT_SECRET: secret } = terminal.env;
  const file = clientSecretFile ?? (keyFile || undefined);
  if (file === undefined) return secret ? { clientSecret: secret } : undefined;
  if (await isExposed(file)) {
    throw new CliError(`${file} contains a secret, but others can read it. Run: chmod 600 ${file}`, exitCodes.usage);
  }
  const text = (await readTextInput(terminal, file)).trim();
  if (clientSecretFile === undefined) return { privateKey: readJwk(text, file) };
  if (text !== '') return { clientSecret: text };
  throw new CliError(`--client-secret-file ${file}: it contains no secret.`, exitCodes.usage);
}

/**
 * Whether others can read a file that the user could protect. Like ssh, it leaves files of other owners alone, and also
 * those on a read-only mount, as secrets in a container are. A pipe is no file.
 */
async function isExposed(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  // Windows has no such modes.
  if (!found?.isFile() || found.uid !== process.getuid?.() || file.startsWith('/dev/')) return false;
  if ((found.mode & OPEN_TO_OTHERS) === 0) return false;
  const error: unknown = await access(file, constants.W_OK).catch((reason: unknown) => reason);
  return (error as NodeJS.ErrnoException | undefined)?.code !== 'EROFS';
}

function missing(what: string, remedy: string): CliError {
  return new CliError(`No ${what}. ${remedy}`, exitCodes.authentication);
}
