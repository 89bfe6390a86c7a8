import { execFile } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { company, type Member } from '../src/fixtures/index.ts';

const root = new URL('..', import.meta.url);
const few = { months: 0, timeDays: 0 };

async function firstIds(members: AsyncIterable<Member> | Iterable<Member>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { person } of members) {
    if (ids.push(person.id) === 3) break;
  }
  return ids;
}

test('for await reads a company, and may stop early', async () => {
  const members = company({ persons: 1e9, ...few });
  expect(await firstIds(members)).toEqual(['100001', '100002', '100003']);
  expect(members.next()).toEqual({ done: true, value: undefined });
});

test('a slow reader of a stream is not overrun', async () => {
  let made = 0;
  function* counted(): Generator<Member> {
    for (const member of company({ persons: 50, ...few })) {
      made++;
      yield member;
    }
  }
  let [read, furthestAhead] = [0, 0];
  const slow = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write(_member, _encoding, done) {
      read++;
      furthestAhead = Math.max(furthestAhead, made - read);
      setImmediate(done);
    },
  });
  await pipeline(Readable.from(counted()), slow);
  expect([made, read]).toEqual([50, 50]);
  expect(furthestAhead).toBeLessThan(5);
});

const program = `
  import { company } from '@hr/testing/fixtures';
  let persons = 0;
  for (const member of company({ persons: 5000, months: 1, timeDays: 0 })) if (member.person.id) persons++;
  process.stdout.write(String(persons));
`;

// Held at once, not even three thousand fit.
test('five thousand people fit into a heap of 16 MB', async () => {
  const node = ['--max-old-space-size=16', '--conditions=@hr/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: root });
  expect(stdout).toBe('5000');
});
