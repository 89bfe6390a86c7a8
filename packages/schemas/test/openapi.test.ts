import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Cursor, IdempotencyKey, operations, Person, type Operation } from '../src/index.ts';
import { openApiDocument } from '../src/openapi.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const redocly = require.resolve('@redocly/cli/bin/cli.js');

interface Schema {
  readonly type?: string;
  readonly properties: Record<string, Schema & { deprecated?: boolean }>;
  readonly additionalProperties?: boolean;
  readonly anyOf?: Schema[];
}
interface OperationObject {
  readonly tags: string[];
  readonly description: string;
  readonly parameters?: { name: string; in: string; required: boolean; description?: string }[];
  readonly requestBody?: { content: Record<string, { example: unknown }> };
  readonly responses: Record<string, { $ref?: string; content: Record<string, Record<string, unknown>> }>;
  readonly security?: unknown[];
}

const document = openApiDocument();
const schemas = document.components.schemas as Record<string, Schema>;
const operationObject = (method: string, place: string) => document.paths[place]?.[method] as OperationObject;
const parameters = (method: string, place: string) =>
  operationObject(method, place).parameters?.map((one) => `${one.in} ${one.name}${one.required ? ' required' : ''}`);
const listOf = (name: string) => ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } });

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly unknown[];
}

