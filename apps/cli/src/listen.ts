import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isHrError, type Changes, type HrClient } from '@hr/client';
import { changeKinds } from '@hr/schemas/checks';
import { newWebhookSecret, webhookHeaders } from '@hr/schemas/provider';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { failureMessage } from './report-failure.ts';

const WAIT_SECONDS = 50;
const RETRY_MS = 2000;
const FORWARD_TIMEOUT_MS = 15_000;
const PRIVATE_FILE = 0o600;

/**
 * `hr listen`: forwards changes to an address as webhooks, signed as the HR Cloud signs them (Standard Webhooks), until
 * Ctrl-C. The receiver needs no public address.
 */
export async function listen(context: Context, { forwardTo }: { readonly forwardTo: string }): Promise<number> {
  const target = URL.canParse(forwardTo) ? new URL(forwardTo) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) {
    throw new CliError('--forward-to: must be an http or https address.', exitCodes.usage);
  }
  const { signal } = context;
  const { folder } = await context.profileWithFolder();
  const [hr, secret] = [await context.client(), await ownSecret(folder)];
  let { cursor } = await nextChanges(hr, undefined, signal);
  context.info(`Forwarding changes to ${target.origin}${target.pathname}. The secret of the webhooks is ${secret}`);
  while (!signal.aborted) {
    try {
      // oxlint-disable no-await-in-loop -- one change after the other
      const changes = await nextChanges(hr, cursor, signal);
      ({ cursor } = changes);
      if (changes.changed.length > 0) context.info(await forward(target, secret, changes));
    } catch (error) {
      if (signal.aborted) break;
      if (!isHrError(error) || !error.isTransient) throw error;
      context.info(failureMessage(error));
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      // oxlint-enable no-await-in-loop
    }
  }
  return exitCodes.interrupted;
}

/**
 * What changed after a cursor, or without one, the first cursor. As a webhook does after a cursor has expired, it then says
 * that everything may have changed.
 */
async function nextChanges(hr: HrClient, after: string | undefined, signal: AbortSignal): Promise<Changes> {
  try {
    return await hr.changes.get(after === undefined ? {} : { after, wait: WAIT_SECONDS }, { signal });
  } catch (error) {
    if (!isHrError(error)) throw error;
    if (error.problem?.kind === 'cursor-expired') {
      return { ...(await nextChanges(hr, undefined, signal)), changed: [...changeKinds] };
    }
    if (error.code !== 'not-found' || after !== undefined) throw error;
    throw new CliError('This HR Cloud does not tell its clients of changes.', exitCodes.notFound);
  }
}

/** Sends a webhook, and says what became of it. */
async function forward(target: URL, secret: string, data: Changes): Promise<string> {
  const [id, now] = [`msg_${randomUUID()}`, new Date()];
  const body = JSON.stringify({ type: 'changes', timestamp: now.toISOString(), data });
  const headers = await webhookHeaders({ id, body }, [secret], now.getTime());
  const begin = performance.now();
  const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
  const request = { method: 'POST', headers: { ...headers }, body, redirect: 'manual', signal } as const;
  const response = await fetch(target, request).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
  const outcome = response?.status ?? 'no response';
  return `${now.toISOString()} ${data.changed.join(', ')}: ${outcome} (${Math.round(performance.now() - begin)} ms)`;
}

/** The secret of the profile, the same each time, so that the receiver can keep it. */
async function ownSecret(folder: string): Promise<string> {
  const file = join(folder, 'webhook-secret');
  const secret = newWebhookSecret();
  try {
    await writeFile(file, secret, { flag: 'wx', mode: PRIVATE_FILE });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFile(file, 'utf8')).trim();
  }
}
