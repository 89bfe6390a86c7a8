import { issuesOf, jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { HrTestingError } from '../../hr-testing-error.ts';
import { leafOf } from '../../model/leaf.ts';
import type { Leaf } from '../../model/leaf.ts';
import { leafMatcher, sameType } from './leaf-matcher.ts';
import type { PactMatcher } from './leaf-matcher.ts';

/** What a body has to be like, with the example as its value. */
export type MatcherContent = PactMatcher | readonly MatcherContent[] | { readonly [key: string]: MatcherContent };

/**
 * A rule of a model that a contract does not check, because Pact cannot express it.
 *
 * @sealed
 */
export interface UnsupportedRule {
  /** The body. */
  readonly of: 'request' | 'response';
  /** JSON Pointer (RFC 6901) to the place in the example. */
  readonly pointer: string;
  /** The rule, such as `at most 80 characters`. */
  readonly rule: string;
}

export interface Matchers {
  /** Integration JSON, as Pact's core takes it. */
  readonly content: MatcherContent;
  readonly unsupportedRules: readonly UnsupportedRule[];
}

type Path = readonly (string | number)[];
type Fields = Readonly<Record<string, unknown>>;

/**
 * The matchers of a body: its fields are those of the example, and each value is matched as strictly as its model and
 * Pact allow. A list has at least as many elements as the example, all with the fields of the first; `[]` is an empty
 * list. Only in a request, elements may have different fields: then there are as many, each like the one at its place.
 *
 * @throws {HrTestingError} `invalid-option` when the example breaks a rule of the model; the message names the place.
 * @example
 * const { unsupportedRules } = matchersOf(z.array(Absence), [{ id: '1', startDate: '2026-01-31' }]);
 * // [{ of: 'response', pointer: '', rule: 'may be empty' }, …]
 */
export function matchersOf(model: z.ZodType, example: unknown, of: UnsupportedRule['of'] = 'response'): Matchers {
  const faults = exampleFaults(model, example).map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`);
  if (faults.length > 0) {
    throw new HrTestingError('invalid-option', `example: invalid for the API: ${faults.join('; ')}. Correct it.`);
  }
  const unsupportedRules: UnsupportedRule[] = [];
  const add = (path: Path, rule: string): void => void unsupportedRules.push({ of, pointer: jsonPointer(path), rule });

  function matcherOf(field: z.core.$ZodType, value: unknown, path: Path): MatcherContent {
    if (field instanceof z.ZodOptional) {
      add(path, 'may be missing');
      return matcherOf(field.unwrap(), value, path);
    }
    if (field instanceof z.ZodNullable) {
      add(path, value === null ? 'may have a value' : 'may be null');
      return value === null ? { 'pact:matcher:type': 'null', value } : matcherOf(field.unwrap(), value, path);
    }
    if (field instanceof z.ZodObject) return objectMatcher(field, value as Fields, path);
    if (field instanceof z.ZodArray) return listMatcher(field, value as readonly unknown[], path);

    const leaf = leafOf(field as z.ZodType);
    if (!leaf.values && !leafTypes.has(leaf.type)) {
      throw faultAt(path, 'the kit has no matcher for this model. Leave the field out');
    }
    const { matcher, unsupported } = leafMatcher(leaf, value);
    for (const rule of unsupported) add(path, rule);
    return matcher;
  }

  function objectMatcher(field: z.ZodObject, value: Fields, path: Path): MatcherContent {
    const fields = Object.entries(value).filter(([, content]) => content !== undefined);
    if (field.def.checks && fields.length > 1) add(path, 'what its fields mean for one another');
    if (fields.length === 0) return sameType({});
    const matchers = fields.map(([name, content]) => {
      return [name, matcherOf(field.shape[name] as z.ZodType, content, [...path, name])];
    });
    return Object.fromEntries(matchers) as MatcherContent;
  }

  function listMatcher(field: z.ZodArray, value: readonly unknown[], path: Path): MatcherContent {
    const isNested = path.some((name) => typeof name === 'number');
    if (value.length === 0) {
      // In the elements of a list, the rule of that list also holds here, so that Pact ignores the number of elements.
      add(path, isNested ? 'has no elements' : 'may have elements');
      return isNested ? sameType([]) : [];
    }
    const { minItems = 0, maxItems } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    if (minItems === 0) add(path, 'may be empty');
    if (maxItems !== undefined) add(path, `at most ${maxItems} elements`);
    const elements = value.map((element, index) => matcherOf(field.element, element, [...path, index]));
    if (new Set(elements.map(shapeOf)).size > 1) {
      if (of === 'response' || isNested) throw faultAt(path, 'the elements differ in shape. Give them the same fields');
      return elements;
    }
    const [first, ...others] = value;
    const missing = Array.from({ length: minItems - value.length }, () => first);
    // Pact takes the rules of all elements from the first.
    return sameType([elements[0], ...others, ...missing], value.length + missing.length);
  }

  return { content: matcherOf(model, example, []), unsupportedRules };
}

const leafTypes = new Set<string>(['string', 'number', 'integer', 'boolean'] satisfies Leaf['type'][]);

/** What is wrong with an example. It has only the fields that a consumer uses, so no field is missing. */
function exampleFaults(model: z.ZodType, example: unknown) {
  const issues = model.safeParse(example).error?.issues ?? [];
  const found = issues.filter(({ code, path }) => {
    const value = path.reduce<unknown>((holder, name) => (holder as Record<PropertyKey, unknown>)[name], example);
    if (code === 'too_small' && Array.isArray(value)) return value.length === 0;
    return value !== undefined || path.length === 0;
  });
  return issuesOf({ issues: found }, example);
}

/** Elements of one shape differ in values only. */
function shapeOf(content: MatcherContent): string {
  return JSON.stringify(content, (key, part: unknown) => {
    if (key !== 'value') return part;
    return Array.isArray(part) ? part.slice(0, 1) : part instanceof Object ? part : null;
  });
}

function faultAt(path: Path, sentence: string): HrTestingError {
  return new HrTestingError('invalid-option', `example: at ${jsonPointer(path) || 'the whole'}, ${sentence}.`);
}
