import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { describedOperations, type DescribedOperation } from './described-operations.ts';
import { readingOperations, runOperation } from './run-operation.ts';

const MAX_VALUE_LENGTH = 1100;
/** The parameters stand beside the operation. */
const Call = z.object({ operation: z.enum(readingOperations) }).catchall(z.string().max(MAX_VALUE_LENGTH));

/** What the screen shows. */
export interface ExplorerScreen {
  readonly operations: readonly DescribedOperation[];
  /** Whether the person can try operations, and see the calls of the console. */
  readonly mayTry: boolean;
}

/** Adds what the screen shows. */
export function addExplorerRoutes(app: FastifyInstance, { cloud }: Console): void {
  // Responses and calls may be about any person.
  const needs = ['everyone', 'pay', 'birth'] as const;
  app.get('/bff/explorer', ({ view }): ExplorerScreen => ({
    operations: describedOperations,
    mayTry: view.mayForAll('pay', 'birth'),
  }));
  app.get('/bff/explorer/calls', { config: { needs } }, () => cloud.calls.list());
  app.get('/bff/explorer/call', { config: { needs } }, (request) => {
    const { operation, ...parameters } = parseInput(Call, request.query);
    return runOperation(cloud.hr, operation, parameters);
  });
}
