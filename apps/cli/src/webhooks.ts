import { isHrError } from '@hr/client';
import type * as client from '@hr/client';
import { WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from '@hr/schemas';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { columnsOf, kindOf } from './output/columns-of.ts';

const endpointKind = kindOf<client.WebhookEndpoint>('webhook endpoints', columnsOf(WebhookEndpoint), {
  table: ['id', 'url', 'failures', 'failingSince', 'pausedAt'],
});
const secretKind = kindOf<client.WebhookEndpointWithSecret>('webhook endpoints', columnsOf(WebhookEndpointWithSecret), {
  table: ['id', 'url', 'secret'],
});
const deliveryKind = kindOf<client.WebhookDelivery>('deliveries', columnsOf(WebhookDelivery), {
  table: ['sentAt', 'type', 'attempt', 'status', 'failure', 'durationMs'],
});

/** `hr webhooks create`. */
export async function create(context: Context, url: string): Promise<void> {
  const hr = await context.client();
  const endpoint = await hr.webhooks.create({ url }, { signal: context.signal }).catch((error: unknown) => {
    if (!isHrError(error) || error.status !== 400) throw error;
    throw new CliError(
      'The HR Cloud does not send to this URL. Register an https URL of a public host, or ask the operator to allow its network. To try a receiver on this machine, run: hr listen --help',
      exitCodes.rejected,
    );
  });
  await writeSecret(context, endpoint);
}

/** `hr webhooks list`. */
export async function list(context: Context): Promise<void> {
  const hr = await context.client();
  await context.write(endpointKind, hr.webhooks.list({ signal: context.signal }));
}

/** `hr webhooks deliveries`. */
export async function deliveries(context: Context, id: string): Promise<void> {
  const hr = await context.client();
  await context.write(deliveryKind, hr.webhooks.deliveries(id, { signal: context.signal }));
}

/** `hr webhooks test`: fails if the receiver does not accept the event. */
export async function test(context: Context, id: string): Promise<void> {
  const hr = await context.client();
  const delivery = await hr.webhooks.test(id, { signal: context.signal });
  await context.write(deliveryKind, [delivery]);
  const { status, failure } = delivery;
  if (status && status >= 200 && status < 300) return;
  throw new CliError(`The receiver did not accept the event: ${status ?? failure ?? 'no response'}.`);
}

/** `hr webhooks rotate`. */
export async function rotate(context: Context, id: string): Promise<void> {
  await context.confirm(`Give endpoint ${id} another secret? The one before is valid for a day.`);
  const hr = await context.client();
  await writeSecret(context, await hr.webhooks.rotate(id, { signal: context.signal }));
}

/** `hr webhooks delete`. */
export async function remove(context: Context, id: string): Promise<void> {
  await context.confirm(`Remove endpoint ${id}? It gets nothing from then on.`);
  const hr = await context.client();
  const { url } = await hr.webhooks.delete(id, { signal: context.signal });
  context.info(`Endpoint ${id} is removed: ${url}`);
}

/** A secret is shown only once, so that a table must not cut it. */
async function writeSecret(context: Context, endpoint: client.WebhookEndpointWithSecret): Promise<void> {
  const { terminal } = context;
  if (!terminal.stdout.isTTY || context.wantsRecords || context.flags.fields) {
    await context.write(secretKind, [endpoint]);
    return;
  }
  terminal.stderr.write(`The secret of endpoint ${endpoint.id}, which is shown only now:\n`);
  terminal.stdout.write(`${endpoint.secret}\n`);
}
