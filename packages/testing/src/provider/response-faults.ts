import { TOKEN_PATH, isLocalDate } from '@hr/schemas';
import { z } from 'zod';
import { exampleTokens } from '../contract/example-tokens.ts';
import { formOf, kindOf, shapeOf } from '../contract/kind-of.ts';
import {
  accepts,
  acceptsOne,
  leavesOf,
  memberPath,
  namesOf,
  placeOf,
  ruleOf,
  valueAt,
  type Path,
} from '../contract/matching-rules.ts';
import { bodyOf, headerOf, mediaTypeOf, type Interaction, type RuleList, type RulesByPlace } from '../contract/pact.ts';
import type { ProviderResponse } from './interaction-run.ts';
import type { Outcome } from './run-interactions.ts';
import { valueFaults } from './value-faults.ts';
import type { Fault } from './verification-result.ts';

const ProblemModel = z.looseObject({
  title: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).catch([]),
});

/**
 * The faults of a response, in a fixed order. If the status differs, only that is reported. Faults contain no values of
 * the provider, which may be personal data.
 */
export function responseFaults(
  interaction: Interaction,
  { result, mismatch }: Outcome,
  response: ProviderResponse | undefined,
): readonly Fault[] {
  if (!response) return [{ place: 'request', message: 'was not sent to the provider.' }];
  const { response: expected } = interaction;
  const body = jsonOfBytes(response.body);
  const mismatches = mismatch?.mismatches ?? [];
  if (mismatches.some(({ type }) => type === 'StatusMismatch'))
    return [{ place: 'status', message: statusMessage(interaction, response.status, body) }];
  const example = bodyOf(expected, interaction);
  const rules = expected.matchingRules?.body ?? {};
  const unreadable = leavesOf(body).find(({ value }) => value === Infinity || value === -Infinity);
  const differing = mismatches.filter(({ type, path }) => type !== 'BodyMismatch' || !isInteger(rules, path, body));
  const found = [
    ...differing.flatMap(({ type, key }) => (type === 'HeaderMismatch' ? headerFaults(key, expected, response) : [])),
    ...headerFaults('Content-Type', expected, response),
    ...differing.flatMap(({ type, path, mismatch: isInvalidRule }) => {
      if (type !== 'BodyMismatch') return [];
      if (response.body.length === 0) return [{ place: 'body', message: 'expected a body, got none.' }];
      if (body === undefined) return [{ place: 'body', message: 'expected JSON in UTF-8, got other content.' }];
      if (isInvalidRule) return [{ place: `body ${path}`, message: 'the pact has an invalid rule there. Correct it.' }];
      if (unreadable)
        return [{ place: `body ${unreadable.path}`, message: 'expected a number, got one that is too large to read.' }];
      return bodyFaults(path, example, body, rules);
    }),
    ...looseTextFaults(example, body, rules),
    ...lifetimeFaults(interaction, example, body),
  ];
  const places = new Set(found.map(({ place }) => place));
  found.push(...valueFaults(interaction, example, body).filter(({ place }) => !places.has(place)));
  const isExcused = mismatches.length > 0 && differing.length === 0;
  if (found.length === 0 && result !== 'OK' && !isExcused) {
    const reason = mismatch?.message ?? mismatches.map(({ type }) => type).join(', ');
    return [{ place: 'response', message: `Pact rejects it: ${reason}.` }];
  }
  const unique = new Map(found.map((fault) => [`${fault.place}: ${fault.message}`, fault]));
  return [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, fault]) => fault);
}

function statusMessage({ request, response: { status } }: Interaction, given: number, body: unknown): string {
  const { data } = ProblemModel.safeParse(body);
  // A problem of the HR cloud names places, not values.
  const problem = data && [data.title, ...data.errors.map(({ pointer, detail }) => `${pointer} ${detail}`)].join('; ');
  const token = headerOf(request, 'authorization')?.replace(/^Bearer /, '') ?? exampleTokens.valid;
  const isOwnToken = given === 401 && !Object.values<string>(exampleTokens).includes(token);
  return [
    `expected ${status}, got ${given}.`,
    ...(problem === undefined ? [] : [`Its problem: ${problem}.`]),
    ...(isOwnToken ? [`Write "${exampleTokens.valid}" into the pact: the option "token" replaces only that.`] : []),
  ].join(' ');
}

