import { operations, type Operation } from '@hr/schemas';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { tools } from '../../src/mcp/mcp-server.ts';

const ofOperations = Object.entries<Operation>(operations);

test('each operation has a tool, but for those that follow changes, have secrets, or read what other tools read', () => {
  expect(ofOperations.map(([id]) => id).filter((id) => !tools.has(id) && !id.includes('Webhook'))).toEqual([
    'listVariablePaymentDecisions',
    'listAllSalaries',
    'listAllAbsences',
    'getChanges',
  ]);
  expect([...tools.keys()].filter((name) => name.includes('Webhook'))).toEqual([]);
});

test.each(ofOperations.filter(([id]) => tools.has(id)))(
  '%s: each parameter is one of the tool, but for those that keep the local copy current',
  (id, { pathParameters, query, body }) => {
    const parameters = Object.keys({ ...pathParameters.shape, ...query.shape, ...(body as z.ZodObject)?.shape });
    const own = Object.keys(tools.get(id)?.input.shape ?? {});
    expect(['changedSince', 'after', ...own]).toEqual(expect.arrayContaining(parameters));
  },
);
