import { currentName, jsonPointer } from '@hr/schemas';
import type { z } from 'zod';
import { leavesOf } from '../../contract/matching-rules.ts';
import { bodyOf, headerOf, isForm, mediaTypeOf, type Interaction } from '../../contract/pact.ts';
import { issuesIn } from '../../model/leaf.ts';
import { readState } from '../../states/read-state.ts';
import type { Finding } from './check-drift.ts';
import { checkRules, fieldsOf } from './check-rules.ts';
import { documentedTypes, responseModel, type Target } from './endpoint.ts';

/** Statuses of intentionally invalid requests. */
const OF_WRONG_REQUESTS = new Set([400, 413, 415, 422]);

/** Compares an interaction with the definition of its endpoint. */
export function* checkInteraction(target: Target, interaction: Interaction): Generator<Finding> {
  for (const { name, params } of interaction.providerStates ?? []) {
    try {
      readState(name, params);
    } catch (error) {
      const place = `state "${name}"`;
      yield fault(place, (error as Error).message.replace(`provider ${place}: `, ''));
    }
  }
  yield* checkTypes(target, interaction);
  if (!OF_WRONG_REQUESTS.has(interaction.response.status)) yield* checkRequest(target, interaction);
  yield* checkResponse(target, interaction);
}

function fault(place: string, message: string): Finding {
  return { kind: 'faults', place, message };
}

/** Compares the status and the media types with the OpenAPI document. */
function* checkTypes(target: Target, { request, response }: Interaction): Generator<Finding> {
  const { requestTypes, responseTypes } = documentedTypes(target);
  const known = responseTypes.get(String(response.status));
  if (!known) yield fault('status', `the API has ${[...responseTypes.keys()].join(', ')}, not ${response.status}.`);
  const sides = [
    ['request', request.headers, response.status === 415 ? [] : requestTypes],
    ['response', response.headers, known ?? []],
  ] as const;
  for (const [side, headers, types] of sides) {
    const type = mediaTypeOf(headerOf({ headers }, 'content-type'));
    if (type && types.length > 0 && !types.includes(type))
      yield fault(`${side} header Content-Type`, `the API has ${types.join(' or ')}, not ${type}.`);
  }
}

/** Checks a request like the API does, and checks its rules. */
function* checkRequest(target: Target, interaction: Interaction): Generator<Finding> {
  const { request, response } = interaction;
  const isAuthorized = headerOf(request, 'authorization')?.startsWith('Bearer ');
  if (!target.isOAuth && response.status !== 401 && !isAuthorized)
    yield fault('header Authorization', 'the API rejects requests without a bearer token. Add one.');
  yield* inputFaults(target.pathParameters, target.parameters, 'path');

  const query = Object.entries(request.query ?? {});
  for (const [name, { length }] of query)
    if (length > 1) yield fault(`query ${name}`, 'the API accepts this parameter once.');
  const values = Object.fromEntries(query.map(([name, [value]]) => [parameterOf(name, target), value]));
  yield* inputFaults(target.query, values, 'query');
  const rules = Object.entries(request.matchingRules?.query ?? {}).map(([place, list]) => {
    const name = place.replace(/^\$\.?/, '').replaceAll(/\[(?:\d+|\*)\]$|^\['|'\]$/g, '');
    return [`$['${parameterOf(name, target)}']`, list] as const;
  });
  yield* checkRules(target.query, values, Object.fromEntries(rules), 'query');

  const body = bodyOf(request, interaction);
  if (!target.body && body !== undefined) yield fault('request', 'the API accepts no body here.');
  if (!target.body) return;
  yield* inputFaults(target.body, body ?? {}, 'request');
  if (!isForm(request)) yield* checkRules(target.body, body ?? {}, request.matchingRules?.body ?? {}, 'request');
}

function* inputFaults(model: z.ZodType, value: unknown, where: string): Generator<Finding> {
  for (const { pointer, code, detail } of issuesIn(model, value)) {
    // Credentials may be in HTTP Basic instead.
    const isElsewhere = code === 'required' && /^\/client_(?:id|secret)$/.test(pointer);
    if (!isElsewhere) yield fault(`${where} ${pointer}`, `the API rejects this value: it ${detail}.`);
  }
}

/** The name of a parameter in the operation table. A name of that table that differs in the URL is marked as such. */
function parameterOf(wireName: string, { queryNames }: Target): string {
  const parameter = Object.entries(queryNames).find(([, name]) => name === wireName)?.[0];
  return parameter ?? (Object.hasOwn(queryNames, wireName) ? `${wireName} (in the URL)` : wireName);
}

function* checkResponse(target: Target, interaction: Interaction): Generator<Finding> {
  const { request, response, providerStates } = interaction;
  const body = bodyOf(response, interaction);
  if (body === undefined) return;
  const model = responseModel(target, response.status, isOfChanges(request));
  if (!model) {
    yield fault('response', `the API has no body with status ${response.status}.`);
    return;
  }
  yield* checkExample(model, body);
  const given = leavesOf([providerStates, target.parameters, request.query, bodyOf(request, interaction)]);
  const isGiven = (value: unknown) => response.status >= 400 || given.some((leaf) => leaf.value === value);
  yield* checkRules(model, body, response.matchingRules?.body ?? {}, 'response', isGiven);
}

function isOfChanges({ query = {} }: Interaction['request']): boolean {
  return 'changedSince' in query || 'after' in query;
}

/** Checks the example of a response. Fields may be missing, because a contract names only those in use. */
function* checkExample(body: z.ZodType, example: unknown): Generator<Finding> {
  for (const { path, model } of fieldsOf(body, example)) {
    const place = `response ${jsonPointer(path)}`;
    const { deprecated, description = '' } = model?.meta() ?? {};
    if (deprecated) yield { kind: 'notes', place, message: `is deprecated. ${description}`.trim() };
    const current = currentName(String(path.at(-1)));
    const remedy = current === undefined ? 'Remove it, or correct the name' : `It is called ${current} now`;
    if (!model) yield fault(place, `is unknown to the API. ${remedy}.`);
  }
  for (const { pointer, code, detail } of issuesIn(body, example))
    if (code !== 'required' && code !== 'unknown-name' && code !== 'former-name')
      yield fault(`response ${pointer}`, `the API never sends this value: it ${detail}.`);
}
