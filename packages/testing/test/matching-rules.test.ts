import { expect, test } from 'vitest';
import { accepts } from '../src/contract/matching-rules.ts';
import type { Matcher } from '../src/contract/pact.ts';
import { foundByPact } from './pact-core.ts';

const examples: readonly (readonly [example: unknown, ...matchers: Matcher[]])[] = [
  [
    'Zoë',
    { match: 'type' },
    { match: 'equality' },
    { match: 'notEmpty' },
    { match: 'regex', regex: '^[A-Z]' },
    { match: 'regex', regex: 'Z.*' },
  ],
  ['2026-01-31', { match: 'date', format: 'yyyy-MM-dd' }, { match: 'regex', regex: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }],
  ['4711', { match: 'regex', regex: '^[0-9]+$' }, { match: 'include', value: '71' }],
  [250, { match: 'type' }, { match: 'number' }, { match: 'integer' }, { match: 'equality' }],
  [7.5, { match: 'type' }, { match: 'number' }, { match: 'decimal' }],
  ['a\nb', { match: 'regex', regex: '^a.b$' }, { match: 'regex', regex: '^a' }],
  [true, { match: 'type' }, { match: 'boolean' }, { match: 'equality' }],
  [null, { match: 'null' }],
];

const values = [
  'Zoë',
  'a\nb',
  'a\n',
  'true',
  '250',
  'zoe',
  '',
  '4711',
  '2026-01-31',
  '2026-02-30',
  '20260131',
  250,
  7.5,
  -1,
  0,
  true,
  false,
  null,
];

test('accepts what Pact accepts', async () => {
  const cases = examples.flatMap(([example, ...matchers]) =>
    matchers.flatMap((matcher) => values.map((value) => ({ example, matcher, value }))),
  );
  const found = await foundByPact(
    cases.map(({ example, matcher: { match, value: part, ...members }, value }) => ({
      content: {
        field: {
          'pact:matcher:type': match,
          ...members,
          ...(part === undefined ? {} : { include: part }),
          value: example,
        },
      } as never,
      answer: { field: value },
    })),
  );
  const verdicts = cases.map(({ example, matcher, value }, index) => ({
    rule: JSON.stringify(matcher),
    example,
    value,
    byPact: found[index]?.length === 0,
    here: accepts({ matchers: [matcher] }, example, value),
  }));
  expect(verdicts.filter(({ byPact, here }) => byPact !== here)).toEqual([]);
  expect(new Set(verdicts.map(({ here }) => here))).toEqual(new Set([true, false]));
});
