import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { afterEach, expect, inject, test, vi } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { homeFolder, runHr } from './run-hr.ts';

const keychain = vi.hoisted(() => new Map<string, string>());
const fault = vi.hoisted(() => ({ isLocked: false }));
// The tests leave the keychain of the developer alone.
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    readonly #account: string;
    constructor(service: string, account: string) {
      if (fault.isLocked) throw new Error('locked');
      this.#account = `${service} ${account}`;
    }
    async setPassword(password: string) {
      keychain.set(this.#account, password);
    }
    getPassword = async () => keychain.get(this.#account) ?? null;
    deleteCredential = async () => keychain.delete(this.#account);
  },
}));

afterEach(() => {
  keychain.clear();
  fault.isLocked = false;
});

const baseUrl = inject('demoUrl');
const login = ['auth', 'login', '--base-url', baseUrl];

/** Registers a public key, as the operator does. */
async function register(jwk: object, path = ''): Promise<string> {
  const credentials = { clientId: 'operator', clientSecret: 'operator-secret', scope: 'operator' };
  const { value } = await clientCredentials({ baseUrl, ...credentials }).getToken();
  const response = await fetch(`${baseUrl}/operator/v1/clients${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jwks: { keys: [jwk] }, ...(path === '' && { name: 'A test', scope: 'api:use' }) }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { clientId: string }).clientId;
}

test('a generated key works once its public key is registered', async () => {
  const home = await homeFolder();
  const file = join(home, 'config.toml');
  const env = { HR_HOME: home };
  const generated = await runHr([...login, '--generate-key'], { env });
  expect(generated.code).toBe(0);
  const jwk = JSON.parse(generated.stdout) as Record<string, string>;
  expect(Object.keys(jwk).toSorted()).toEqual(['crv', 'kid', 'kty', 'x']);
  expect(generated.stderr).toContain(`The key is in ${file}.`);
  expect(generated.stderr).toContain('clients create --name NAME --public-key FILE');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { d = '' } = /"d":"(?<d>[\w-]+)"/.exec((await readFile(file, 'utf8')).replaceAll('\\"', '"'))?.groups ?? {};
  expect(d).not.toBe('');

  // Too early: the profile is stored nevertheless.
  const early = await runHr(['auth', 'login', '--client-id', 'hr-not-yet'], { env });
  expect(early).toMatchObject({ code: 0, stdout: '' });
  expect(early.stderr).toContain('It does not work yet.');
  expect(await runHr(['auth', 'status'], { env })).toMatchObject({ code: exitCodes.authentication });

  const clientId = await register(jwk);
  const done = await runHr(['auth', 'login', '--client-id', clientId], { env });
  expect(done).toMatchObject({
    code: 0,
    stderr: `Logged in to ${baseUrl} as ${clientId}. Stored in the profile default.\nThe key is in ${file}.\n`,
  });
  const status = await runHr(['auth', 'status', '--json'], { env });
  expect(JSON.parse(status.stdout)).toMatchObject({ clientId, authentication: 'private_key_jwt' });
  expect((await runHr(['auth', 'status'], { env })).stdout).toContain('Authentication: private key');
  expect(await runHr(['persons', 'list', '--limit', '1'], { env })).toMatchObject({ code: 0 });
  expect((await runHr(['doctor'], { env })).stdout).toContain(`knows ${clientId} and its key`);
  for (const { stdout, stderr } of [generated, early, done, status]) expect(stdout + stderr).not.toContain(d);

  await runHr(['auth', 'logout'], { env });
  expect(await readFile(file, 'utf8')).not.toContain(d);
  expect(keychain.size).toBe(0);
});

test('the keychain of the system keeps keys and secrets, where there is one', async () => {
  const home = await homeFolder();
  const env = { HR_HOME: home, HR_KEYCHAIN: '' };
  const secret = { ...env, HR_CLIENT_SECRET: 'demo-secret' };
  const { stderr } = await runHr([...login, '--client-id', 'demo'], { env: secret });
  expect(stderr).toContain('The secret is in the keychain of the system.');
  expect([...keychain.values()]).toEqual(['demo-secret']);
  expect(await readFile(join(home, 'config.toml'), 'utf8')).not.toContain('demo-secret');
  expect(await runHr(['auth', 'status'], { env })).toMatchObject({ code: 0 });

  fault.isLocked = true;
  expect(await runHr(['auth', 'status'], { env })).toMatchObject({ code: exitCodes.authentication });
  expect(await runHr(['auth', 'logout'], { env })).toMatchObject({ code: 1 });
  fault.isLocked = false;
  expect(await runHr(['auth', 'logout'], { env })).toMatchObject({ code: 0 });
  expect(keychain.size).toBe(0);

  // Nothing can be stored there: the file has it.
  fault.isLocked = true;
  await runHr([...login, '--client-id', 'demo'], { env: secret });
  expect(await readFile(join(home, 'config.toml'), 'utf8')).toContain('demo-secret');
});

test('HR_PRIVATE_KEY_FILE is a key for programs', async () => {
  const home = await homeFolder();
  const { stdout } = await runHr([...login, '--generate-key'], { env: { HR_HOME: home } });
  const config = (await readFile(join(home, 'config.toml'), 'utf8')).replaceAll('\\"', '"');
  const file = join(home, 'key.jwk');
  await writeFile(file, /\{.*\}/.exec(config)?.[0] ?? '', { mode: 0o600 });
  const HR_CLIENT_ID = await register(JSON.parse(stdout) as object);
  const env = { HR_HOME: await homeFolder(), HR_BASE_URL: baseUrl, HR_CLIENT_ID, HR_PRIVATE_KEY_FILE: file };
  expect(await runHr(['auth', 'status'], { env })).toMatchObject({ code: 0 });
  await writeFile(file, '-----BEGIN PRIVATE KEY-----');
  expect(await runHr(['auth', 'status'], { env })).toMatchObject({
    code: exitCodes.usage,
    stderr: expect.stringContaining('is not a JWK') as string,
  });
});
