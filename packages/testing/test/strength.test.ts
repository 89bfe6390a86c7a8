import { expect, test } from 'vitest';
import { changeOf, haveSameDeclaration } from '../src/contract/strength.ts';
import { pactOf, type TestInteraction } from './pact-file.ts';

const matchers = (...list: readonly object[]) => ({ matchers: list });
const list = matchers({ match: 'type', min: 1 });
const type = matchers({ match: 'type' });
const pattern = matchers({ match: 'type' }, { match: 'regex', regex: '^[0-9]+$' });

function interactionOf(given: TestInteraction) {
  const [interaction] = pactOf('payroll', [given]).interactions;
  if (!interaction) throw new Error('There is no interaction.');
  return interaction as object as Parameters<typeof changeOf>[0];
}

const id: TestInteraction = { response: [{ id: '1' }], rules: { $: list, '$[*].id': type } };
const two: TestInteraction = { ...id, response: [{ id: '1' }, { id: '2' }] };
const ofPattern: TestInteraction = { ...id, rules: { $: list, '$[*].id': pattern } };
const named: TestInteraction = { ...id, response: [{ id: '1', lastName: 'Ek' }] };
const withAddress: TestInteraction = { ...id, response: [{ id: '1', address: {} }] };
const nothing: TestInteraction = { response: [] };
const some: TestInteraction = { response: [{}], rules: { $: list } };
const someTwo: TestInteraction = { response: [{}, {}], rules: { $: list } };

test.each<[what: string, before: TestInteraction, after: TestInteraction]>([
  ['a field', id, named],
  ['an object without fields', id, withAddress],
  ['a pattern', id, ofPattern],
  ['an element', id, two],
  ['an element without fields', some, someTwo],
  ['a field of the elements', some, id],
])('%s more is stronger, and less is weaker', (_what, before, after) => {
  expect(changeOf(interactionOf(before), interactionOf(after))).toBe('changed, stronger');
  expect(changeOf(interactionOf(after), interactionOf(before))).toBe('changed, weaker');
});

test.each<[what: string, before: TestInteraction, after: TestInteraction]>([
  ['an empty list and one with an element', nothing, id],
  ['an empty list and one with an element without fields', nothing, some],
  ['two fields, each in one of them', named, ofPattern],
  ['two requests', id, { ...id, query: { changedSince: ['2026-01-01'] } }],
  ['two statuses', id, { ...id, status: 201 }],
])('%s are only different', (_what, before, after) => {
  expect(changeOf(interactionOf(before), interactionOf(after))).toBe('changed');
  expect(changeOf(interactionOf(after), interactionOf(before))).toBe('changed');
});

test('another value under the same rule is as strong as before', () => {
  const other = { ...id, response: [{ id: '2' }] };
  expect(changeOf(interactionOf(id), interactionOf(other))).toBe('changed, as strong as before');
});

test('an empty list does not say the same as a list with elements, nor one key or token as another', () => {
  expect(haveSameDeclaration(interactionOf(nothing), interactionOf(some))).toBe(false);
  const haveSame = (headers: Record<string, string>) =>
    haveSameDeclaration(interactionOf(id), interactionOf({ ...id, headers }));
  expect(haveSame({ 'Idempotency-Key': 'k' })).toBe(false);
  expect(haveSame({ Authorization: 'Bearer rejected-token' })).toBe(false);
  expect(haveSame({ Accept: '*/*' })).toBe(true);
  expect(haveSameDeclaration(interactionOf(id), interactionOf(ofPattern))).toBe(true);
});
