import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { anyDriver } from './drivers.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

describe.each(anyDriver)('custom-fields on %s that a service uses', (driver) => {
  let service: TestService;
  let env: Record<string, string>;

  beforeAll(async () => {
    service = await startService(driver);
    env = { HR_DATABASE: service.databaseUrl };
  });
  afterAll(() => service.stop());

  const customFields = (...args: string[]) => run(['custom-fields', ...args], env);
  const newClient = async (scope: string): Promise<string> => {
    const { stdout } = await run(['clients', 'create', '--name', 'Test', '--scope', scope, '--json'], env);
    return (JSON.parse(stdout) as { clientId: string }).clientId;
  };

  test('allows, denies and lists', async () => {
    const clientId = await newClient('api:use');
    expect(await customFields('list')).toEqual({ code: 0, stdout: 'No client sees custom fields.\n', stderr: '' });
    expect(await customFields('allow', clientId, 'Parkausweis', 'Größe, \u001b[1mfett')).toEqual({
      code: 0,
      stdout: `CLIENT ID              CUSTOM FIELD\n${clientId}  Größe, [1mfett\n${clientId}  Parkausweis\n`,
      stderr: '',
    });
    const denied = await customFields('deny', clientId, 'Größe, \u001b[1mfett', '--json');
    expect(JSON.parse(denied.stdout)).toEqual({ clientId, names: ['Parkausweis'] });
    for (const which of [[], [clientId]]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { stdout } = await customFields('list', ...which, '--json');
      expect(JSON.parse(stdout)).toEqual([{ clientId, names: ['Parkausweis'] }]);
    }
    expect((await customFields('deny', clientId, 'Parkausweis')).stdout).toBe('This client sees no custom fields.\n');
  });

  test.each([
    [['allow', 'nobody', 'a'], 1, /^There is no client with this id\.\n$/],
    [['list', 'nobody'], 1, /^There is no client with this id\.\n$/],
    [['allow', 'nobody', ''], 2, /^\/names\/0 /],
    [['allow', 'nobody'], 2, /missing required argument 'name'/],
  ])('%j fails with %i and a sentence', async (args, code, sentence) => {
    expect(await customFields(...args)).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(sentence) as string,
    });
  });

  test('tells that an operator reads no persons', async () => {
    expect(await customFields('allow', await newClient('operator'), 'a')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This client reads no persons: only those of the scope api:use do.\n',
    });
  });
});
