import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fixtures } from '@hr/testing/fixtures';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliError, exitCodes } from '../src/cli-error.ts';
import { absenceKind } from '../src/output/record-kinds.ts';
import { replaceFile } from '../src/output/replace-file.ts';
import { written } from './written.ts';

const absences = fixtures().absence.list(3);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['ndjson', 'json', 'csv', 'parquet'])(
  'The extension .%s chooses the format of a private file',
  async (extension) => {
    const out = join(folder, `absences.${extension.toUpperCase()}`);
    await writeFile(out, 'before', { mode: 0o644 });
    const { stdout, records, file } = await written({ out }, absenceKind, absences);
    expect({ stdout, records, file }).toEqual({ stdout: '', records: absences.length, file: out });
    const content = await readFile(out, 'latin1');
    expect(content.slice(0, 4)).toBe({ ndjson: '{"id', json: '[\n{"', csv: 'id,p', parquet: 'PAR1' }[extension]);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual([`absences.${extension.toUpperCase()}`]);
  },
);

test('A table in a file has a line for each row, with tabs', async () => {
  const out = join(folder, 'absences.txt');
  await written({ out, output: 'table', fields: ['id', 'key'] }, absenceKind, absences, { columns: 80 });
  expect(await readFile(out, 'utf8')).toBe(absences.map(({ id, key }) => `${id}\t${key}\n`).join(''));
});

test('A failure keeps the existing file, and leaves no other one', async () => {
  const out = join(folder, 'absences.csv');
  await writeFile(out, 'before');
  let whileWriting: string[] = [];
  async function* broken(): AsyncGenerator<(typeof absences)[number], void, void> {
    yield* absences;
    whileWriting = await readdir(folder);
    throw new Error('connection lost');
  }
  await expect(written({ out }, absenceKind, broken())).rejects.toThrow('connection lost');
  expect(whileWriting).toEqual([expect.stringMatching(/^\.absences\.csv\.\w+\.tmp$/), 'absences.csv']);
  expect(await readdir(folder)).toEqual(['absences.csv']);
  expect(await readFile(out, 'utf8')).toBe('before');
});

test('A process that exits while it writes removes the temporary file', async () => {
  const module = JSON.stringify(new URL('../src/output/replace-file.ts', import.meta.url).href);
  const program = `
    const { replaceFile } = await import(${module});
    await replaceFile('absences.csv', (async function* () { yield 'a'; process.exit(130); })());`;
  const child = spawn(process.execPath, ['--conditions=@hr/source', '--input-type=module', '-e', program], {
    cwd: folder,
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(await readdir(folder)).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s removes the temporary file of an export', async (signal) => {
  const token = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 };
  await using server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url?.includes('token')) response.end(JSON.stringify(token));
    // The list never ends.
    else response.write('[', () => server.emit('asked'));
  }).listen();
  await once(server, 'listening');
  const asked = once(server, 'asked');
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const hr = spawn(process.execPath, ['--conditions=@hr/source', main, 'time', 'bookings', '--out', 'bookings.csv'], {
    cwd: folder,
    env: {
      ...process.env,
      HR_HOME: join(folder, 'home'),
      HR_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      HR_CLIENT_ID: 'demo',
      HR_CLIENT_SECRET: 'demo-secret',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await asked;
  const whileReading = await readdir(folder);
  hr.kill(signal);
  const [stderr, [code]] = await Promise.all([text(hr.stderr), once(hr, 'exit')]);
  expect({ stderr, code }).toEqual({ stderr: 'hr: Interrupted.\n', code: exitCodes.interrupted });
  expect(whileReading).toContainEqual(expect.stringMatching(/^\.bookings\.csv\..*\.tmp$/));
  expect(await readdir(folder)).toEqual([]);
});

test('A symbolic link stays, and the file that it points to is replaced', async () => {
  await mkdir(join(folder, 'real'));
  await writeFile(join(folder, 'real', 'absences.csv'), 'before');
  const out = join(folder, 'link.csv');
  await symlink(join('real', 'absences.csv'), out);
  await written({ out }, absenceKind, absences);
  expect((await lstat(out)).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'real', 'absences.csv'), 'utf8')).toContain(absences[0]?.id);
});

test('A file that cannot be written fails before anything is read', async () => {
  await writeFile(join(folder, 'file'), '');
  const places = {
    'no/absences.csv': 'its folder does not exist. Create it first.',
    'file/absences.csv': 'a part of its path is not a folder.',
    [`${'x'.repeat(250)}.csv`]: 'its name is too long.',
    '.': 'it is a folder. Name a file in it.',
  };
  const unread: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => {
      throw new Error('was read');
    },
  };
  for (const [place, reason] of Object.entries(places)) {
    const file = join(folder, place);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const failure = await replaceFile(file, unread).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    expect((failure as CliError).message).toContain(`Cannot write ${file}: ${reason}`);
  }
  await expect(replaceFile('/dev/null', unread)).rejects.toThrow('it is not a regular file');
  // Whoever may write everywhere, such as root, gets no error of the folder.
  if (process.getuid?.() === 0) return;
  await chmod(folder, 0o500);
  await expect(replaceFile(join(folder, 'a.csv'), unread)).rejects.toThrow('its folder is not writable');
  await chmod(folder, 0o700);
});
