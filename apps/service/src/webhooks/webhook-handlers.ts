import { problems } from '@hr/schemas/provider';
import { jsonArray } from '../database/list-page.ts';
import { addressFault } from '../http/allowed-addresses.ts';
import type { Afterwards, Handlers, SendingOperations } from '../http/route.ts';
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
    const fault = addressFault(url, config.webhookNetworks);
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

export const operatorWebhookHandlers = {
  operatorListWebhookEndpoints: ({ database }) => database.list(endpointList),
  operatorPauseWebhookEndpoint: ({ transaction, path }) => pauseEndpoint(transaction, path),
  operatorResumeWebhookEndpoint: ({ transaction, path }) => resumeEndpoint(transaction, path),
  operatorRemoveWebhookEndpoint: ({ transaction, path }) => removeEndpoint(transaction, path),
} satisfies Handlers<typeof operatorWebhookOperations>;
