import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkDrift } from '../src/provider/index.ts';
import { jsonFile, newFolder, pactOf } from './pact-file.ts';

let folder: string;

beforeEach(async () => {
  folder = await newFolder();
});

const pact = pactOf('payroll-batch', [{ description: 'persons', answer: [{ shoeSize: 43 }] }]);

test.each<[what: string, content: unknown, sentence: string]>([
  ['a list', [], 'is not a pact of HTTP interactions'],
  ['another file', { name: 'payroll-batch' }, '/consumer is required'],
  ['a pact without interactions', { ...pact, interactions: [] }, 'has no interactions'],
  [
    'a pact of messages',
    { ...pact, interactions: [{ ...pact.interactions[0], type: 'Asynchronous/Messages' }] },
    '/interactions/0/type',
  ],
  [
    'a pact of specification 2',
    {
      ...pact,
      interactions: [
        { description: 'x', request: { method: 'GET', path: '/', query: 'a=b' }, response: { status: 200 } },
      ],
    },
    '/interactions/0/request/query',
  ],
  [
    'a pact with another provider',
    { ...pact, provider: { name: 'payments' } },
    'is a pact with the provider payments, not with hr-cloud',
  ],
])('%s is refused by the name of its file', async (_what, content, sentence) => {
  const file = await jsonFile(content, folder);
  await expect(checkDrift({ pacts: { folders: [folder] } })).rejects.toMatchObject({
    code: 'invalid-pact',
    message: expect.stringMatching(new RegExp(`^${file}: .*${sentence}`)),
  });
});

test('a file that is no JSON, and one that is not there, are refused', async () => {
  const file = join(folder, 'pact.json');
  await expect(checkDrift({ pacts: { files: [file] } })).rejects.toThrow(`${file}: cannot be read.`);
  await writeFile(file, '{"consumer":');
  await expect(checkDrift({ pacts: { files: [file] } })).rejects.toThrow(`${file}: is not JSON.`);
});

test('nothing to check is no success', async () => {
  await expect(checkDrift({ pacts: {} })).rejects.toThrow('Name the pacts');
  await expect(checkDrift({ pacts: { folders: [folder] } })).rejects.toThrow(`There is no pact in ${folder}.`);
  await expect(checkDrift({ pacts: { folders: [join(folder, 'nowhere')] } })).rejects.toThrow('nowhere cannot be read');
});

test('all pacts of all folders and files are checked, each once', async () => {
  const file = await jsonFile(pact, folder, 'one.json');
  await jsonFile({ ...pact, consumer: { name: 'time-terminal' } }, folder, 'other.json');
  await writeFile(join(folder, 'README.md'), await readFile(file));
  const { faults } = await checkDrift({ pacts: { files: [file], folders: [folder] } });
  expect(faults.map(({ consumer }) => consumer)).toEqual(['payroll-batch', 'time-terminal']);
});
