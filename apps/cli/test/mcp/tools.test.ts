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

test('each parameter of an operation is one of its tool, but for those that keep the local copy current', () => {
  for (const [id, { pathParameters, query, body }] of ofOperations) {
    const parameters = Object.keys({ ...pathParameters.shape, ...query.shape, ...(body as z.ZodObject)?.shape });
    const { input } = tools.get(id) ?? {};
    if (input) expect(Object.keys(input.shape)).toEqual(expect.arrayContaining(parameters.filter(isOfTools)));
  }
});

function isOfTools(parameter: string): boolean {
  return parameter !== 'changedSince' && parameter !== 'after';
}
