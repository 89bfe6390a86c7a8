import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput } from '../backend/problem.ts';
import { describedOperations } from './described-operations.ts';
import { readingOperations, runOperation } from './run-operation.ts';

const MAX_VALUE_LENGTH = 1100;
/** The parameters stand beside the operation. */
const Call = z.object({ operation: z.enum(readingOperations) }).catchall(z.string().max(MAX_VALUE_LENGTH));

/** Adds what the screen shows. */
export function addExplorerRoutes(app: FastifyInstance, { cloud }: Console): void {
  app.get('/bff/explorer', () => describedOperations);
  app.get('/bff/explorer/calls', () => cloud.calls.list());
  app.get('/bff/explorer/call', (request) => {
    const { operation, ...parameters } = parseInput(Call, request.query);
    return runOperation(cloud.hr, operation, parameters);
  });
}
