import { hash } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { environment } from '../src/rehearsal/environment.ts';
import { startPrivateRegistry } from '../src/rehearsal/private-registry.ts';
import { attempt, run } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

const ends = new AsyncDisposableStack();
let registry: Awaited<ReturnType<typeof startPrivateRegistry>>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-publish-'));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  registry = await startPrivateRegistry(join(folder, 'registry'), ends);
});
afterAll(() => ends.disposeAsync());

let count = 0;

/** A repository with the tarballs of two packages that the registry does not have, and what publishes and tags them. */
async function packed({ url = registry.url, version = '1.0.0', names = [`@hr/a${++count}`, `@hr/b${count}`] } = {}) {
  const { cwd, git, write, commit } = await newRepository();
  await write('npmrc', `@hr:registry=${url}\n${url.replace('http:', '')}:_authToken=${registry.token}\n`);
  const lines = await Promise.all(
    names.map(async (name) => {
      const short = name.slice('@hr/'.length);
      const manifest = { name, version, description: cwd, publishConfig: { access: 'restricted' } };
      await write(`${short}/package/package.json`, JSON.stringify(manifest));
      const file = `hr-${short}-${version}.tgz`;
      await write(`release/${file}`);
      await run('tar', ['-czf', join(cwd, 'release', file), '-C', short, 'package'], { cwd });
      return `${await integrityOf(join(cwd, 'release', file))} ${file} ${name}@${version}`;
    }),
  );
  await commit();
  await git('init', '--quiet', '--bare', 'origin.git');
  await git('remote', 'add', 'origin', 'origin.git');
  const env = {
    ...environment(workspace),
    NPM_CONFIG_USERCONFIG: join(cwd, 'npmrc'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    GIT_COMMITTER_NAME: 'Release',
    GIT_COMMITTER_EMAIL: 'release@example.com',
    RELEASE: lines.join('\n'),
    TAG: 'latest',
  };
  const script =
    (name: string, ...args: readonly string[]) =>
    async (changes: object = {}) => {
      const ended = await attempt(join(workspace, '.ci', name), args, { cwd, env: { ...env, ...changes } });
      return ended.succeeded ? ended.stdout : `failed: ${ended.stderr}`;
    };
  return { cwd, names, lines, git, write, commit, publish: script('publish.mjs', 'release'), tag: script('tag') };
}

const integrityOf = async (path: string) => `sha512-${hash('sha512', await readFile(path), 'base64')}`;

/** What the registry has of a package: its versions, and the checksum of each. */
async function published(name = '') {
  const { versions = {} } = (await registry.metadataOf(name)) as Partial<
    Awaited<ReturnType<typeof registry.metadataOf>>
  >;
  return Object.fromEntries(Object.entries(versions).map(([version, { dist }]) => [version, dist['integrity']]));
}

test('publishes the files of the list in their order, and skips what the registry has', async () => {
  const { lines, names, publish } = await packed();
  expect(await publish()).toBe(names.map((name) => `Published ${name}@1.0.0 to ${registry.url} as latest.\n`).join(''));
  expect(await published(names[1])).toEqual({ '1.0.0': lines[1]?.split(' ')[0] });
  expect(await publish()).toBe('The registry has every version already.\n');
});

test.each<[string, string, (folder: string, lines: readonly string[]) => Promise<unknown>]>([
  [
    'a tarball that changed',
    'FILE has another checksum. Find out what changed them, and pack again.',
    (folder, [, line = '']) => appendFile(join(folder, line.split(' ')[1] ?? ''), 'x'),
  ],
  [
    'a tarball that is missing',
    'FILE is missing. Find out what changed them, and pack again.',
    (folder, [, line = '']) => rm(join(folder, line.split(' ')[1] ?? '')),
  ],
  [
    'another file',
    'other.tgz is not in the list. Find out what changed them, and pack again.',
    (folder) => writeFile(join(folder, 'other.tgz'), ''),
  ],
])('%s stops it before anything is published', async (_, fault, change) => {
  const { cwd, lines, names, publish } = await packed();
  await change(join(cwd, 'release'), lines);
  expect(await publish()).toBe(
    'failed: The files in release are not those that were packed, so nothing is published: ' +
      `${fault.replace('FILE', lines[1]?.split(' ')[1] ?? '')}\n`,
  );
  expect(await published(names[0])).toEqual({});
});

test('a list that is empty or cannot be read stops it', async () => {
  const { lines, names, publish } = await packed();
  expect(await publish({ RELEASE: '' })).toMatch(/^failed: The list of files, RELEASE, is empty, .*Pack again\.\n$/);
  const other = lines[1]?.replace('@hr/', '@other/');
  expect(await publish({ RELEASE: `${lines[0]}\n${other}` })).toContain(`has an invalid line, so nothing is published`);
  expect(await published(names[0])).toEqual({});
});

test('nothing is published without a private registry', async () => {
  const { publish } = await packed();
  expect(await publish({ NPM_CONFIG_USERCONFIG: 'none' })).toBe(
    "failed: No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'\n",
  );
});

test('a registry that fails in the middle stops it, and it continues when it runs again', async () => {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    if (method === 'PUT' && url?.includes('b')) {
      incoming.socket.destroy();
      return;
    }
    incoming.pipe(
      request(new URL(url ?? '', registry.url), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
  const { cwd, names, publish, write } = await packed({ url });
  expect(await publish()).toContain(
    `failed: ${names[1]}@1.0.0 is not published, and nothing after it is. Run this again: it skips published versions.\n`,
  );
  expect([await published(names[0]), await published(names[1])]).toEqual([{ '1.0.0': expect.any(String) }, {}]);
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  // Of a registry that does not respond, nobody knows what it has.
  expect(await publish()).toContain(`failed: The registry does not tell whether it has ${names[0]}, so nothing is`);
  await write('npmrc', (await readFile(join(cwd, 'npmrc'), 'utf8')).replaceAll(url.slice(5), registry.url.slice(5)));
  expect(await publish()).toBe(`Published ${names[1]}@1.0.0 to ${registry.url} as latest.\n`);
});

test('a version that the registry has with other contents stops it', async () => {
  const { names, publish } = await packed();
  await publish();
  const [, second = ''] = names;
  const other = await packed({ names: [`@hr/a${++count}`, second] });
  expect(await other.publish()).toBe(
    `failed: The registry has ${second}@1.0.0 with other contents, so nothing is published. It was packed from another ` +
      'commit: release that one, or give this one a new version with a changeset.\n',
  );
  expect(await published(other.names[0])).toEqual({});
});

test('latest never goes back to an older version', async () => {
  const { names, publish } = await packed({ version: '1.10.0' });
  await publish();
  const older = await packed({ names, version: '1.9.1' });
  expect(await older.publish()).toBe(
    `failed: latest of ${names[0]} would go back from 1.10.0 to 1.9.1, so nothing is published. ` +
      'Name another dist-tag: --tag latest-1\n',
  );
  expect(await older.publish({ TAG: 'latest-1' })).toContain(`as latest-1.\n`);
  expect((await registry.metadataOf(names[0] ?? ''))['dist-tags']).toEqual({ latest: '1.10.0', 'latest-1': '1.9.1' });
});

test('tags the commit of each version with the checksums of its files, and adds only missing tags', async () => {
  const { lines, names, git, tag } = await packed();
  expect(await tag()).toBe(names.map((name) => `Tagged ${name}@1.0.0.\n`).join(''));
  expect(await git('tag', '--list', '--format=%(contents)', `${names[0]}@1.0.0`)).toBe(`${lines[0]}\n\n`);
  await git('push', '--quiet', '--delete', 'origin', `${names[1]}@1.0.0`);
  expect(await tag()).toBe(`Tagged ${names[1]}@1.0.0.\n`);
  expect(await tag()).toBe('');
  expect(await git('ls-remote', '--tags', 'origin')).toContain(`refs/tags/${names[1]}@1.0.0\n`);
});

test('a tag on another commit stops it before any is pushed', async () => {
  const { names, git, commit, tag } = await packed();
  await git('push', '--quiet', 'origin', `HEAD:refs/tags/${names[1]}@1.0.0`);
  const there = (await git('rev-parse', 'HEAD')).trim();
  await commit();
  expect(await tag()).toBe(
    `failed: The tag ${names[1]}@1.0.0 is on the commit ${there}, and the version was packed from ` +
      `${(await git('rev-parse', 'HEAD')).trim()}. No tag was pushed. Find out who pushed it. If it is wrong, ` +
      `remove it: git push --delete origin ${names[1]}@1.0.0. Then run this again.\n`,
  );
  expect(await git('ls-remote', '--tags', 'origin')).not.toContain(`${names[0]}@`);
});

test('a tag is not pushed without a list', async () => {
  const { tag } = await packed();
  expect(await tag({ RELEASE: '' })).toContain('RELEASE: is empty: the list of files that pnpm release:pack prints.');
});
