import { issuesOf, jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { invalidOption, type HrTestingError } from '../../hr-testing-error.ts';
import { leafOf } from '../../model/leaf.ts';
import type { Path } from '../matching-rules.ts';
import { leafMatcher, sameType, type PactMatcher } from './leaf-matcher.ts';

/** The matchers of a body, with the example as its value. */
export type MatcherContent = PactMatcher | readonly MatcherContent[] | { readonly [key: string]: MatcherContent };

/** A rule of a model that a contract does not check, because Pact cannot express it. @sealed */
export interface UnsupportedRule {
  /** The body. */
  readonly of: 'request' | 'response';
  /** JSON Pointer (RFC 6901) to the place in the example. */
  readonly pointer: string;
  /** The rule, such as `at most 80 characters`. */
  readonly rule: string;
}

/**
 * Returns the matchers of a body, in the integration JSON of Pact's core. The body has the fields of the example. Each
 * value is matched as strictly as its model and Pact allow. A list has at least as many elements as the example, all
 * with the fields of the first; `[]` is an empty list. In a request, elements may differ in shape: the list then has
 * the same length, and each element matches the one at its index.
 *
 * @throws {HrTestingError} `invalid-option` when the example breaks a rule of the model; the message names the place.
 */
export function matchersOf(
  model: z.ZodType,
  example: unknown,
  of: UnsupportedRule['of'] = 'response',
): { readonly content: MatcherContent; readonly unsupportedRules: readonly UnsupportedRule[] } {
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
    if (field instanceof z.ZodObject) return objectMatcher(field, value as object, path);
    if (field instanceof z.ZodArray) return listMatcher(field, value as readonly unknown[], path);
    const leaf = leafOf(field as z.ZodType);
    if (!leaf.values && !/^(?:string|number|integer|boolean)$/.test(leaf.type)) {
      throw invalid(`${jsonPointer(path)} has a model without a matcher. Leave it out`);
    }
    return leafMatcher(leaf, value, (rule) => add(path, rule));
  }

  function objectMatcher(field: z.ZodObject, value: object, path: Path): MatcherContent {
    const fields = Object.entries<unknown>({ ...value }).filter(([, content]) => content !== undefined);
    if (field.def.checks && fields.length > 1) add(path, 'what its fields mean for one another');
    const matchers = fields.map(([name, content]) => {
      return [name, matcherOf(field.shape[name] as z.ZodType, content, [...path, name])];
    });
    return matchers.length > 0 ? (Object.fromEntries(matchers) as MatcherContent) : sameType({});
  }

  function listMatcher(field: z.ZodArray, value: readonly unknown[], path: Path): MatcherContent {
    const isNested = path.some((name) => typeof name === 'number');
    if (value.length === 0) {
      // The rule of a list also applies to the elements in it, so Pact ignores their number.
      add(path, isNested ? 'has no elements' : 'may have elements');
      return isNested ? sameType([]) : [];
    }
    add(path, 'may be empty');
    const elements = value.map((element, index) => matcherOf(field.element, element, [...path, index]));
    // Pact takes the rules of all elements from the first.
    if (new Set(elements.map(shapeOf)).size === 1) return sameType([elements[0], ...value.slice(1)], value.length);
    if (of === 'request' && !isNested) return elements;
    throw invalid(`the elements of ${jsonPointer(path) || 'the list'} differ in shape. Give them the same fields`);
  }

  if (example === undefined) throw invalid('is missing. Give the fields that your code reads');
  const faults = exampleFaults(model, example).map(({ pointer, detail }) => `${pointer || 'the whole'} ${detail}`);
  if (faults.length > 0) throw invalid(`invalid for the API: ${faults.join('; ')}. Correct it`);
  return { content: matcherOf(model, example, []), unsupportedRules };
}

/** The issues of an example. Missing fields are allowed: an example has only the fields that a consumer uses. */
function exampleFaults(model: z.ZodType, example: unknown) {
  const issues = model.safeParse(example).error?.issues ?? [];
  const found = issues.filter(({ path }) => {
    const value = path.reduce<unknown>((holder, name) => (holder as Record<PropertyKey, unknown>)[name], example);
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

function invalid(sentence: string): HrTestingError {
  return invalidOption(`example${sentence.startsWith('is ') ? ' ' : ': '}${sentence}.`);
}
