import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { configFile, readConfig, selectedProfile, writeConfig } from '../profile.ts';

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
