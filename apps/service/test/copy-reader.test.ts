import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Connection } from 'pg';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { CopyReader } from '../src/database/copy-reader.ts';

function int(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
}

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int(4, content.length + 4), content]);
}

function field(value: string): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([int(4, content.length), content]);
}

const fileHeader = Buffer.concat([Buffer.from('PGCOPY\n\u00FF\r\n\0', 'latin1'), int(4, 0), int(4, 0)]);
const copyOutResponse = message('H', Buffer.from([1, 0, 2, 0, 1, 0, 1]));
const notice = message('N', Buffer.from('SNOTICE\0\0'));
const end = [message('d', int(2, -1)), message('c', Buffer.alloc(0))];
const ready = message('Z', Buffer.from('I'));

/** What PostgreSQL sends, with a notice after each third row. */
function messages(rows: readonly { readonly element: string; readonly key: string }[]): Buffer[] {
  const sent = rows.flatMap(({ element, key }, index) => {
    const header = index === 0 ? fileHeader : Buffer.alloc(0);
    const row = message('d', Buffer.concat([header, int(2, 2), field(element), field(key)]));
    return index % 3 === 2 ? [row, notice] : [row];
  });
  return [copyOutResponse, ...sent, ...end, ready];
}

/** What a reader gives of what PostgreSQL sends, and `others`: what pg's parser has got. */
async function read(chunks: readonly Buffer[]) {
  const stream = new PassThrough();
  const others: Buffer[] = [];
  const released: boolean[] = [];
  const reader = new CopyReader('select', (broken) => released.push(broken));
  stream.on('data', (bytes: Buffer) => {
    others.push(Buffer.from(bytes));
    if (bytes.equals(ready)) reader.handleReadyForQuery();
  });
  reader.submit({ stream, query() {} } as unknown as Connection);
  for (const chunk of chunks) stream.write(Buffer.from(chunk));
  let elements = '';
  let count = 0;
  // oxlint-disable no-await-in-loop -- as a slow reader does
  for (let next = await reader.next(); next; next = await reader.next()) {
    await setImmediate();
    elements += next.bytes.toString();
    count += next.count;
  }
  // oxlint-enable no-await-in-loop
  expect(reader.count).toBe(count);
  return { elements, count, lastKey: reader.lastKey, others: Buffer.concat(others), released };
}

/** Cuts bytes at fractions of their length. */
function cut(bytes: Buffer, fractions: readonly number[]): Buffer[] {
  const ends = [...fractions.map((fraction) => Math.floor(fraction * bytes.length)), bytes.length];
  ends.sort((one, other) => one - other);
  return ends.map((to, index) => bytes.subarray(ends[index - 1] ?? 0, to)).filter(({ length }) => length > 0);
}

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const row = fc.record({ element: fc.oneof(text, fc.constant('x'.repeat(100_000))), key: text });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

test('rows are read, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 20 }),
      fc.array(fraction, { maxLength: 12 }),
      async (rows, fractions) => {
        const sent = messages(rows);
        expect(await read(cut(Buffer.concat(sent), fractions))).toEqual({
          elements: rows.map(({ element }) => `,\n${element}`).join(''),
          count: rows.length,
          lastKey: rows.at(-1)?.key,
          others: Buffer.concat(sent.filter((each) => !each.subarray(0, 1).equals(Buffer.from('d')))),
          released: [false],
        });
      },
    ),
    { numRuns: 100 * testScale },
  );
});

test('what was received before a fault can be taken', async () => {
  const stream = new PassThrough().on('data', () => {});
  const released: boolean[] = [];
  const reader = new CopyReader('select', (broken) => released.push(broken));
  reader.submit({ stream, query() {} } as unknown as Connection);
  stream.write(message('d', Buffer.concat([fileHeader, int(2, 2), field('1'), field('k')])));
  await setImmediate();
  reader.handleError(new Error('broken'));
  expect((await reader.next())?.bytes.toString()).toBe(',\n1');
  await expect(reader.next()).rejects.toThrow('broken');
  expect(released).toEqual([true]);
});
