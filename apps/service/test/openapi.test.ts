import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { operatorOperations } from '../src/routes.ts';
import { scopesOf } from '../src/operator/operator-operation.ts';
import { sharedService } from './service.ts';

const require = createRequire(import.meta.url);
const redocly = require.resolve('@redocly/cli/bin/cli.js');

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>> };

describe('the OpenAPI document of the service', () => {
  const service = sharedService('postgres');
  let document: Document;

  beforeAll(async () => {
    const { body } = await service.send('GET', '/openapi.json', { headers: { authorization: '' } });
    document = body as Document;
  });

  test('is valid: redocly finds neither errors nor warnings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hr-openapi-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'openapi.json');
    // Redocly warns about a document without a host.
    await writeFile(file, JSON.stringify({ ...document, servers: [{ url: 'https://hr.acme.test' }] }));
    const args = [redocly, 'lint', file, '--extends=recommended', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linted = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    const { stdout } = await linted.catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test.each(Object.entries(operatorOperations))('explains %s', (id, operation) => {
    const { method, path, pathParameters, query } = operation;
    const described = document.paths[path]?.[method.toLowerCase()];
    const security = scopesOf(operation).map((scope) => ({ oauth2: [scope] }));
    expect(described).toMatchObject({ operationId: id, security });
    expect(described?.parameters?.map((one) => `${one.in} ${one.name}`)).toEqual([
      ...Object.keys(pathParameters.shape).map((name) => `path ${name}`),
      ...Object.keys(query.shape).map((name) => `query ${name}`),
    ]);
    for (const { description } of described?.parameters ?? []) expect(description).toMatch(/\.$/);
    const required = 'body' in operation ? !operation.body.safeParse(undefined).success : undefined;
    expect(described?.requestBody?.required).toBe('stream' in operation ? true : required);
    const problems = 'problems' in operation ? operation.problems : [];
    const references = Object.values(described?.responses ?? {}).map(({ $ref }) => $ref?.split('/').at(-1));
    expect(references).toEqual(expect.arrayContaining(['forbidden', 'invalid-request', ...problems]));
  });
});