/** `Content-Type` is compared as a media type, ignoring case and parameters (RFC 9110, section 8.3.1). */
function headerFaults(
  name: string,
  expected: Interaction['response'],
  { headers }: ProviderResponse,
): readonly Fault[] {
  const key = name.toLowerCase();
  const [value, given] = [headerOf(expected, key), headers[key]?.toString()];
  const rules = Object.entries(expected.matchingRules?.header ?? {}).find(([each]) => each.toLowerCase() === key)?.[1];
  const isType = key === 'content-type';
  if (isType && (value === undefined || mediaTypeOf(value) === mediaTypeOf(given))) return [];
  if (isType && given !== undefined && rules && accepts(rules, value, given)) return [];
  const pattern = rules?.matchers.find(({ match }) => match === 'regex')?.['regex'];
  const wanted = isType ? mediaTypeOf(value) : typeof pattern === 'string' ? `text like ${pattern}` : value;
  const got = isType ? mediaTypeOf(given) : formOf(given ?? '');
  return [{ place: `header ${name}`, message: `expected ${wanted}, got ${given === undefined ? 'no header' : got}.` }];
}

/** `undefined` unless the bytes are JSON in UTF-8 (RFC 8259, section 8.1). */
function jsonOfBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The faults of a body at a path where Pact found a mismatch. */
function bodyFaults(path: string, example: unknown, body: unknown, rules: RulesByPlace = {}): readonly Fault[] {
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
    if (expected.length === 0 && max === undefined)
      return `expected an empty array, got ${given.length} elements. The states and the filters of the request leave none.`;
    const bound = given.length < min ? `at least ${min}` : max === undefined ? expected.length : `at most ${max}`;
    return `expected an array of length ${bound}, got ${given.length}.`;
  }
  const refusing = rules?.matchers.find((matcher) => acceptsOne(matcher, expected, given) === false);
  const { match, regex } = refusing ?? { match: 'equality', regex: '' };
  const list = /^\^\(\?:([\w-]+(?:\|[\w-]+)*)\)\$$/.exec(String(regex))?.[1]?.replaceAll('|', ', ');
  const example = JSON.stringify(expected);
  const words: Readonly<Record<string, string>> = { integer: 'an integer', decimal: 'a decimal', equality: example };
  const like = isMissingDay(expected, given) ? 'a day that exists' : `a value like ${example}`;
  const wanted = list === undefined ? (words[match] ?? like) : `one of ${list}`;
  return `expected ${wanted}, got ${typeof given === 'string' ? formOf(given) : 'another value'}.`;
}

/** Whether a text has the form of the expected date, but no day has this date. */
function isMissingDay(expected: unknown, given: unknown): boolean {
  if (typeof expected !== 'string' || typeof given !== 'string' || shapeOf(expected) !== shapeOf(given)) return false;
  const [one = '', other = ''] = [expected, given].map((text) => text.split('T')[0]);
  return isLocalDate(one) && !isLocalDate(other);
}

/** Whether a place has an integer where that is the rule: Pact rejects the forms `2026.0` and `2026e0`. */
function isInteger(rules: RulesByPlace, path: string, body: unknown): boolean {
  const names = namesOf(path);
  const matchers = ruleOf(rules, names)?.matchers ?? [];
  return matchers.some(({ match }) => match === 'integer') && Number.isInteger(valueAt(body, names));
}

/** `@hr/auth` rejects a token without a lifetime. Pact has no rule for a range. */
function lifetimeFaults({ request }: Interaction, example: unknown, body: unknown): readonly Fault[] {
  const [expected, given] = [example, body].map((json) => valueAt(json, ['expires_in']));
  if (!request.path.endsWith(TOKEN_PATH) || typeof expected !== 'number' || typeof given !== 'number') return [];
  return given > 0 ? [] : [{ place: 'body $.expires_in', message: 'expected a positive number, got another value.' }];
}

/**
 * Faults where a contract has a string, but the provider sends another kind of value. A pattern of Pact is matched against
 * the JSON of the value, so `.*` accepts `[]` and `null`, too.
 */
function looseTextFaults(example: unknown, body: unknown, rules: RulesByPlace, path: Path = []): readonly Fault[] {
  if (typeof example === 'string') {
    const accepted = ruleOf(rules, path)?.matchers.some(({ match }) => match === 'null') && body === null;
    if (body === undefined || typeof body === 'string' || accepted) return [];
    return [{ place: `body ${placeOf(path)}`, message: `expected a string, got ${kindOf(body)}.` }];
  }
  if (typeof example !== 'object' || example === null || typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const key = Array.isArray(body) ? Number(name) : name;
    return looseTextFaults(valueAt(example, [key], true), value, rules, [...path, key]);
  });
}
