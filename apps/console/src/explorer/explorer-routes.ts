import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { LoggedCall } from '../backend/call-log.ts';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { describedOperations, type DescribedOperation } from './described-operations.ts';
import { readingOperations, runOperation, type ReadingOperationId, type TriedCall } from './run-operation.ts';

/** What the screen API shows. */
export interface ExplorerScreen {
  readonly operations: readonly DescribedOperation[];
  /** The last calls of the console, the newest first. */
  readonly calls: readonly LoggedCall[];
}

const MAX_VALUE_LENGTH = 1100;
/** The parameters stand beside the operation. */
const Call = z
  .object({ operation: z.enum(readingOperations as [ReadingOperationId, ...ReadingOperationId[]]) })
  .catchall(z.string().max(MAX_VALUE_LENGTH));

/** Adds what the screen shows. */
export function addExplorerRoutes(app: FastifyInstance, { cloud }: Console): void {
  const described = describedOperations();
  app.get('/bff/explorer', (): ExplorerScreen => ({ operations: described, calls: cloud.calls.list() }));
  app.get('/bff/explorer/calls', () => cloud.calls.list());
  app.get('/bff/explorer/call', (request): Promise<TriedCall> => {
    const { operation, ...parameters } = parseInput(Call, request.query);
    return runOperation(cloud.hr, operation, parameters);
  });
}
