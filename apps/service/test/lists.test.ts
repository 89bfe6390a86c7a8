import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { listsOf, MAX_OPEN_LISTS } from '../src/database/lists.ts';

const anything = [sql`select key, element from anything`];

const list = listsOf(async function* readElements() {
  yield { bytes: Buffer.from(',\n1'), count: 1 };
});

test('where as many lists are open as allowed, a new one replaces that whose reader has stalled for the longest time', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const open = await Promise.all(Array.from({ length: MAX_OPEN_LISTS }, () => list(anything)));
  now.mockReturnValue(4000);
  for (const { json } of open.slice(0, 5).concat(open.slice(6))) json.read(0);
  now.mockReturnValue(4999);
  await expect(list(anything)).rejects.toMatchObject({ code: 'database-busy', mostLists: MAX_OPEN_LISTS });
  now.mockReturnValue(5001);
  const faults: unknown[] = [];
  open[5]?.json.on('error', (fault) => faults.push(fault));
  expect(await text((await list(anything)).json)).toBe('[1\n]');
  expect(open.filter(({ json }) => json.destroyed)).toEqual([open[5]]);
  await expect.poll(() => faults).toMatchObject([{ code: 'database-busy' }]);
  now.mockRestore();
  for (const { json } of open) json.destroy();
  await expect.poll(async () => text((await list(anything)).json)).toBe('[1\n]');
});
