import { kindOf, shapeOf } from '../contract/kind-of.ts';
import { acceptsOne, leavesOf, memberPath, namesOf, ruleOf, valueAt } from '../contract/matching-rules.ts';
import type { Interaction, RuleList, RulesByPlace } from '../contract/pact.ts';
import type { Fault } from './verification-result.ts';

/** What is wrong with a body at a path where Pact found a mismatch. */
export function bodyFaults(path: string, example: unknown, body: unknown, rules: RulesByPlace = {}): readonly Fault[] {
  const names = namesOf(path);
  const [expected, given] = [valueAt(example, names, true), valueAt(body, names)];
  if (kindOf(expected) !== 'an object' || kindOf(given) !== 'an object')
    return [{ place: `body ${path}`, message: valueMessage(expected, given, ruleOf(rules, names)) }];
  const missing = Object.keys(expected as object).filter((name) => !Object.hasOwn(given as object, name));
  const message = 'expected this field, got none.';
  return missing.map((name) => ({ place: `body ${memberPath(path, name)}`, message }));
}

function valueMessage(expected: unknown, given: unknown, rules: RuleList | undefined): string {
  if (kindOf(expected) !== kindOf(given)) return `expected ${kindOf(expected)}, got ${kindOf(given)}.`;
  if (Array.isArray(expected) && Array.isArray(given)) {
    const { min = 0, max } = Object.assign({}, ...(rules?.matchers ?? [])) as { min?: number; max?: number };
    const bound = given.length < min ? `at least ${min}` : max === undefined ? expected.length : `at most ${max}`;
    return `expected an array of length ${bound}, got ${given.length}.`;
  }
  const refusing = rules?.matchers.find((matcher) => acceptsOne(matcher, expected, given) === false);
  const { match, regex } = refusing ?? { match: 'equality', regex: '' };
  const list = /^\^\(\?:([\w-]+(?:\|[\w-]+)*)\)\$$/.exec(String(regex))?.[1]?.replaceAll('|', ', ');
  const example = JSON.stringify(expected);
  const words: Readonly<Record<string, string>> = { integer: 'an integer', decimal: 'a decimal', equality: example };
  const wanted = list === undefined ? (words[match] ?? `a value like ${example}`) : `one of ${list}`;
  return `expected ${wanted}, got ${typeof given === 'string' ? `text of the form ${shapeOf(given)}` : 'another value'}.`;
}

/**
 * Where a contract has a string, and the provider gives a number or a boolean. Pact tries a pattern on the digits of a
 * number, too, and lets `4711` pass for `"4711"`.
 */
export function looseTextFaults(example: unknown, body: unknown): readonly Fault[] {
  return leavesOf(body).flatMap(({ path, value }) => {
    const isLoose = typeof value === 'number' || typeof value === 'boolean';
    if (!isLoose || typeof valueAt(example, namesOf(path), true) !== 'string') return [];
    return [{ place: `body ${path}`, message: `expected a string, got ${kindOf(value)}.` }];
  });
}

/** Where a contract has the id that its states or its path name, and the provider gives only others: those of other data. */
export function idFaults({ providerStates, request }: Interaction, example: unknown, body: unknown): readonly Fault[] {
  const named = new Set(leavesOf([providerStates, request.path.split('/')]).map(({ value }) => value));
  const given = idsIn(body);
  return idsIn(example).flatMap(({ place, id }) => {
    const ids = given.flatMap((each) => (each.place === place ? each.id : []));
    if (!named.has(id) || ids.length === 0 || ids.includes(id)) return [];
    return [{ place: `body ${place}`, message: 'expected the id that the state or the path names, got another.' }];
  });
}

function idsIn(json: unknown) {
  return leavesOf(json).flatMap(({ path, value }) =>
    typeof value === 'string' && /\.(?:id|personId|payrollContractId)$/.test(path)
      ? [{ place: path.replaceAll(/\[\d+\]/g, '[*]'), id: value }]
      : [],
  );
}
