import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openCallLog } from '../../src/mcp/call-log.ts';
import { homeFolder } from '../run-hr.ts';

const module = new URL('../../src/mcp/call-log.ts', import.meta.url).href;
const call = { tool: 'listPersons', arguments: [], durationMs: 1, outcome: 'done' } as const;

async function filesOf(folder: string): Promise<{ mode: number; size: number; lines: string[] }[]> {
  const names = await readdir(folder);
  return await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const { mode, size } = await stat(file);
      return { mode: mode & 0o777, size, lines: (await readFile(file, 'utf8')).split('\n').filter(Boolean) };
    }),
  );
}

test('several servers that are killed while they write and rotate lose no line that they wrote', async () => {
  const folder = await homeFolder();
  // All lines together are fewer than it keeps.
  const program = `
    import { writeSync } from 'node:fs';
    import { openCallLog } from '${module}';
    const log = openCallLog(${JSON.stringify(join(folder, 'mcp.log'))}, 2_000_000);
    for (let number = 0; number < 2500; number++) {
      log.add({ ...${JSON.stringify(call)}, outboxId: process.argv[1] + '/' + number });
      writeSync(1, number + '\\n');
    }`;
  const writers = ['a', 'b', 'c', 'd'].map(async (name, index) => {
    const writer = spawn(process.execPath, ['--conditions=@hr/source', '--input-type=module', '-e', program, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(writer, 'close');
    let written = 0;
    for await (const line of createInterface(writer.stdout)) {
      written = Number(line) + 1;
      if (written === 1000 + 500 * index) writer.kill('SIGKILL');
    }
    await closed;
    return Array.from({ length: written }, (_, number) => `${name}/${number}`);
  });
  const written = (await Promise.all(writers)).flat();
  const files = await filesOf(folder);
  const ids = files.flatMap(({ lines }) => lines.map((line) => (JSON.parse(line) as { outboxId: string }).outboxId));
  expect(files.length).toBeGreaterThan(1);
  expect(new Set(files.map(({ mode }) => mode))).toEqual(new Set([0o600]));
  const kept = new Set(ids);
  expect(kept.size).toBe(ids.length);
  expect(written.filter((id) => !kept.has(id))).toEqual([]);
});

test('the log keeps the newest calls, and never takes more space than its maximum', async () => {
  const folder = await homeFolder();
  const log = openCallLog(join(folder, 'mcp.log'), 10_000);
  for (let number = 0; number < 1000; number++) {
    log.add({ ...call, durationMs: number });
    if (number % 50 !== 49) continue;
    // oxlint-disable-next-line no-await-in-loop -- after each few lines
    const files = await filesOf(folder);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(10_000);
  }
  const lines = (await filesOf(folder)).flatMap((file) => file.lines);
  const numbers = lines.map((line) => (JSON.parse(line) as { durationMs: number }).durationMs);
  const sorted = numbers.toSorted((one, other) => one - other);
  expect(sorted.at(-1)).toBe(999);
  expect(sorted).toEqual(sorted.map((_, index) => 1000 - sorted.length + index));
  expect(lines.join('\n').length).toBeGreaterThan(7000);
});
