import { z } from 'zod';
import { IdempotencyKey } from '../idempotency-key.ts';
import { problemsOf } from '../operation-problems.ts';
import type { Operation, OperationId } from '../operations.ts';
import { REQUIRED_TIME_COMPONENT_VERSION } from '../rules/component-version.ts';
import { wireNames } from '../wire-names.ts';
import { descriptions } from './descriptions.ts';
import { answerExamples, bodyExamples, deltaExamples } from './examples.ts';
import { responseOf } from './problem-responses.ts';
import { schemaReference } from './schema-objects.ts';

const idempotencyKeyHeader = z.strictObject({
  'Idempotency-Key': IdempotencyKey.describe(
    'Makes one request of all that carry the same key within 24 hours: the first takes effect, and the others are answered with what it stored.',
  ).optional(),
});

/** The Operation Object of an operation of the table. */
export function operationObject(id: OperationId, operation: Operation): Record<string, unknown> {
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(id, operation),
    parameters: [
      ...parametersOf('path', operation.pathParameters),
      ...parametersOf('query', operation.query, Object.hasOwn(wireNames, id) ? wireNames[id as never] : {}),
      ...(operation.idempotencyKey
        ? parametersOf('header', idempotencyKeyHeader).map((header) => ({ ...header, 'x-extension': true }))
        : []),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaReference(operation.body), example: bodyExamples[id] } },
      },
    }),
    responses: {
      200: {
        description: operation.list ? 'The list, empty where nothing fits.' : 'What is stored now.',
        content: { 'application/json': { schema: successSchema(operation), ...examplesOf(id, operation) } },
      },
      ...Object.assign({}, ...problemsOf(id).map(responseOf)),
    },
    ...(operation.extension && { 'x-extension': true }),
  };
}

function descriptionOf(id: OperationId, { section, timeComponent, extension }: Operation): string {
  const needs = `Needs the time-recording component ${REQUIRED_TIME_COMPONENT_VERSION} or newer.`;
  const place = extension ? `Goes beyond section ${section} of the specification.` : `Section ${section}.`;
  return [descriptions[id], ...(timeComponent ? [needs] : []), place].join(' ');
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  model: z.ZodObject,
  names: Readonly<Record<string, string>> = {},
) {
  const { properties = {}, required = [] } = z.toJSONSchema(model, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as z.core.JSONSchema.JSONSchema;
    return { name: names[name] ?? name, in: place, required: required.includes(name), description, schema };
  });
}

function successSchema({ response, delta, list }: Operation): Record<string, unknown> {
  if (!list) return schemaReference(response);
  const whole = { type: 'array', items: schemaReference(response) };
  return delta ? { anyOf: [whole, { type: 'array', items: schemaReference(delta) }] } : whole;
}

function examplesOf(id: OperationId, { delta, list }: Operation): Record<string, unknown> {
  const [answer, change] = [answerExamples[id], deltaExamples[id]];
  if (!list) return { example: answer };
  if (!delta) return { example: [answer] };
  return {
    examples: {
      whole: { summary: 'The whole list', value: [answer] },
      changes: { summary: 'What changed since a date', value: [change] },
    },
  };
}
