import { jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { leafOf } from '../../model/leaf.ts';
import type { Leaf } from '../../model/leaf.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { exampleFaults } from './example-faults.ts';
import { leafMatcher } from './leaf-matcher.ts';
import { sameType } from './pact-matcher.ts';
import type { PactMatcher } from './pact-matcher.ts';

/** What a body has to be like, with the example as its value. */
export type MatcherContent = PactMatcher | readonly MatcherContent[] | { readonly [key: string]: MatcherContent };

type Path = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;
type Lose = (path: Path, rule: string) => void;

const leafTypes = new Set<string>(['string', 'number', 'integer', 'boolean'] satisfies Leaf['type'][]);

/** The matcher for a valid value of a model; what it cannot hold goes to `lose`. */
export function matcherOf(model: z.core.$ZodType, value: unknown, path: Path, lose: Lose): MatcherContent {
  if (model instanceof z.ZodOptional) {
    lose(path, 'may be missing');
    return matcherOf(model.unwrap(), value, path, lose);
  }
  if (model instanceof z.ZodNullable) {
    lose(path, value === null ? 'may have a value' : 'may be null');
    return value === null ? { 'pact:matcher:type': 'null', value } : matcherOf(model.unwrap(), value, path, lose);
  }
  if (model instanceof z.ZodUnion) {
    lose(path, 'may be of another kind');
    // One of them takes it, or the example would have been refused.
    const kinds = model.options as readonly z.ZodType[];
    return matcherOf(kinds.find((kind) => exampleFaults(kind, value).length === 0) as z.ZodType, value, path, lose);
  }
  if (model instanceof z.ZodObject) return objectMatcher(model, value as Fields, path, lose);
  if (model instanceof z.ZodRecord) return recordMatcher(model, value as Fields, path, lose);
  if (model instanceof z.ZodArray) return listMatcher(model, value as readonly unknown[], path, lose);

  const leaf = leafOf(model as z.ZodType);
  if (!leaf.values && !leafTypes.has(leaf.type)) {
    const place = jsonPointer(path) || 'the whole';
    throw new HrTestingError('invalid-option', `No rule is known for what the model is at ${place}.`);
  }
  const { matcher, lost } = leafMatcher(leaf, value);
  for (const rule of lost) lose(path, rule);
  return matcher;
}

function objectMatcher(model: z.ZodObject, value: Fields, path: Path, lose: Lose): MatcherContent {
  const fields = Object.entries(value).filter(([, content]) => content !== undefined);
  if (model.def.checks && fields.length > 1) lose(path, 'what its fields mean for one another');
  if (fields.length === 0) return sameType({});
  const matchers = fields.map(([name, content]) => {
    return [name, matcherOf(model.shape[name] as z.ZodType, content, [...path, name], lose)];
  });
  return Object.fromEntries(matchers) as MatcherContent;
}

/** Pact asks of a record only that what it has is right, be it nothing. */
function recordMatcher(model: z.ZodRecord, value: Fields, path: Path, lose: Lose): MatcherContent {
  const [entry, ...others] = Object.entries(value);
  lose(path, 'what its keys are like');
  if (!entry) return sameType({});
  if (others.length > 0) throw severalAt(path);
  const [key, content] = entry;
  const matcher = matcherOf(model.valueType, content, [...path, key], lose);
  return { 'pact:matcher:type': 'values', value: { [key]: matcher } };
}

function listMatcher(model: z.ZodArray, value: readonly unknown[], path: Path, lose: Lose): MatcherContent {
  // The rule of a list for its elements reaches into their own lists, so that Pact does not hold how many there are.
  const isInList = path.some((name) => typeof name === 'number');
  if (value.length === 0) {
    lose(path, isInList ? 'has no elements' : 'may have elements');
    return isInList ? sameType([]) : [];
  }
  const elementAt = (index: number): MatcherContent => matcherOf(model.element, value[index], [...path, index], lose);
  if (value.length > 1) {
    if (isInList) throw severalAt(path);
    lose(path, 'may have another number of elements');
    return value.map((_, index) => elementAt(index));
  }
  const { minItems = 0, maxItems } = z.toJSONSchema(model, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  if (minItems === 0) lose(path, 'may be empty');
  if (maxItems !== undefined) lose(path, `at most ${maxItems} elements`);
  const min = Math.max(1, minItems);
  return sameType(Array.from({ length: min }).fill(elementAt(0)), min);
}

function severalAt(path: Path): HrTestingError {
  const place = jsonPointer(path) || 'the whole';
  return new HrTestingError(
    'invalid-option',
    `The example: at ${place}, give one element, which says what all are like.`,
  );
}
