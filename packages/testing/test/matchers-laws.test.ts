import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { matchersOf } from '../src/contract/matchers/matchers-of.ts';
import { allBuilders } from './all-builders.ts';
import { foundByPact } from './pact-core.ts';

/** What a consumer may give as an example: of each list, one element. */
function exampleOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(exampleOf);
  return value instanceof Object ? mapped(value, exampleOf) : value;
}

/** Another value with what the example has: its keys, elements in the lists that have one, and null where it is null. */
function likeExample(example: unknown, other: unknown): unknown {
  if (example === null || other === undefined || other === null) return example;
  if (Array.isArray(example)) {
    const elements = (other as unknown[]).map((element) => likeExample(example[0], element));
    return example.length > 0 && elements.length > 0 ? elements : example;
  }
  if (!(example instanceof Object)) return other;
  return mapped(example, (content, name) => likeExample(content, (other as Record<string, unknown>)[name]));
}

function mapped(fields: object, change: (content: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, content]) => [name, change(content, name)]));
}

const EXAMPLES = 2;
const ANSWERS = 6 * testScale;

test('every valid value with the fields of the example matches', async () => {
  const cases = allBuilders.flatMap(({ name, builder, model }, index) => {
    const values = fc.sample(builder.arbitrary(fc), { numRuns: EXAMPLES + ANSWERS, seed: index });
    return values.slice(0, EXAMPLES).map((value) => {
      const example = exampleOf(value);
      const answer = values.slice(EXAMPLES).map((other) => likeExample(example, other));
      return { name, content: matchersOf(z.array(model), [example]).content, answer };
    });
  });
  const found = await foundByPact(cases);
  expect(
    cases.flatMap(({ name, answer }, index) => (found[index] ?? []).map((place) => ({ name, place, answer }))),
  ).toEqual([]);
});

/** A reader takes them, or no reader ever gets them. */
const beyondContracts = new Set(['unknown member', 'former name', 'NUL', 'lone surrogate']);

const integersOfWebhooks = [
  'webhookDelivery/attempt',
  'webhookDelivery/durationMs',
  'webhookEndpoint/failures',
  'webhookEndpointWithSecret/failures',
];

test('a value that breaks a rule does not match, or the rule is listed as unsupported', async () => {
  // Variants of the same value are the elements of one answer.
  const cases = allBuilders.flatMap(({ name, builder, model }) => {
    const variants = builder.invalid().filter(({ rule }) => !beyondContracts.has(rule));
    const byExample = Map.groupBy(variants, ({ valid }) => JSON.stringify(exampleOf(valid)));
    return Array.from(byExample, ([json, broken]) => {
      const example = JSON.parse(json) as unknown;
      const answer = broken.map(({ value }) => value);
      return { name, broken, ...matchersOf(z.array(model), [example]), answer };
    });
  });
  const found = await foundByPact(cases);
  const taken = cases.flatMap(({ name, broken, unsupportedRules }, index) =>
    broken.flatMap(({ pointer, rule }, element) => {
      const isRefused = found[index]?.some((place) => place.startsWith(`$[${element}]`));
      const isTold = unsupportedRules.some((one) => one.pointer === `/0${pointer}`);
      return isRefused ? [] : [{ place: `${name}${pointer}`, rule, isTold }];
    }),
  );
  // What no integer of JavaScript exceeds is no rule of the API.
  const untold = ['problem/status', ...integersOfWebhooks].flatMap((place) => [
    { place, rule: 'too small', isTold: false },
    { place, rule: 'too large', isTold: false },
  ]);
  expect(taken.filter(({ isTold }) => !isTold)).toEqual(untold);
  expect([...new Set(taken.map(({ rule }) => rule))].toSorted()).toEqual([
    'sixty minutes',
    'third decimal',
    'too large',
    'too long',
    'too short',
    'too small',
  ]);
});
