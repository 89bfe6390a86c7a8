import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cutKey } from '../src/database/copied-pages.ts';
import { LISTS_AT_A_TIME, listPages } from '../src/database/list-pages.ts';
import { listQuery } from '../src/database/list-query.ts';

const anything = listQuery`select key, element from anything`;

const keyOf = (index: number): string => String(index).padStart(6, '0');

/** Gives pages of a list of elements, and notes how many rows each was asked for. */
function paging(elements: readonly string[]) {
  const asked: number[] = [];
  const list = listPages(async ({ after, rows }) => {
    asked.push(rows);
    const start = after === undefined ? 0 : Number(after) + 1;
    const page = elements.slice(start, start + rows);
    return {
      chunks: page.length > 0 ? [Buffer.from(page.map((element) => `,${element}\n`).join(''))] : [],
      elements: page.length,
      last: page.length === rows ? keyOf(start + rows - 1) : undefined,
    };
  });
  return { asked, list };
}

test.each([
  ['small', 1, 30_000, [100, 400, 1600, 5000, 5000, 5000, 5000, 5000, 5000]],
  ['of a kilobyte', 1020, 1000, [100, 256, 256, 256, 256]],
  ['larger than a page', 300_000, 103, [100, 1, 1, 1, 1]],
])('a page of elements that are %s has about 256 KiB', async (_, size, length, expected) => {
  const element = `"${'x'.repeat(size)}"`;
  const pages = paging(Array.from({ length }, () => element));
  const { json } = await pages.list(anything);
  expect(JSON.parse(await text(json))).toHaveLength(length);
  expect(pages.asked).toEqual(expected);
});

test('the key behind the last element is cut off, in whatever chunks it comes', () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.json(),
      fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      cuts,
      (json, last, fractions) => {
        const elements = `,${JSON.stringify(JSON.parse(json))}`;
        const bytes = Buffer.from(last === undefined ? elements : `${elements}\u0003${JSON.stringify(last)}\n`);
        const ends = [...fractions.map((fraction) => Math.floor(fraction * bytes.length)), bytes.length].toSorted(
          (a, b) => a - b,
        );
        const page = cutKey(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)));
        expect([Buffer.concat(page.chunks).toString(), page.last]).toEqual([elements, last?.toWellFormed()]);
      },
    ),
    { numRuns: 500 },
  );
});

test('only so many lists are read at a time', async () => {
  const { list } = paging(['1']);
  const open = await Promise.all(Array.from({ length: LISTS_AT_A_TIME }, () => list(anything)));
  await expect(list(anything)).rejects.toMatchObject({ code: 'database-busy', mostLists: LISTS_AT_A_TIME });
  open[0]?.json.destroy();
  await expect.poll(async () => text((await list(anything)).json)).toBe('[1\n]');
});

test('where all places are taken, the reader who has stood still the longest is cut off, after a while', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { list } = paging(['1']);
  const open = await Promise.all(Array.from({ length: LISTS_AT_A_TIME }, () => list(anything)));
  now.mockReturnValue(4000);
  for (const { json } of open.slice(0, 5).concat(open.slice(6))) json.read(0);
  now.mockReturnValue(4999);
  await expect(list(anything)).rejects.toMatchObject({ code: 'database-busy' });
  now.mockReturnValue(5001);
  const faults: unknown[] = [];
  open[5]?.json.on('error', (fault) => faults.push(fault));
  expect(await text((await list(anything)).json)).toBe('[1\n]');
  expect(open.filter(({ json }) => json.destroyed)).toEqual([open[5]]);
  await expect.poll(() => faults).toMatchObject([{ code: 'database-busy' }]);
  now.mockRestore();
});
