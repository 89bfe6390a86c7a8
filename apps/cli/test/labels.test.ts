import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { demoEnvironment, homeFolder, runHr, type Ended } from './run-hr.ts';

let home: string;
beforeEach(async () => {
  home = await homeFolder();
});

const hr = (args: readonly string[], stdin?: string): Promise<Ended> =>
  runHr(args, { env: demoEnvironment(home), ...(stdin !== undefined && { stdin }) });

const labels = `kind,key,en,de,color
bookingKey,051,Leave,Urlaub,#e8590c
currency,EUR,,,
`;

test('labels are stored for their owner alone, listed, and exported as a file to import', async () => {
  const file = join(home, 'names.csv');
  await writeFile(file, `\uFEFF${labels}`);
  const stored = join(home, 'default/labels.csv');
  expect(await hr(['labels', 'import', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: `Stored 2 labels in ${stored}.\n`,
  });
  expect((await stat(stored)).mode & 0o777).toBe(0o600);
  expect(await readFile(stored, 'utf8')).toBe(labels);
  const { stdout } = await hr(['labels', 'list']);
  expect(stdout.split('\n')[0]).toBe('{"kind":"bookingKey","key":"051","en":"Leave","de":"Urlaub","color":"#e8590c"}');

  const { stdout: exported } = await hr(['labels', 'list', '--excel', 'de']);
  expect(exported).toContain('bookingKey;"=""051""";Leave;Urlaub;');
  expect(await hr(['labels', 'import', '-'], exported)).toMatchObject({ code: 0 });
  expect(await hr(['labels', 'list'])).toMatchObject({ stdout });
});

test('a wrong file is refused with its lines, and the stored labels stay', async () => {
  expect(await hr(['labels', 'list'])).toMatchObject({
    code: 1,
    stderr: 'hr: There are no labels. Import a file: hr labels import labels.csv\n',
  });
  await hr(['labels', 'import', '-'], labels);
  const { stdout } = await hr(['labels', 'list']);
  expect(await hr(['labels', 'import', '-'], 'kind,key,en\nkey,1,secret\ngroup,,secret\n')).toEqual({
    code: 2,
    stdout: '',
    stderr: `hr: standard input: it is no file of labels:
  line 2: The kind must be one of bookingKey, compensationComponent, group, personGroup, legalEntity, exitReason, currency.
  line 3: The key is missing. Fill it in, or delete the line.
`,
  });
  const many = await hr(['labels', 'import', '-'], `kind,key,en\n${'x,1,a\n'.repeat(22)}`);
  expect(many.stderr).toMatch(/\n {2}line 21: .*\n {2}and 2 more\n$/);
  expect(await hr(['labels', 'list'])).toMatchObject({ stdout });

  await writeFile(join(home, 'default/labels.csv'), 'key,label\n');
  const { code, stderr } = await hr(['absences', 'list', '100001', '--labels', '-o', 'csv']);
  expect(code).toBe(2);
  expect(stderr).toContain('labels.csv: it is no file of labels:\n  line 1: The column kind is missing. Add it.');
});