async function lint(...documents: readonly unknown[]): Promise<Report[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openapi-'));
  try {
    const files = documents.map((_, index) => path.join(folder, `${index}.json`));
    await Promise.all(files.map((file, index) => writeFile(file, JSON.stringify(documents[index]))));
    // It exits with 1 if it finds errors, also where they are expected.
    const { stdout } = await run(
      process.execPath,
      [redocly, 'lint', ...files, '--extends=recommended', '--format=json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    ).catch((error: { stdout: string }) => error);
    return stdout.split(/(?<=^\})(?=\{$)/m).map((report) => JSON.parse(report) as Report);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A document with an operation that a service adds. */
const extended = openApiDocument({
  serverUrl: 'https://hr.acme.test',
  extensions: {
    operations: {
      decide: {
        method: 'POST',
        path: '/operator/payments/{paymentId}',
        scopes: ['payments', 'operator'],
        tag: 'Operator',
        summary: 'Decide on a payment',
        description: 'Once.',
        pathParameters: z.strictObject({ paymentId: z.string().describe('Id of the payment.') }),
        query: z.strictObject({ now: z.string().describe('When.').optional() }),
        body: z.strictObject({ reason: z.string() }).optional().meta({ id: 'Decision' }),
        response: z.object({ state: z.string() }).meta({ id: 'Decided' }),
        list: true,
        problems: ['already-decided'],
      },
    },
    tags: { Operator: 'What operators do.' },
    scopes: { operator: 'Operation', payments: 'Payments' },
  },
});

test('redocly finds neither errors nor warnings, and would find a broken reference', async () => {
  const { Absence: _, ...others } = document.components.schemas;
  const broken = { ...document, components: { ...document.components, schemas: others } };
  const [plain, more, found] = await lint(
    openApiDocument({ serverUrl: 'https://hr.acme.test/base/' }),
    extended,
    broken,
  );
  expect(plain).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  expect(more).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  expect(found?.totals.errors).toBeGreaterThan(0);
});

test('every operation of the table is there, with the names of the URL', () => {
  expect(Object.keys(document.paths)).toHaveLength(new Set(Object.values(operations).map((row) => row.path)).size + 3);
  expect(parameters('get', '/api/v1/persons')).toEqual(['query changedSince', 'query after']);
  expect(parameters('get', '/api/v1/time-bookings')).toEqual([
    'query startDate',
    'query endDate',
    'query changedSince',
    'query after',
  ]);
  expect(parameters('post', '/api/v1/payrollContract/{contractId}/variable-payments')).toEqual([
    'path contractId required',
    'query billingPeriod required',
    'header Idempotency-Key',
  ]);
  expect(parameters('get', '/api/v1/persons/{personId}/absences')).toEqual([
    'path personId required',
    'query from',
    'query to',
    'query changedSince',
  ]);
});

test('operations that a service adds are there with their scopes, tag, models and problems', () => {
  expect(Object.keys(extended.paths)).toEqual([...Object.keys(document.paths), '/operator/payments/{paymentId}']);
  expect(extended.paths['/operator/payments/{paymentId}']?.['post']).toMatchObject({
    operationId: 'decide',
    tags: ['Operator'],
    security: [{ oauth2: ['payments'] }, { oauth2: ['operator'] }],
    parameters: [
      { name: 'paymentId', in: 'path', required: true },
      { name: 'now', in: 'query', required: false },
    ],
    requestBody: {
      required: false,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Decision' } } },
    },
    responses: {
      200: { content: { 'application/json': { schema: listOf('Decided') } } },
      404: { $ref: '#/components/responses/not-found' },
      409: { $ref: '#/components/responses/already-decided' },
    },
    'x-extension': true,
  });
  expect(extended.components.schemas).toMatchObject({ Decision: { additionalProperties: false }, Decided: {} });
  expect(extended.components.schemas['Decided']).not.toHaveProperty('additionalProperties');
});

test('statuses follow the table', () => {
  const always = ['200', '400', '401', '403', '406', '408', '429', '431', '500', '503'];
  for (const operation of Object.values<Operation>(operations)) {
    const { method, path: place, body, delta, cursor, timeComponent, conflict, idempotencyKey } = operation;
    const expected = [
      ...always,
      ...(place.includes('{') ? ['404'] : []),
      ...(body ? ['412', '413', '415'] : []),
      ...(delta || cursor ? ['410'] : []),
      ...(timeComponent || conflict ? ['409'] : []),
      ...(idempotencyKey ? ['409', '422'] : []),
    ];
    const { responses } = operationObject(method.toLowerCase(), place);
    expect(Object.keys(responses).toSorted()).toEqual(expected.toSorted());
  }
});

test('null stands in the elements of a list of changes and nowhere else', () => {
  const nullable = Object.keys(schemas).filter((name) => JSON.stringify(schemas[name]).includes('"null"'));
  expect(nullable.toSorted()).toEqual(['AbsenceDelta', 'PersonDelta', 'TimeBookingDayDelta']);
  expect(Object.keys(schemas['PersonDelta']?.properties ?? {})).toEqual([
    ...Object.keys(Person.shape),
    'deleted',
    'erased',
  ]);
  expect(operationObject('get', '/api/v1/persons').responses[200]?.content['application/json']?.['schema']).toEqual({
    anyOf: [listOf('Person'), listOf('PersonDelta')],
  });
  expect(
    operationObject('get', '/api/v1/time-bookings').responses[200]?.content['application/json']?.['schema'],
  ).toEqual({ anyOf: [listOf('TimeBookingPerson'), listOf('TimeBookingPersonDelta')] });
});

test('only what is sent is closed', () => {
  const closed = Object.entries(schemas).flatMap(([name, schema]) =>
    schema.additionalProperties === false ? [name] : [],
  );
  expect(closed.toSorted()).toEqual([
    'Address',
    'BankDetails',
    'NewWebhookEndpoint',
    'PersonPatch',
    'VariablePaymentRequest',
  ]);
});

test('marks what is deprecated and what goes beyond the specification', () => {
  for (const model of ['Person', 'PersonDelta']) {
    expect(schemas[model]?.properties['payrollContractIds']?.deprecated).toBe(true);
  }
  const extensions = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter((one) => (one as Record<string, unknown>)['x-extension']);
  expect(extensions.map((one) => (one as { operationId: string }).operationId).toSorted()).toEqual([
    'createWebhookEndpoint',
    'deleteWebhookEndpoint',
    'getChanges',
    'introspectToken',
    'listAllAbsences',
    'listAllSalaries',
    'listVariablePaymentDecisions',
    'listVariablePayments',
    'listWebhookDeliveries',
    'listWebhookEndpoints',
    'revokeToken',
    'rotateWebhookSecret',
    'testWebhookEndpoint',
  ]);
});

test('the key of a payment is an optional header that goes beyond the specification, with answers of its own', () => {
  const submission = operationObject('post', '/api/v1/payrollContract/{contractId}/variable-payments');
  expect(submission.parameters?.at(-1)).toMatchObject({
    name: 'Idempotency-Key',
    schema: { type: 'string', pattern: IdempotencyKey.meta()?.['pattern'] },
    'x-extension': true,
  });
  expect([submission.responses[409], submission.responses[422]]).toEqual([
    { $ref: '#/components/responses/idempotency-key-in-flight' },
    { $ref: '#/components/responses/idempotency-key-reused' },
  ]);
  expect(document.components.responses['idempotency-key-in-flight']).toHaveProperty('headers.Retry-After');
});

test('a list has its cursor in a header, and the next one begins after it: both go beyond the specification', () => {
  const list = operationObject('get', '/api/v1/time-bookings');
  const pattern = Cursor.meta()?.['pattern'];
  expect(list.responses[200]).toHaveProperty(['headers', 'HR-Cursor'], {
    description: expect.any(String),
    schema: { type: 'string', pattern },
    'x-extension': true,
  });
  expect(list.parameters?.map((one) => 'x-extension' in one && one.name)).toEqual([false, false, false, 'after']);
  expect(list.parameters?.at(-1)).toMatchObject({ schema: { type: 'string', pattern } });
  expect(operationObject('get', '/api/v1/changes').responses[200]).not.toHaveProperty('headers');
  expect(schemas['Changes']?.properties['cursor']).toMatchObject({ pattern });
});

test('kinds of problems with the same status are one response, with an example of each', () => {
  const name = 'changes-expired-or-cursor-expired';
  expect(operationObject('get', '/api/v1/persons').responses[410]).toEqual({ $ref: `#/components/responses/${name}` });
  const { content } = document.components.responses[name] as { content: Record<string, { examples: object }> };
  const examples = content['application/problem+json']?.examples;
  expect(Object.keys(examples ?? {})).toEqual(['changes-expired', 'cursor-expired']);
});

test('too many requests are answered with when to ask again, and with the limit', () => {
  for (const header of ['Retry-After', 'RateLimit-Policy', 'RateLimit']) {
    expect(document.components.responses['too-many-requests']).toHaveProperty(`headers.${header}.description`);
  }
});

test('every operation is under a tag that is explained, as the table has it', () => {
  const explained = document.tags.map(({ name }) => name);
  const inUse = Object.values(document.paths).flatMap((item) =>
    Object.values(item as Record<string, OperationObject>).flatMap((one) => one.tags),
  );
  expect(new Set(inUse)).toEqual(new Set(explained));
  for (const { tag, method, path: place } of Object.values<Operation>(operations)) {
    expect(operationObject(method.toLowerCase(), place).tags).toEqual([tag]);
  }
});

test('every operation and parameter is explained', () => {
  for (const { method, path: place, section, timeComponent } of Object.values<Operation>(operations)) {
    const { description, parameters: own = [] } = operationObject(method.toLowerCase(), place);
    expect(description).toMatch(new RegExp(`^[^]{10,}ection ${section}`));
    expect(description.includes('63.11.20')).toBe(timeComponent === true);
    for (const parameter of own)
      expect(parameter).toMatchObject({ description: expect.stringMatching(/\.$/) as string });
  }
});

test.each(Object.entries<Operation>(operations))('%s has valid examples', (_, operation) => {
  const { method, path: place, body, response, delta, list } = operation;
  const { requestBody, responses } = operationObject(method.toLowerCase(), place);
  const sent = requestBody?.content['application/json']?.example;
  expect(body === undefined ? sent : body.parse(sent)).toEqual(sent);

  const { example, examples } = responses[200]?.content['application/json'] ?? {};
  const several = examples as { whole: { value: unknown }; changes: { value: unknown } } | undefined;
  const whole = several ? several.whole.value : example;
  expect((list ? response.array() : response).parse(whole)).toEqual(whole);
  expect(several !== undefined).toBe(delta !== undefined);
  expect(delta?.array().parse(several?.changes.value)).toEqual(several?.changes.value);
});

test('the endpoints of OAuth need no token; everything else does', () => {
  expect(document.security).toEqual([{ oauth2: ['api:use'] }]);
  const open = Object.entries(document.paths).filter(([, item]) =>
    Object.values(item as Record<string, OperationObject>).some((one) => one.security?.length === 0),
  );
  expect(open.map(([place]) => place)).toEqual(['/api/oauth2/token', '/api/oauth2/revoke', '/api/oauth2/introspect']);
  const { tokenUrl } = openApiDocument({ serverUrl: 'https://hr.acme.test/base/' }).components.securitySchemes.oauth2
    .flows.clientCredentials;
  expect(tokenUrl).toBe('https://hr.acme.test/base/api/oauth2/token');
});

test('the main entry does not load it', async () => {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import('@hr/schemas');
    const before = loaded.filter((url) => url.includes('openapi')).length;
    await import('@hr/schemas/openapi');
    console.log(before, loaded.filter((url) => url.includes('openapi')).length > 0);`;
  const { stdout } = await run(process.execPath, ['--conditions=@hr/source', '--input-type=module', '--eval', source], {
    cwd: import.meta.dirname,
  });
  expect(stdout).toBe('0 true\n');
});
