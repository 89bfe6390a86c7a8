import { cancel, isCancel, password, text } from '@clack/prompts';
import { clientCredentials } from '@hr/auth';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { findIdempotency } from '../idempotency.ts';
import { givenSecret, readConfig, selectedProfile, writeConfig } from '../profile.ts';

/** `hr auth login`: checks credentials by requesting a token, then stores them. */
export async function login(context: Context, { clientId }: { clientId?: string }): Promise<void> {
  const { terminal, flags } = context;
  const { env } = terminal;
  const config = await readConfig(terminal);
  const { name } = selectedProfile(terminal, flags, config);
  const stored = config.profiles[name];

  const ask = async (question: Parameters<typeof text>[0], remedy: string, isSecret = false): Promise<string> => {
    if (!context.canAsk) throw new CliError(`No ${question.message}. Pass ${remedy}.`, exitCodes.usage);
    const streams = { input: process.stdin, output: process.stderr, signal: context.signal };
    const message = question.message.replace(/^./, (letter) => letter.toUpperCase());
    const answer = isSecret
      ? await password({ message, ...streams })
      : await text({ ...question, message, ...streams });
    if (!isCancel(answer)) return answer.trim();
    cancel('Nothing was stored.', streams);
    throw new CliError('Interrupted.', exitCodes.interrupted);
  };
  const baseUrl =
    flags.baseUrl ??
    (env['HR_BASE_URL'] ||
      (await ask(
        { message: 'address of the HR Cloud', ...initial(stored?.base_url) },
        '--base-url or set HR_BASE_URL',
      )));
  const id =
    clientId ??
    (env['HR_CLIENT_ID'] ||
      (await ask({ message: 'client id', ...initial(stored?.client_id) }, '--client-id or set HR_CLIENT_ID')));
  const secret =
    (await givenSecret(terminal, flags)) ??
    (await ask({ message: 'client secret' }, '--client-secret-file or set HR_CLIENT_SECRET', true));

  const auth = clientCredentials({ baseUrl, clientId: id, clientSecret: secret });
  const { value } = await auth.getToken({ signal: context.signal });
  const idempotency = await findIdempotency(baseUrl, value, context.signal);

  const isFirst = Object.keys(config.profiles).length === 0;
  await writeConfig(terminal, {
    ...config,
    ...(isFirst && { default: name }),
    profiles: {
      ...config.profiles,
      [name]: {
        base_url: baseUrl,
        client_id: id,
        client_secret: secret,
        ...(idempotency && { idempotency }),
      },
    },
  });
  context.info(`Logged in to ${baseUrl} as ${id}. Stored in the profile ${name}.`);
}

function initial(value: string | undefined): { initialValue?: string } {
  return value === undefined ? {} : { initialValue: value };
}
