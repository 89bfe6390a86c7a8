import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelChanges } from '../src/model-changes.ts';
import { modelsOf } from '../src/models.ts';
import type { Models } from '../src/models.ts';
import { readReport, writeReport } from '../src/report-file.ts';
import { readSection } from '../src/section.ts';
import { madeWorkspace, write } from './made-packages.ts';

const module = `import { z } from '${import.meta.resolve('zod')}';
const Group = z.strictObject({ id: z.string().min(1) }).meta({ id: 'Group' });
export const Person = z
  .strictObject({
    name: z.string().max(80).describe('Her name.').optional(),
    groups: z.array(Group).meta({ deprecated: true }),
  })
  .meta({ id: 'Person', title: 'A person' });
export const table = { 'get a person': { query: z.strictObject({ id: z.string() }), response: Person, list: false } };
export const CODES = ['a', 'b'];
export const text = () => z.string();
`;
const code = 'export const Person: z.ZodObject<{\n    name: z.ZodOptional<z.ZodString>;\n}>;';

const expected = {
  Group: '{"type":"object"}',
  'Group.id': '{"type":"string","minLength":1}',
  Person: '{"type":"object"}',
  'Person.groups': '{"type":"array","items":{"$ref":"#/$defs/Group"}}',
  'Person.name': '{"type":"string","maxLength":80}',
  'table.get a person.query': '{"type":"object"}',
  'table.get a person.query.id': '{"type":"string"}',
  'table.get a person.response': 'Person',
};

test('all that exported models hold data to is told, wherever they are', async () => {
  await using workspace = await madeWorkspace();
  const path = join(workspace.folder, 'index.js');
  await write(path, module);
  const found = await modelsOf(readSection('made', code), path);
  expect(found.map(({ specifier, lines }) => [specifier, Object.fromEntries(lines)])).toEqual([['made', expected]]);
  expect(Array.from(found[0]?.lines.keys() ?? [])).toEqual(Object.keys(expected));
  const report = writeReport('made', { terms: [], sections: [], models: found });
  expect(readReport(report).models).toEqual(found);
});

test('a module without models is not loaded', async () => {
  expect(await modelsOf(readSection('made', 'export const a: 1;'), '/nowhere/index.js')).toEqual([]);
});

function models(lines: Readonly<Record<string, string>>, specifier = 'made'): Models[] {
  return [{ specifier, lines: new Map(Object.entries(lines)) }];
}

test('what a model holds data to is a change, and a new or removed field that of a type', () => {
  const before = models(expected);
  const { 'Person.name': _name, ...fewer } = expected;
  expect(modelChanges(before, before)).toEqual([]);
  expect(modelChanges(before, models(fewer))).toEqual([]);
  expect(modelChanges(models(fewer), before)).toEqual([]);
  expect(modelChanges(before, models({ ...expected, Group: '{}' }, 'made/other'))).toEqual([]);
  expect(modelChanges(before, models({ ...expected, 'Person.name': '{"type":"string"}' }))).toEqual([
    {
      specifier: 'made',
      name: 'Person.name',
      what: 'changed',
      needs: 'major',
      lines: ['- {"type":"string","maxLength":80}', '+ {"type":"string"}'],
    },
  ]);
});
