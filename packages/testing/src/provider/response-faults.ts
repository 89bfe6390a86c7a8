import { z } from 'zod';
import { exampleTokens } from '../contract/example-tokens.ts';
import { shapeOf } from '../contract/kind-of.ts';
import { accepts } from '../contract/matching-rules.ts';
import { bodyOf, headerOf, mediaTypeOf } from '../contract/pact.ts';
import type { Interaction } from '../contract/pact.ts';
import { bodyFaults, idFaults, looseTextFaults } from './body-faults.ts';
import type { ProviderResponse } from './forward-request.ts';
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
