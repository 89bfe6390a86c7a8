import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { z } from 'zod';
import { CliError, exitCodes } from './cli-error.ts';
import type { Flags } from './flags.ts';
import { homeFolder, isOpenToOthers, PRIVATE_FOLDER } from './home-folder.ts';
import { replaceFile } from './output/replace-file.ts';
import { readTextInput } from './read-input.ts';
import type { Terminal } from './terminal.ts';

const Profile = z.strictObject({
  base_url: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  /** As the option of `createHrClient`. */
  idempotency: z.enum(['unsupported', 'provider-supports']).optional(),
});

const Config = z.strictObject({
  /** The profile to use without `--profile`. */
  default: z.string().optional(),
  profiles: z.record(z.string(), Profile).default({}),
});

/** The file with the profiles, `config.toml`. */
export type Config = z.output<typeof Config>;

/** How `hr` reaches a service: from the flags, the environment and a profile, in this order. */
export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly idempotency: 'unsupported' | 'provider-supports';
  /** The folder of the local copy and the outbox. */
  readonly folder: string;
  /** The file of the local copy. */
  readonly mirrorFile: string;
}

const OPEN_TO_OTHERS = 0o077;
const DEFAULT_PROFILE = 'default';
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
  let content: unknown;
  try {
    content = parse(await readFile(file, 'utf8'));
  } catch (error) {
    // Only its first line: the others quote the file.
    throw new CliError(`${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`);
  }
  const config = Config.safeParse(content);
  if (config.success) return config.data;
  const { path, message } = config.error.issues[0] ?? { path: [], message: '' };
  throw new CliError(`${file}: ${path.join('.') || 'the file'}: ${message}`);
}

/** Replaces the file with the profiles. Only the current user can read it. */
export async function writeConfig(terminal: Pick<Terminal, 'env'>, config: Config): Promise<void> {
  const file = configFile(terminal);
  await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  await replaceFile(file, [stringify(config)]);
}

/** The name of the profile to use. */
export function selectedProfile(
  terminal: Pick<Terminal, 'env'>,
  flags: Pick<Flags, 'profile'>,
  config: Config,
): string {
  const name = flags.profile ?? (terminal.env['HR_PROFILE'] || config.default) ?? DEFAULT_PROFILE;
  if (profileName.test(name)) return name;
  throw new CliError(
    `${JSON.stringify(name)} is not the name of a profile. Use letters, digits, ".", "_" and "-", and begin with a letter or digit.`,
    exitCodes.usage,
  );
}

/**
 * The settings of a command.
 *
 * @throws {CliError} If one is missing.
 */
export async function readProfile(terminal: Terminal, flags: Flags): Promise<Profile> {
  const config = await readConfig(terminal);
  const name = selectedProfile(terminal, flags, config);
  const profile = config.profiles[name];
  const isNamed = flags.profile !== undefined || Boolean(terminal.env['HR_PROFILE']);
  if (!profile && isNamed) {
    const names = Object.keys(config.profiles);
    throw new CliError(
      `There is no profile ${name} in ${configFile(terminal)}. ${names.length > 0 ? `Its profiles: ${names.join(', ')}.` : `Run: hr auth login --profile ${name}`}`,
      exitCodes.usage,
    );
  }
  const { env } = terminal;
  const baseUrl = flags.baseUrl ?? (env['HR_BASE_URL'] || profile?.base_url);
  const clientId = env['HR_CLIENT_ID'] || profile?.client_id;
  const remedy = 'Run: hr auth login';
  if (baseUrl === undefined) throw missing('address of the HR Cloud', `${remedy}, or set HR_BASE_URL.`);
  if (clientId === undefined) throw missing('client id', `${remedy}, or set HR_CLIENT_ID.`);
  // The secret of the profile is for its address and its client alone.
  const ownSecret =
    baseUrl === profile?.base_url && clientId === profile?.client_id ? profile.client_secret : undefined;
  const clientSecret = (await givenSecret(terminal, flags)) ?? ownSecret;
  if (clientSecret === undefined) {
    throw missing(
      `client secret for ${clientId}`,
      `${remedy}, or set HR_CLIENT_SECRET, or name a file: --client-secret-file.`,
    );
  }
  const folder = join(homeFolder(terminal), name);
  return {
    name,
    baseUrl,
    clientId,
    clientSecret,
    idempotency: profile?.idempotency ?? 'unsupported',
    folder,
    mirrorFile: join(folder, 'mirror.db'),
  };
}

/** The secret of `--client-secret-file` (`-` is standard input) or of the environment. */
export async function givenSecret(terminal: Terminal, { clientSecretFile }: Flags): Promise<string | undefined> {
  if (clientSecretFile === undefined) return terminal.env['HR_CLIENT_SECRET'] || undefined;
  const secret = (await readTextInput(terminal, clientSecretFile)).trim();
  if (secret !== '') return secret;
  throw new CliError(`--client-secret-file ${clientSecretFile}: it contains no secret.`, exitCodes.usage);
}

function missing(what: string, remedy: string): CliError {
  return new CliError(`No ${what}. ${remedy}`, exitCodes.authentication);
}
