import { isIP } from 'node:net';
import { problems } from '@hr/schemas/provider';
import { jsonArray } from '../database/list-page.ts';
import type { Afterwards, Handlers, SendingOperations } from '../http/route.ts';
import { allowedAddresses } from './allowed-addresses.ts';
import {
  createWebhookEndpoint,
  deliveriesOf,
  endpointList,
  endpointsOf,
  findTarget,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateWebhookSecret,
} from './endpoints.ts';
import type { operatorWebhookOperations } from './webhook-operations.ts';

/** The endpoints of clients. Each sees only its own. */
export const webhookHandlers = {
  createWebhookEndpoint({ transaction, body, grant, config }) {
    const url = new URL(body.url);
    const fault = faultOf(url, config.webhookNetworks);
    if (fault !== undefined) {
      throw problems.invalidRequest([{ pointer: '/url', code: 'not-allowed', detail: fault }]);
    }
    return createWebhookEndpoint(transaction, grant.clientId, url.href);
  },

  listWebhookEndpoints: ({ database, grant }) => jsonArray(database, endpointsOf(grant.clientId)),

  async listWebhookDeliveries({ database, path: { endpointId }, grant: { clientId } }) {
    if (!(await findTarget(database, { endpointId, clientId }))) return undefined;
    return jsonArray(database, deliveriesOf(endpointId));
  },

  testWebhookEndpoint: ({ path: { endpointId }, origin, testWebhook }) => testWebhook({ endpointId, origin }),

  rotateWebhookSecret: ({ transaction, path: { endpointId }, grant: { clientId } }) =>
    rotateWebhookSecret(transaction, { endpointId, clientId }),

  deleteWebhookEndpoint: ({ transaction, path: { endpointId }, grant: { clientId } }) =>
    removeEndpoint(transaction, { endpointId, clientId }),
} satisfies Partial<Handlers<SendingOperations>>;

export const afterEndpointChanges = {
  createWebhookEndpoint: (_path, { lookForWebhooks }) => lookForWebhooks(),
} satisfies Afterwards<SendingOperations>;

/** Why nothing would ever be sent to a URL. The address of a name is known only when it is connected to. */
function faultOf({ protocol, hostname }: URL, networks: readonly string[] | undefined): string | undefined {
  if (protocol === 'http:' && networks === undefined) return 'must be an https URL';
  const { isPublic, isAllowed } = allowedAddresses(networks);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && !isPublic(host) && !isAllowed(host)) return 'must not be a private address';
  return undefined;
}

export const operatorWebhookHandlers = {
  operatorListWebhookEndpoints: ({ database }) => database.list(endpointList),
  operatorPauseWebhookEndpoint: ({ transaction, path }) => pauseEndpoint(transaction, path),
  operatorResumeWebhookEndpoint: ({ transaction, path }) => resumeEndpoint(transaction, path),
  operatorRemoveWebhookEndpoint: ({ transaction, path }) => removeEndpoint(transaction, path),
} satisfies Handlers<typeof operatorWebhookOperations>;
