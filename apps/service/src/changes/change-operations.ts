import { operations } from '@hr/schemas';
import { z } from 'zod';
import { get, type OperatorOperations } from '../operator/operator-operation.ts';
import { operatorKinds } from './visible-kinds.ts';

const OperatorChanges = z
  .object({
    cursor: z.string().describe('The `after` of the next call.'),
    changed: z
      .array(z.enum(operatorKinds))
      .describe('What changed, empty if nothing did: `payments` of any client, and `clients` or their grants.'),
  })
  .meta({ id: 'OperatorChanges' });

export const changeOperations = {
  operatorGetChanges: {
    ...get,
    waits: true,
    scope: 'operator:read',
    path: '/operator/v1/changes',
    summary: 'Wait for changes after a cursor',
    description:
      'Responds as soon as something has changed, and otherwise after `wait` seconds. Without `after`, it responds at once, with a cursor to begin from. Send the new cursor next time. It is not in the audit, as it tells of nobody.',
    query: operations.getChanges.query,
    response: OperatorChanges,
    problems: ['cursor-expired'],
  },
} as const satisfies OperatorOperations;
