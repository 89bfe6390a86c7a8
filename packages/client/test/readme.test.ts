import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { json, raw, service } from './service.ts';
import type { Answer } from './service.ts';

const home = join(import.meta.dirname, '..');
const run = promisify(execFile);
const readme = await readFile(join(home, 'README.md'), 'utf8');

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);
}

const answers: Record<string, Answer> = {
  'POST /api/oauth2/token': json({ access_token: 't', token_type: 'Bearer', expires_in: 3600 }),
  'GET /api/v1/persons': json([
    { id: '1001', lastName: 'Ahrens' },
    { id: '1002', lastName: 'Yılmaz' },
  ]),
  'PATCH /api/v1/persons/nobody': raw('', 404),
};

test('the first program prints what stands below it', async () => {
  await using api = await service((response, request, index) =>
    answers[`${request.method} ${request.target}`]?.(response, request, index),
  );
  const [program = ''] = blocks(readme, 'ts');
  const source = program.replace('http://127.0.0.1:4010', api.url);
  const options = ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', source];
  const { stdout } = await run(process.execPath, options, { cwd: home });
  expect(stdout).toBe(blocks(readme, 'text')[0]);
});

test('every example of the README and of the sources compiles', async () => {
  const files = await readdir(join(home, 'src'));
  const sources = await Promise.all(files.map((file) => readFile(join(home, 'src', file), 'utf8')));
  const documented = blocks(sources.join('\n').replaceAll(/^ +\* ?/gm, ''), 'ts');
  expect(documented).toHaveLength(3);

  const surroundings = `
    import { clientCredentials } from '@hr/auth';
    import { createHrClient, isHrError } from '@hr/client';
    import { hr } from './hr.ts';
    declare const baseUrl: string, clientId: string, clientSecret: string, error: unknown;
    declare function lookWhetherThePaymentIsThere(): Promise<void>;
  `;
  const shared = `
    import { createHrClient } from '@hr/client';
    export declare const auth: import('@hr/auth').TokenProvider;
    export declare const dispatcher: unknown;
    export const hr = createHrClient({ baseUrl: '', auth });
  `;
  const examples = [...blocks(readme, 'ts'), ...documented.map((block) => `${surroundings}{${block}}`)];
  const folder = join(home, 'reports/examples');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: ['*.ts'],
  };
  await Promise.all([
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config)),
    writeFile(join(folder, 'hr.ts'), shared),
    ...examples.map((example, index) => writeFile(join(folder, `example-${index}.ts`), example)),
  ]);
  const compiler = run(join(home, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: unknown) => error);
  await expect(compiler).resolves.toMatchObject({ stdout: '' });
}, 30_000);

test('every error code and every export is named', async () => {
  const source = await readFile(join(home, 'src/hr-error.ts'), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(10);
  const named = new Set(readme.match(/[\w-]+/g));
  expect([...codes, ...Object.keys(await import('../src/index.ts'))].filter((name) => !named.has(name))).toEqual([]);
});
