import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import { printedMoment } from '../terminal/terminal.ts';
import { operatorWebhookOperations } from './webhook-operations.ts';

const moment = (value: string | undefined): string =>
  value === undefined ? '' : printedMoment(new Date(value).toISOString()).slice(0, -3);

/** `webhooks list|pause|resume|remove`. */
export const commands = {
  webhooks: commandGroup({
    list: operatorCommand(operatorWebhookOperations.operatorListWebhookEndpoints, {
      text: table('There are no webhook endpoints.', {
        ID: 'id',
        CLIENT: 'clientId',
        ORIGIN: 'origin',
        STATE: ({ pausedAt, failingSince }) => {
          if (pausedAt !== undefined) return `paused ${moment(pausedAt)}`;
          return failingSince === undefined ? 'active' : `failing since ${moment(failingSince)}`;
        },
        'LAST ATTEMPT': ({ lastDelivery }) =>
          lastDelivery && `${moment(lastDelivery.sentAt)} ${lastDelivery.status ?? lastDelivery.failure}`,
      }),
    }),
    pause: operatorCommand(operatorWebhookOperations.operatorPauseWebhookEndpoint, {
      text: ({ id }) => `Endpoint ${id} is paused: it gets nothing until it is resumed.\n`,
    }),
    resume: operatorCommand(operatorWebhookOperations.operatorResumeWebhookEndpoint, {
      text: ({ id }) => `Endpoint ${id} is active: it hears now of what changed meanwhile.\n`,
    }),
    remove: operatorCommand(operatorWebhookOperations.operatorRemoveWebhookEndpoint, {
      text: ({ id }) => `Endpoint ${id} is removed.\n`,
    }),
  }),
};
