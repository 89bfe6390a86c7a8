import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { feedBatches, type FeedBatch } from '../src/feed/feed-batches.ts';
import { feedLines } from '../src/feed/feed-lines.ts';
import { feedSource, FeedSourceError, repeatable } from '../src/feed/feed-source.ts';
import { source } from './feed.ts';

/** Lines as `number text`, or `number code` of what is wrong. */
async function linesOf({ bytes }: { bytes: AsyncIterable<Uint8Array> }): Promise<string[]> {
  const lines: string[] = [];
  for await (const together of feedLines(bytes)) {
    lines.push(...together.map((line) => `${line.number} ${'text' in line ? line.text.trim() : line.issue.code}`));
  }
  return lines;
}

const longest = 'x'.repeat(2 ** 20);

test.each([
  ['nothing', '', []],
  ['no line end at the end', 'a\nb', ['1 a', '2 b']],
  ['a line end at the end', 'a\nb\n', ['1 a', '2 b']],
  ['blank lines', '\n \t\na\n\n\nb', ['3 a', '6 b']],
  ['CRLF', 'a\r\n\r\nb\r\n', ['1 a', '3 b']],
  ['a byte order mark', '\uFEFFa\nb', ['1 a', '2 b']],
  ['a byte order mark alone', '\uFEFF\n\uFEFF', []],
  ['the longest line', `a\n${longest}\nb`, ['1 a', `2 ${longest}`, '3 b']],
  ['a line that is too long', `a\n${longest}x\nb`, ['1 a', '2 too-long', '3 b']],
  ['a last line that is too long', `a\n${longest}x`, ['1 a', '2 too-long']],
])('%s', async (_case, text, lines) => {
  const bytes = Buffer.from(text);
  expect(await linesOf(source(bytes))).toEqual(lines);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
    bytes.subarray(at * 65_536, (at + 1) * 65_536),
  );
  expect(await linesOf(source(...chunks))).toEqual(lines);
});

test('bytes that are not UTF-8 spoil their line alone', async () => {
  const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0x22]), Buffer.from('\nb')]);
  expect(await linesOf(source(bytes))).toEqual(['1 a', '2 wrong-format', '3 b']);
});

test('the cut of the chunks is all the same', async () => {
  const texts = fc.array(fc.constantFrom('a', 'ü', '😀', '\n', '\r\n', ' '), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat({ max: 60 })), async (text, cuts) => {
      const bytes = Buffer.from(text.join(''));
      const places = [
        0,
        ...cuts.filter((cut) => cut < bytes.length).toSorted((one, other) => one - other),
        bytes.length,
      ];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(await linesOf(source(...chunks))).toEqual(await linesOf(source(bytes)));
    }),
  );
});

async function batchesOf(text: string): Promise<FeedBatch[]> {
  const batches: FeedBatch[] = [];
  for await (const batch of feedBatches([source(Buffer.from(text))])) batches.push(batch);
  return batches;
}

test('others get their turn between lines, however many come at once', async () => {
  const moment = performance.now();
  let calls = 0;
  // Each line takes 20 ms.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => moment + 20 * calls++);
  let [turns, isOver] = [0, false];
  const take = (): void => void (turns++, isOver || setImmediate(take));
  take();
  const batches = await batchesOf('{}\n'.repeat(100));
  isOver = true;
  clock.mockRestore();
  expect(batches).toMatchObject([{ lines: 100 }]);
  expect(turns).toBeGreaterThan(90);
});

test('a batch is bounded by its faults, too', async () => {
  const line = `{"kind":"person",${Array.from({ length: 999 }, (_, name) => `"${name}":1`).join(',')}}\n`;
  const batches = await batchesOf(line.repeat(12));
  expect(batches.map(({ badLines }) => badLines.length)).toEqual([6, 6]);
});

describe('a file', () => {
  let folder: string;
  const written = async (name: string, bytes: string | Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-feed-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each<[what: string, bytes: string | Buffer, lines?: string[]]>([
    ['plain', 'a\nb'],
    ['gzipped', gzipSync('a\nb')],
    ['gzipped in two parts', Buffer.concat([gzipSync('a\n'), gzipSync('b')])],
    ['empty', '', []],
    ['of a single byte', '\n', []],
  ])('that is %s is read, whatever its name', async (_case, bytes, lines = ['1 a', '2 b']) => {
    expect(await linesOf(await feedSource(await written('feed', bytes)))).toEqual(lines);
  });

  test('that is not there, is a folder or is damaged is told by its path', async () => {
    const missing = join(folder, 'missing');
    await expect(feedSource(missing)).rejects.toThrow(FeedSourceError);
    await expect(feedSource(missing)).rejects.toThrow(`The feed ${missing} cannot be read: there is no such file.`);
    await expect(feedSource(folder).then(linesOf)).rejects.toThrow(
      `The feed ${folder} cannot be read: it is a folder.`,
    );
    const packed = gzipSync('a\n'.repeat(100_000));
    const cut = await written('cut', packed.subarray(0, -20));
    await expect(feedSource(cut).then(linesOf)).rejects.toThrow('its compressed data ends early');
    const damaged = await written('damaged', Buffer.concat([packed.subarray(0, 15), Buffer.alloc(50, 0x55)]));
    await expect(feedSource(damaged).then(linesOf)).rejects.toThrow(/cannot be read: its compressed data/);
  });

  test('can be read again, also standard input once it is copied', async () => {
    const file = await feedSource(await written('again', 'a\nb'));
    const empty = await mkdtemp(join(folder, 'empty-'));
    vi.stubEnv('TMPDIR', empty);
    await using copy = await repeatable(await feedSource('-', Readable.from([gzipSync('a\nb')])));
    for (const repeated of [file, file, copy, copy]) {
      expect(repeated.isRepeatable).toBe(true);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await linesOf(repeated)).toEqual(['1 a', '2 b']);
    }
    // No other process can open it, and a killed process leaves nothing.
    expect(await readdir(empty)).toEqual([]);
    vi.unstubAllEnvs();
  });

  test.runIf(process.platform === 'linux')('is closed when its reader stops early', async () => {
    const path = await written('long', 'a\n'.repeat(1_000_000));
    const open = async (): Promise<boolean> => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(links)).includes(path);
    };
    const { bytes } = await feedSource(path);
    for await (const [line] of feedLines(bytes)) {
      expect(line?.number).toBe(1);
      expect(await open()).toBe(true);
      break;
    }
    await vi.waitFor(async () => expect(await open()).toBe(false), 120_000);
  });
});
