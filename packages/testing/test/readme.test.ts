import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url);

test('the program of the README prints what the README says', async () => {
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const [, program, output] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) as unknown as [
    string,
    string,
    string,
  ];
  const node = ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: root });
  expect(stdout).toBe(output);
});
