import { Identifier } from '@hr/schemas';
import { z } from 'zod';
import { listParameters } from '../operator/list-parameters.ts';
import { Moment, NoBody, UUID } from '../operator/operator-models.ts';
import { get, list, post, type OperatorOperations } from '../operator/operator-operation.ts';

export const FEED_MEDIA_TYPE = 'application/x-ndjson';

const count = z.int().min(0);

export const ImportRun = z
  .object({
    id: z.string(),
    sources: z.array(z.string()).describe('Names of the files, or of the request.'),
    actor: z.string().describe('Id of a client, or `command line`.'),
    requestId: z.string(),
    startedAt: Moment,
    endedAt: Moment.describe('Only if it has ended.').optional(),
    cancelledAt: Moment.describe('When an operator cancelled it.').optional(),
    state: z
      .enum(['running', 'done', 'failed', 'broken-off'])
      .describe('`broken-off`: it was cancelled, or its sender, file or process ended early. What is stored stays.'),
    reason: z.string().describe('Why it failed or broke off.').optional(),
    lines: count.describe('Lines that are done: stored, without effect, or left out. Blank ones do not count.'),
    badLines: count.describe('Those of them that were left out.'),
    outcomes: z
      .record(z.string(), z.object({ created: count, changed: count, unchanged: count, deleted: count, erased: count }))
      .describe('What became of the other lines, by `kind`.'),
    leftOut: z
      .array(z.object({ source: z.string(), line: count, pointer: z.string(), code: z.string(), detail: z.string() }))
      .describe('The first 50 faults of the lines that were left out. They name places, never values.'),
    moreFaults: count.describe('How many other faults these lines have.'),
  })
  .meta({ id: 'ImportRun' });

const oneImport = z.strictObject({ importId: Identifier.describe('Id of the import.') });

export const feedOperations = {
  operatorImportFeed: {
    ...post,
    scope: 'operator:feed',
    path: '/operator/v1/feed',
    summary: 'Import a feed',
    description:
      'One JSON record a line, plain or as gzip, of any length: it is stored in batches while it arrives. Lines with faults are left out; more than 100,000 faults end the import. If the request fails, what was stored stays, and `importId` in the problem names the import; send the same feed again, as records equal to the stored ones are no-ops.',
    query: z.strictObject({
      strict: z
        .enum(['true', 'false'])
        .describe('With `true`, check all lines first, and store nothing if one has a fault.')
        .optional(),
      source: Identifier.describe('Name of the feed in the list of imports.').optional(),
    }),
    stream: FEED_MEDIA_TYPE,
    response: ImportRun,
    problems: ['conflict'],
  },
  operatorListImports: {
    ...list,
    scope: 'operator:feed',
    path: '/operator/v1/imports',
    summary: 'List the imports of feeds',
    description: 'The oldest first.',
    query: listParameters(UUID, {}),
    response: ImportRun,
  },
  operatorGetImport: {
    ...get,
    scope: 'operator:feed',
    path: '/operator/v1/imports/{importId}',
    summary: 'Get an import of a feed',
    description: 'Its counts and the lines that it left out, also while it runs.',
    pathParameters: oneImport,
    response: ImportRun,
  },
  operatorCancelImport: {
    ...post,
    scope: 'operator:feed',
    path: '/operator/v1/imports/{importId}/cancel',
    summary: 'Cancel a running import',
    description: 'It ends behind its current batch, within seconds. What is stored stays.',
    pathParameters: oneImport,
    body: NoBody,
    response: ImportRun,
    problems: ['conflict'],
  },
} as const satisfies OperatorOperations;
