import { clientCredentials } from '@hr/auth';
import type { Context } from '../context.ts';

const MS_PER_MINUTE = 60_000;
const idempotencyTexts = {
  unsupported: 'not supported',
  'provider-supports': 'supported',
  unknown: 'found out before the first payment',
};

/** `hr auth status`: prints the profile in use and requests a token. */
export async function status(context: Context): Promise<void> {
  const { name, baseUrl, clientId, clientSecret, idempotency } = await context.profile();
  const { expiresAt } = await clientCredentials({ baseUrl, clientId, clientSecret }).getToken({
    signal: context.signal,
  });
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
