import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isMirrorError, MirrorError, openMirror, type MirrorOptions } from '../src/mirror/index.ts';
import { mirrorCloud, newFile, newMirror } from './mirror-cloud.ts';

/** Runs statements on a file. */
function edit(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

const expectRefused = (file: string, code: string, message: string): void => {
  expect(() => newMirror(file)).toThrow(
    expect.objectContaining({ name: 'MirrorError', code, message: expect.stringMatching(message) as string }),
  );
};

describe('the file', () => {
  test('can be read by its owner alone, and so can its log', async () => {
    const file = newFile();
    using mirror = newMirror(file);
    await mirror.sync(mirrorCloud(3).hr, 'persons');
    const names = readdirSync(dirname(file));
    expect(names.toSorted()).toEqual(['mirror.db', 'mirror.db-shm', 'mirror.db-wal']);
    for (const name of names) expect(statSync(join(dirname(file), name)).mode & 0o777).toBe(0o600);
  });

  test.each(['', '-wal'])('is refused if others may read it: mirror.db%s', (suffix) => {
    const file = newFile();
    using mirror = newMirror(file);
    expect(mirror.countPersons()).toBe(0);
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(file + suffix, mode);
      expectRefused(file, 'not-private', `mirror.db${suffix}: .* chmod 600`);
    }
    chmodSync(file + suffix, 0o600);
    newMirror(file).close();
  });

  test('keeps its content', async () => {
    const file = newFile();
    const { hr } = mirrorCloud(3);
    const first = newMirror(file);
    await first.sync(hr, 'persons');
    first.close();
    first.close();
    using second = newMirror(file);
    expect([...second.persons()]).toEqual(await hr.persons.list());
    expect(second.runs()).toMatchObject([{ collection: 'persons', full: true, added: 3, error: undefined }]);
    expect(second.runs(0)).toEqual([]);
  });

  test('is a copy of one source', () => {
    const file = newFile();
    newMirror(file).close();
    const source = 'https://hr.example.org';
    expect(() => openMirror({ file, source })).toThrow(
      expect.objectContaining({
        code: 'other-source',
        message: `${file}: this is the mirror of https://hr.example.com, not of ${source}. Use one file for each source.`,
      }),
    );
  });

  test('of an older version is recreated', async () => {
    const file = newFile();
    const mirror = newMirror(file);
    await mirror.sync(mirrorCloud(3).hr, 'persons');
    mirror.close();
    edit(file, 'PRAGMA user_version = 0; DROP TABLE person; CREATE TABLE other (id TEXT)');
    using recreated = newMirror(file);
    expect([...recreated.persons()]).toEqual([]);
    expect(recreated.status()[0]).toMatchObject({ rows: 0, cursor: undefined });
  });

  test('of a newer version is refused', () => {
    const file = newFile();
    newMirror(file).close();
    edit(file, 'PRAGMA user_version = 99');
    expectRefused(file, 'newer-version', 'Update @hr/client');
  });

  test('that is something else is refused, and stays as it is', () => {
    const database = newFile();
    edit(database, "CREATE TABLE mine (id TEXT); INSERT INTO mine VALUES ('x')");
    const text = newFile();
    writeFileSync(text, 'Not a database, but longer than the head of one. '.repeat(50));
    for (const file of [database, text]) {
      chmodSync(file, 0o600);
      const before = readFileSync(file);
      expectRefused(file, 'wrong-file', 'not a usable mirror');
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  test('cannot be opened in a folder that does not exist, or if it is one', () => {
    expectRefused('/no/such/folder/mirror.db', 'cannot-open', 'ENOENT. Check that its folder exists');
    const folder = dirname(newFile());
    expectRefused(folder, 'cannot-open', 'unable to open database file. Check');
  });

  test('may have any name', () => {
    const folder = dirname(newFile());
    const file = join(folder, 'file:a?mode=memory.db');
    newMirror(file).close();
    expect(existsSync(file)).toBe(true);
  });
});

test.each<[string, Partial<MirrorOptions>]>([
  ['file', { file: '' }],
  ['source', { source: undefined } as never],
])('a wrong option is named: %s', (name, options) => {
  expect(() => openMirror({ file: ':memory:', source: 'x', ...options })).toThrow(
    expect.objectContaining({
      code: 'invalid-option',
      message: `openMirror: ${name} must be a string that is not empty.`,
    }),
  );
});

describe('purge', () => {
  test('deletes and overwrites everything', async () => {
    const file = newFile();
    const { fake, hr } = mirrorCloud(50);
    using mirror = newMirror(file);
    await mirror.sync(hr, 'persons');
    await mirror.sync(hr, 'absences');
    const names = fake.persons.list().map(({ lastName = '' }) => lastName);
    const found = (): string[] => {
      const files = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
      const bytes = files.map((name) => readFileSync(join(dirname(file), name), 'utf8')).join('\n');
      return names.filter((name) => bytes.includes(name));
    };
    expect(found()).toEqual(names);
    const size = statSync(file).size;
    mirror.purge();
    expect(found()).toEqual([]);
    expect(statSync(file).size).toBeLessThan(size);
    expect([...mirror.persons(), ...mirror.absences(), ...mirror.runs()]).toEqual([]);
    expect(mirror.status()[0]).toMatchObject({ rows: 0, cursor: undefined, fullSyncedAt: undefined });
    await expect(mirror.sync(hr, 'persons')).resolves.toMatchObject({ full: true, added: 50 });
  });

  test('says that a reader keeps old data', async () => {
    const file = newFile();
    const { hr } = mirrorCloud(3);
    using mirror = newMirror(file);
    await mirror.sync(hr, 'persons');
    using other = newMirror(file);
    const iterator = other.persons();
    iterator.next();
    expect(() => mirror.purge()).toThrow(expect.objectContaining({ code: 'in-use' }));
    expect(mirror.countPersons()).toBe(0);
    expect([...iterator]).toHaveLength(2);
    mirror.purge();
  });
});

test('an error of another version of the package is recognized', () => {
  const other = { [Symbol.for('@hr/client/MirrorError')]: true };
  expect(new MirrorError('in-use', 'x')).toBeInstanceOf(Error);
  expect(isMirrorError(other)).toBe(true);
  expect(isMirrorError(new Error('x'))).toBe(false);
  expect(isMirrorError(null)).toBe(false);
});

test('several programs can create it at the same time', async () => {
  const folder = dirname(newFile());
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from(
    { length: 3 },
    () =>
      new Worker(
        `const { openMirror } = await import(${JSON.stringify(new URL('../src/mirror/index.ts', import.meta.url).href)});
         const { parentPort, workerData: { folder, gate } } = await import('node:worker_threads');
         for (let round = 1; round <= 20; round++) {
           Atomics.add(gate, 0, 1);
           Atomics.notify(gate, 0);
           for (let ready; (ready = Atomics.load(gate, 0)) < 3 * round; ) Atomics.wait(gate, 0, ready);
           openMirror({ file: folder + '/' + round + '.db', source: 'x' }).close();
         }
         parentPort.postMessage('opened');`,
        { eval: true, execArgv: ['--conditions=@hr/source', '--input-type=module'], workerData: { folder, gate } },
      ),
  );
  onTestFinished(() => void Promise.all(workers.map(async (worker) => worker.terminate())));
  await expect(Promise.all(workers.map(async (worker) => once(worker, 'message')))).resolves.toHaveLength(3);
});
