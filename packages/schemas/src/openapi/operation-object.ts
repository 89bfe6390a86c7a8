import { z } from 'zod';
import { Cursor, IdempotencyKey } from '../primitives.ts';
import { problemsOf, problemsOfBodies, problemsOfFeatures } from '../operation-problems.ts';
import type { Operation } from '../operations.ts';
import type { OperationId } from '../operation-types.ts';
import type { ProblemKind } from '../problem-kinds.ts';
import { REQUIRED_TIME_COMPONENT_VERSION } from '../rules/component-version.ts';
import { wireNames } from '../endpoints.ts';
import { descriptions } from './descriptions.ts';
import { answerExamples, bodyExamples, deltaExamples } from './examples.ts';
import { responsesOf } from './problem-responses.ts';
import { schemaReference } from './schema-objects.ts';

const idempotencyKeyHeader = z.strictObject({
  'Idempotency-Key': IdempotencyKey.describe(
    'Makes one request of all that carry the same key within 24 hours: the first takes effect, and the others are answered with what it stored.',
  )
    .meta({ 'x-extension': true })
    .optional(),
});

const cursorHeader = {
  'HR-Cursor': {
    description: 'Send it as `after` to get what changed after this response.',
    schema: { type: 'string', pattern: Cursor.meta()?.['pattern'] },
    'x-extension': true,
  },
};

/** An operation that a service has beyond those of the API, for example for its operators. */
export interface ExtensionOperation {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'DELETE';
  /** Path below the base URL, with parameters in braces. */
  readonly path: `/${string}`;
  /** The scopes of the access tokens that it accepts; each of them is enough. */
  readonly scopes: readonly string[];
  readonly tag: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Each parameter has a description in its zod metadata. */
  readonly pathParameters: z.ZodObject;
  readonly query: z.ZodObject;
  /** The model of the request body, with an `id` in its zod metadata. If it accepts `undefined`, the body is optional. */
  readonly body?: z.ZodType | undefined;
  /** The media type of a request body of any length, which the service reads as a stream. Such an operation has no `body`. */
  readonly stream?: string | undefined;
  /** The model of the response body, or of the elements of its array, with an `id` in its zod metadata. */
  readonly response: z.ZodType;
  /** Whether the response is an array of {@link ExtensionOperation.response}. */
  readonly list: boolean;
  /** The kinds of problems beyond those of every operation with such parameters and body. */
  readonly problems?: readonly ProblemKind[] | undefined;
}

/** The Operation Object of an operation of the table. */
export function operationObject(id: OperationId, operation: Operation): Record<string, unknown> {
  return describedOperation(id, {
    ...operation,
    description: descriptionOf(id, operation),
    problems: problemsOf(id),
    wireNames: Object.hasOwn(wireNames, id) ? wireNames[id as never] : {},
    bodyExample: { example: bodyExamples[id] },
    responseExamples: examplesOf(id, operation),
  });
}

/** The Operation Object of an operation that a service adds. */
export function extensionObject(id: string, operation: ExtensionOperation): Record<string, unknown> {
  return {
    ...describedOperation(id, { ...operation, extension: true, problems: extensionProblems(operation) }),
    security: operation.scopes.map((scope) => ({ oauth2: [scope] })),
  };
}

/** The kinds of problems that an operation that a service adds may respond with. */
export function extensionProblems(operation: ExtensionOperation): readonly ProblemKind[] {
  const { stream, problems = [] } = operation;
  return [...problemsOfFeatures(operation), ...(stream === undefined ? [] : problemsOfBodies), ...problems];
}

type DescribedOperation = Omit<Operation, 'method' | 'path' | 'section' | 'tag'> &
  Pick<ExtensionOperation, 'tag' | 'description' | 'stream'> & {
    readonly problems: readonly ProblemKind[];
    readonly wireNames?: Readonly<Record<string, string>>;
    readonly bodyExample?: object;
    readonly responseExamples?: object;
  };

function describedOperation(operationId: string, operation: DescribedOperation): Record<string, unknown> {
  const { tag, summary, description, body, stream } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersOf('path', operation.pathParameters),
      ...parametersOf('query', operation.query, operation.wireNames),
      ...(operation.idempotencyKey ? parametersOf('header', idempotencyKeyHeader) : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaReference(body), ...operation.bodyExample } },
      },
    }),
    ...(stream !== undefined && {
      requestBody: { required: true, content: { [stream]: { schema: { type: 'string' } } } },
    }),
    responses: {
      200: {
        description: operation.list ? 'The list, empty where nothing fits.' : 'What is stored now.',
        ...(operation.cursor && operation.list && { headers: cursorHeader }),
        content: { 'application/json': { schema: successSchema(operation), ...operation.responseExamples } },
      },
      ...responsesOf(...operation.problems),
    },
    ...(operation.extension && { 'x-extension': true }),
  };
}

function descriptionOf(id: OperationId, { section, delta, cursor, timeComponent, extension }: Operation): string {
  const changes = 'With `after`, what changed after the response that had this cursor, in the form of `changedSince`.';
  const needs = `Needs the time-recording component ${REQUIRED_TIME_COMPONENT_VERSION} or newer.`;
  const place = extension ? `Goes beyond section ${section} of the specification.` : `Section ${section}.`;
  return [descriptions[id], ...(delta && cursor ? [changes] : []), ...(timeComponent ? [needs] : []), place].join(' ');
}

/** The Parameter Objects of a model's properties. */
export function parametersOf(
  place: 'path' | 'query' | 'header',
  model: z.ZodObject,
  names: Readonly<Record<string, string>> = {},
) {
  const { properties = {}, required = [] } = z.toJSONSchema(model, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, 'x-extension': extension, ...schema } = property as z.core.JSONSchema.JSONSchema;
    // A list is one value, separated by commas: parameters are given once.
    const style = schema.type === 'array' && { explode: false };
    return {
      name: names[name] ?? name,
      in: place,
      required: required.includes(name),
      description,
      ...style,
      schema,
      ...(extension === true && { 'x-extension': true }),
    };
  });
}

function successSchema({ response, delta, list }: DescribedOperation): Record<string, unknown> {
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
      changes: { summary: 'What changed since a date or after a cursor', value: [change] },
    },
  };
}
