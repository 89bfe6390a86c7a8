import { z } from 'zod';
import { exampleTokens } from '../contract/example-tokens.ts';
import { kindOf, shapeOf } from '../contract/kind-of.ts';
import { accepts, acceptsOne, leavesOf, memberPath, namesOf, ruleOf, valueAt } from '../contract/matching-rules.ts';
import { bodyOf, headerOf, mediaTypeOf } from '../contract/pact.ts';
import type { Interaction, RuleList, RulesByPlace } from '../contract/pact.ts';
import type { ProviderResponse } from './interaction-run.ts';
import type { Outcome } from './run-interactions.ts';
import type { Fault } from './verification-result.ts';

const ProblemModel = z.looseObject({
  title: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })).catch([]),
});

/**
 * What is wrong with a response, in a fixed order. Of a response with another status, only that is reported. No value of
 * the provider is shown, because it may be a person's.
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
  const found = [
    ...mismatches.flatMap(({ type, key }) => (type === 'HeaderMismatch' ? headerFaults(key, expected, response) : [])),
    ...headerFaults('Content-Type', expected, response),
    ...mismatches.flatMap(({ type, path }) => {
      if (type !== 'BodyMismatch') return [];
      if (response.body.length === 0) return [{ place: 'body', message: 'expected a body, got none.' }];
      if (body === undefined) return [{ place: 'body', message: 'expected JSON in UTF-8, got other content.' }];
      return bodyFaults(path, example, body, expected.matchingRules?.body);
    }),
    ...looseTextFaults(example, body),
    ...idFaults(interaction, example, body),
  ];
  if (found.length === 0 && result !== 'OK') {
    const reason = mismatch?.message ?? mismatches.map(({ type }) => type).join(', ');
    return [{ place: 'response', message: `Pact refuses it: ${reason}.` }];
  }
  const unique = new Map(found.map((fault) => [`${fault.place}: ${fault.message}`, fault]));
  return [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, fault]) => fault);
}

function statusMessage({ request, response: { status } }: Interaction, given: number, body: unknown): string {
  const { data } = ProblemModel.safeParse(body);
  // A problem of the HR cloud names places, and no values.
  const problem = data && [data.title, ...data.errors.map(({ pointer, detail }) => `${pointer} ${detail}`)].join('; ');
  const token = headerOf(request, 'authorization')?.replace(/^Bearer /, '') ?? exampleTokens.valid;
  const isOwnToken = given === 401 && !Object.values<string>(exampleTokens).includes(token);
  return [
    `expected ${status}, got ${given}.`,
    ...(problem === undefined ? [] : [`Its problem: ${problem}.`]),
    ...(isOwnToken ? [`Write "${exampleTokens.valid}" into the pact: the option "token" replaces only that.`] : []),
  ].join(' ');
}

/** `Content-Type` is compared as a media type, without regard to case and parameters (RFC 9110, section 8.3.1). */
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
  const got = isType ? mediaTypeOf(given) : `text of the form ${shapeOf(given ?? '')}`;
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

/** What is wrong with a body at a path where Pact found a mismatch. */
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
function looseTextFaults(example: unknown, body: unknown): readonly Fault[] {
  return leavesOf(body).flatMap(({ path, value }) => {
    const isLoose = typeof value === 'number' || typeof value === 'boolean';
    if (!isLoose || typeof valueAt(example, namesOf(path), true) !== 'string') return [];
    return [{ place: `body ${path}`, message: `expected a string, got ${kindOf(value)}.` }];
  });
}

/** Where a contract has the id that its states or its path name, and the provider gives only others: those of other data. */
function idFaults({ providerStates, request }: Interaction, example: unknown, body: unknown): readonly Fault[] {
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
