import { z } from 'zod';
import type { Body, Operation, OperationId } from '../operations.ts';
import { REQUIRED_TIME_COMPONENT_VERSION } from '../rules/component-version.ts';
import { wireNames } from '../wire-names.ts';
import { problemsOf, responseOf } from './problem-responses.ts';
import { schemaReference } from './schema-objects.ts';

const examples: { readonly [Id in OperationId]?: Body<Id> } = {
  updatePerson: {
    addresses: [{ street: 'Hauptstr.', houseNumber: '5a', zipCode: '10115', city: 'Berlin', country: 'DE' }],
  },
  submitVariablePayment: { correctionPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 250 },
};

/** The Operation Object of an operation of the table. */
export function operationObject(id: OperationId, operation: Operation): Record<string, unknown> {
  const needs = `Needs the time-recording component ${REQUIRED_TIME_COMPONENT_VERSION} or newer.`;
  return {
    operationId: id,
    summary: operation.summary,
    description: `Section ${operation.section} of the specification.${operation.timeComponent ? ` ${needs}` : ''}`,
    parameters: [
      ...parametersOf('path', operation.pathParameters),
      ...parametersOf('query', operation.query, Object.hasOwn(wireNames, id) ? wireNames[id as never] : {}),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaReference(operation.body), example: examples[id] } },
      },
    }),
    responses: {
      200: {
        description: operation.delta
          ? 'Whole elements; of a list of changes, only the fields of the systems that changed.'
          : 'What was asked for.',
        content: { 'application/json': { schema: answerOf(operation) } },
      },
      ...Object.assign({}, ...problemsOf(operation).map(responseOf)),
    },
    ...(operation.extension && { 'x-extension': true }),
  };
}

function parametersOf(place: 'path' | 'query', model: z.ZodObject, names: Readonly<Record<string, string>> = {}) {
  const { properties = {}, required = [] } = z.toJSONSchema(model, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name: names[name] ?? name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function answerOf({ answer, delta, list }: Operation): Record<string, unknown> {
  if (!list) return schemaReference(answer);
  const whole = { type: 'array', items: schemaReference(answer) };
  return delta ? { anyOf: [whole, { type: 'array', items: schemaReference(delta) }] } : whole;
}
