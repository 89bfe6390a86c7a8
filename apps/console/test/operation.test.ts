import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import workspacePackage from '../../../package.json' with { type: 'json' };
import { Records } from '../src/backend/records.ts';
import { startConsoleProcess } from './console-process.ts';
import { freePort } from './free-port.ts';
import { sendRaw } from './send-raw.ts';
import { startTestConsole } from './start-test-console.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-operation-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the console for a folder. */
async function command(data: string, ...args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, HR_CONSOLE_DATA: data };
  const all = ['--conditions=@hr/source', main, ...args];
  return await run(process.execPath, all, { env }).catch((error: unknown) => error as Ended);
}

describe('people', () => {
  const kim = ['people', 'add', 'kim', '--name', 'Kim Roth'];

  test('are added, listed and disabled, and get links, also while no console runs', async () => {
    const data = join(folder, 'people');
    expect(await command(data, 'link', 'kim')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Add people'),
    });
    const grants = ['--roles', 'editor,pay,entity:1001', '--roles', 'viewer,everyone'];
    expect(await command(data, ...kim, ...grants, '--employee-number', '20001')).toMatchObject({ stderr: '' });
    const { stdout, stderr } = await command(data, 'link', 'kim');
    expect(stdout).toMatch(/^http:\/\/localhost:\d+\/sign-in#[\w-]{43}\n$/);
    expect(stderr).toContain(`No console uses the folder ${data} now.`);
    const list = await command(data, 'people', 'list');
    expect(list.stdout).toBe('local#kim\tKim Roth\teditor,pay,entity:1001 viewer,everyone\tsigned in never\n');
    await command(data, 'people', 'disable', 'kim');
    expect((await command(data, 'people', 'list')).stdout).toContain('disabled');
    expect(await command(data, 'link', 'kim')).toMatchObject({ code: 1, stderr: expect.stringContaining('disabled') });
    using records = new Records(join(data, 'console.db'));
    expect(records.people()).toMatchObject([{ login: 'kim', employeeNumber: '20001', isDisabled: true }]);
    expect((await command(data, 'people', 'enable', 'kim')).stdout).toBe('kim may sign in again.\n');
    expect(records.people()).toMatchObject([{ isDisabled: false }]);
    for (const name of ['disable', 'enable']) {
      // oxlint-disable-next-line no-await-in-loop -- two cores
      const unknown = await command(data, 'people', name, 'jo');
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('jo is unknown.') });
    }
  });

  test('of an identity provider are disabled, enabled and signed out by their id, and get no link', async () => {
    const data = join(folder, 'provider');
    const id = 'https://login.example.com#00u1';
    const grants = [['viewer', 'everyone']];
    await mkdir(data);
    using records = new Records(join(data, 'console.db'));
    records.savePerson({ id, name: 'Kim Roth', login: 'kim', grants, employeeNumber: undefined });
    records.startSession(id);
    expect((await command(data, 'sign-out', id)).stdout).toBe(`1 sessions and links of ${id} are ended.\n`);
    const { stdout } = await command(data, 'people', 'disable', id);
    expect(stdout).toContain(`console people enable ${id}`);
    expect(records.maySignIn(id)).toBe(false);
    await command(data, 'people', 'enable', id);
    expect(records.maySignIn(id)).toBe(true);
    expect(await command(data, ...kim, '--roles', 'viewer,everyone')).toMatchObject({ stderr: '' });
    vi.stubEnv('HR_CONSOLE_OIDC_ISSUER', 'https://login.example.com');
    vi.stubEnv('HR_CONSOLE_OIDC_CLIENT_ID', 'hr-console');
    vi.stubEnv('HR_CONSOLE_OIDC_CLIENT_SECRET', 'a secret');
    vi.stubEnv('HR_CONSOLE_ROLES', '{"hr-payroll": "editor,pay,everyone"}');
    onTestFinished(() => void vi.unstubAllEnvs());
    const link = await command(data, 'link', 'kim');
    expect(link).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('links sign nobody in') });
  });

  test('have roles, data and persons that are known, and a name that no other has', async () => {
    const data = join(folder, 'wrong');
    const wrong = [
      [...kim],
      [...kim, '--roles', 'boss,everyone'],
      [...kim, '--roles', 'pay,everyone'],
      [...kim, '--roles', 'editor'],
      [...kim, '--roles', 'editor,entity:'],
      ['people', 'add', 'Kim', '--name', 'Kim', '--roles', 'viewer,everyone'],
    ];
    for (const args of wrong) {
      // oxlint-disable-next-line no-await-in-loop -- two cores
      const { code, stderr } = await command(data, ...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(stderr).toMatch(/required|Allowed are|is missing|are missing|Use small letters/);
    }
  });

  test('get links for the console that runs', async () => {
    const data = join(folder, 'running');
    await command(data, ...kim, '--roles', 'viewer,everyone');
    await using _ = await startConsoleProcess({ folder: data, baseUrl: inject('demoUrl') });
    expect(await command(data, 'link', 'kim')).toMatchObject({ stderr: '' });
  });
});

