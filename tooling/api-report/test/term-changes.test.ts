import { expect, test } from 'vitest';
import { readSection } from '../src/section.ts';
import { termChanges } from '../src/term-changes.ts';
import { readTerms, writeTerms } from '../src/terms.ts';

const cases: Readonly<Record<string, readonly [before: string, now: string, ...found: readonly string[]]>> = {
  'the same in another order': ['engine node >=22\nbin do', 'bin do\nengine node >=22'],
  'a newer Node.js': ['engine node >=22', 'engine node >=24', 'major changed engine node'],
  'also an older Node.js': ['engine node >=22', 'engine node >=20', 'minor changed engine node'],
  'fewer versions of Node.js': ['engine node >=22', 'engine node 22 || >=24', 'major changed engine node'],
  'any Node.js': ['engine node >=22', '', 'minor removed engine node'],
  'a Node.js where any was fine': ['', 'engine node >=22', 'major new engine node'],
  'a command that is gone': ['bin do', '', 'major removed bin do'],
  'a new command': ['', 'bin do', 'minor new bin do'],
  'a peer that has to be installed': ['', 'peer msw ^3.0.5', 'major new peer msw'],
  'a peer for a part of the package': ['', 'optional peer msw ^3.0.5', 'minor new peer msw'],
  'a peer that nobody has to install any more': ['peer msw ^3.0.5', '', 'minor removed peer msw'],
  'a peer that everybody has to install now': ['optional peer msw ^3.0.5', 'peer msw ^3.0.5', 'major changed peer msw'],
  'a peer that not everybody has to install any more': [
    'peer msw ^3.0.5',
    'optional peer msw ^3.0.5',
    'minor changed peer msw',
  ],
  'another major version of a peer': ['optional peer msw ^3.0.5', 'optional peer msw ^4.0.0', 'major changed peer msw'],
  'a newer version of a peer': ['peer msw ^3.0.5', 'peer msw ^3.0.6', 'major changed peer msw'],
  'another major version of a peer, too': ['peer msw ^3.0.5', 'peer msw ^3.0.5 || ^4.0.0', 'minor changed peer msw'],
  'a peer of the workspace in another way': [
    'peer @hr/auth workspace:^',
    'peer @hr/auth workspace:~',
    'major changed peer @hr/auth',
  ],
  'a new dependency': ['', 'dependency ky ^2.1.0', 'patch new dependency ky'],
  'a dependency that is gone': ['dependency ky ^2.1.0', '', 'patch removed dependency ky'],
  'another major version of a dependency': [
    'dependency ky ^2.1.0',
    'dependency ky ^3.0.0',
    'patch changed dependency ky',
  ],
  'another major version of a dependency whose types users meet': [
    'dependency zod ^4.6.7',
    'dependency zod ^5.0.0',
    'major changed dependency zod',
  ],
  'another major version, too, of a dependency whose types users meet': [
    'dependency zod ^4.6.7',
    'dependency zod ^4.6.7 || ^5.0.0',
    'major changed dependency zod',
  ],
  'a newer version of a dependency whose types users meet': [
    'dependency zod ^4.6.7',
    'dependency zod ^4.7.0',
    'patch changed dependency zod',
  ],
  'another major version of a dependency of which users meet a part': [
    'dependency one ^1.0.0',
    'dependency one ^2.0.0',
    'major changed dependency one',
  ],
};

const code = `import { z } from 'zod';\nimport type { Part } from 'one/part';\n\nexport const a: z.ZodString | Part;`;
const sections = [readSection('made', code)];

test.each(Object.entries(cases))('%s', (_title, [before, now, ...found]) => {
  const changes = termChanges({ terms: readTerms(before), sections }, { terms: readTerms(now), sections });
  expect(changes.map(({ needs, what, name }) => `${needs} ${what} ${name}`)).toEqual(found);
});

test('terms are read as they were written', () => {
  const written = Object.values(cases).flatMap(([before, now]) => [before, now]);
  expect(written.map((text) => writeTerms(readTerms(text)))).toEqual(written);
});