test('health is told to any host name, and says whether people can work', async () => {
  await using server = await startTestConsole();
  const headers = { host: '10.0.0.7:4020', origin: undefined };
  expect(await sendRaw(server, '/livez', { headers })).toMatchObject({ status: 200, body: '{"status":"live"}' });
  expect(await sendRaw(server, '/readyz', { headers })).toMatchObject({ status: 200 });
  expect((await sendRaw(server, '/bff/session', { headers })).status).toBe(403);
  await using empty = await startTestConsole({ HR_BASE_URL: 'http://127.0.0.1:9' });
  expect(await sendRaw(empty, '/readyz', { headers })).toMatchObject({ status: 503 });
  expect((await sendRaw(empty, '/livez', { headers })).status).toBe(200);
});

test('metrics count requests by route, and tell how old the local copy is', async () => {
  const port = await freePort();
  await using server = await startTestConsole({ HR_CONSOLE_METRICS_PORT: port });
  await vi.waitUntil(() => server.live.health.state === 'current', { timeout: 120_000 });
  await server.signIn()('/bff/people/100001?tab=profile');
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain('hr_console_requests_total{route="/bff/people/:id",status="200"} 1');
  expect(text).toMatch(/^hr_console_copy_age_seconds [\d.]+$/m);
  expect(text).toMatch(/^hr_console_sessions 1$/m);
  // A count or a duration may have these digits.
  expect(text.replaceAll(/ [\d.e+-]+$/gm, '')).not.toContain('100001');
  expect((await sendRaw(server, '/metrics')).body).not.toContain('hr_console');
});

test('the folder of console:bundle runs with Node.js alone, as its Dockerfile starts it', async () => {
  const written = join(folder, 'written');
  // The pages are built, and other tests use them.
  const script = workspacePackage.scripts['console:bundle'].replace(' --filter=console', '');
  expect(script).not.toBe(workspacePackage.scripts['console:bundle']);
  const pnpm = join(workspace, 'node_modules/.bin/pnpm');
  await run(pnpm, ['exec', 'sh', '-c', `${script} "$0"`, written], { cwd: workspace });
  // As in an image, it is somewhere else.
  const bundle = join(folder, 'moved');
  await rename(written, bundle);
  expect((await readdir(bundle)).toSorted()).toEqual([
    'Dockerfile',
    'README.md',
    'dist',
    'node_modules',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'sbom.cdx.json',
    'src',
  ]);
  // It has what the backend needs, and what the pages contain.
  const contents = await readFile(join(bundle, 'sbom.cdx.json'), 'utf8');
  for (const name of ['fastify', 'react', '%40fontsource-variable/inter'])
    expect(contents).toContain(`"pkg:npm/${name}@`);
  const modules = await readdir(join(bundle, 'node_modules'));
  expect(modules).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:vite|vitest|react|typescript)$/)]));
  const lines = (await readFile(join(bundle, 'Dockerfile'), 'utf8')).split('\n');
  const instruction = (name: string): string[] => {
    const line = lines.find((one) => one.startsWith(`${name} `)) ?? '';
    return JSON.parse(line.slice(line.indexOf('['))) as string[];
  };
  expect(lines).toEqual(expect.arrayContaining(['USER node', expect.stringMatching(/^FROM node:24\.\S+@sha256:/)]));
  const port = await freePort();
  const env = {
    PATH: dirname(process.execPath),
    HR_BASE_URL: inject('demoUrl'),
    HR_CLIENT_ID: 'demo',
    HR_CLIENT_SECRET: 'demo-secret',
    HR_OPERATOR_CLIENT_ID: 'operator',
    HR_OPERATOR_CLIENT_SECRET: 'operator-secret',
    HR_CONSOLE_DATA: join(folder, 'data'),
    HR_CONSOLE_PORT: port,
  };
  const [, ...args] = [...instruction('ENTRYPOINT'), ...instruction('CMD')];
  const [, ...check] = instruction('HEALTHCHECK');
  const child = spawn(process.execPath, args, { cwd: bundle, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  try {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    await run(process.execPath, check, { env });
    expect((await fetch(`http://localhost:${port}/`)).headers.get('content-type')).toContain('text/html');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const logged = output.trimEnd().split('\n');
    expect(logged.map((line) => JSON.parse(line) as unknown)[0]).toMatchObject({ msg: 'The console listens.' });
  } finally {
    child.kill('SIGKILL');
  }
});
