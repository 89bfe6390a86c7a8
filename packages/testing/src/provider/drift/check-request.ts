import { issuesOf } from '@hr/schemas';
import type { Issue } from '@hr/schemas';
import type { z } from 'zod';
import { bodyOf, isForm } from './body-of.ts';
import { checkRules } from './check-rules.ts';
import type { Finding } from './drift.ts';
import type { Target } from './find-endpoint.ts';
import type { Interaction, RulesByPlace } from '../../contract/pact.ts';

/** Statuses that a consumer asks for by a request that is wrong on purpose. */
const REFUSALS = new Set([400, 413, 415, 422]);

/** What is wrong with a request, as the API's own checks of input see it, and with the rules that let others pass for it. */
export function* checkRequest({ endpoint, parameters }: Target, interaction: Interaction): Generator<Finding> {
  const { request, response } = interaction;
  if (REFUSALS.has(response.status)) return;
  const side = { where: 'request', isRequest: true, isGiven: () => true };
  if (endpoint.needsToken && response.status !== 401 && !hasBearerToken(interaction))
    yield { kind: 'faults', place: 'header Authorization', sentence: 'The API answers 401 without a bearer token.' };
  yield* inputFaults(endpoint.pathParameters, parameters, 'path');

  const given = queryOf(request.query ?? {}, endpoint.queryNames);
  for (const name of given.repeated)
    yield { kind: 'faults', place: `query ${name}`, sentence: 'The API takes this parameter once.' };
  yield* inputFaults(endpoint.query, given.values, 'query');
  const queryRules = rulesOfQuery(request.matchingRules?.query ?? {}, endpoint.queryNames);
  yield* checkRules(endpoint.query, given.values, queryRules, { ...side, where: 'query' });

  const body = bodyOf(request, interaction);
  if (!endpoint.body) {
    if (body !== undefined) yield { kind: 'faults', place: 'request', sentence: `${endpoint.name} takes no body.` };
    return;
  }
  // Credentials may come as HTTP Basic instead.
  const isOptional = ({ pointer, code }: Issue) =>
    isForm(request) && code === 'required' && ['/client_id', '/client_secret'].includes(pointer);
  yield* inputFaults(endpoint.body, body ?? {}, 'request', isOptional);
  if (!isForm(request)) yield* checkRules(endpoint.body, body ?? {}, request.matchingRules?.body ?? {}, side);
}

function hasBearerToken({ request: { headers = {} } }: Interaction): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && String(value).startsWith('Bearer '),
  );
}

function* inputFaults(
  model: z.ZodType,
  value: unknown,
  where: string,
  isForgiven: (issue: Issue) => boolean = () => false,
): Generator<Finding> {
  for (const issue of issuesOf(model.safeParse(value).error ?? { issues: [] }, value)) {
    if (isForgiven(issue)) continue;
    const sentence = `The API refuses this request: it ${issue.detail}.`;
    yield { kind: 'faults', place: `${where} ${issue.pointer}`, sentence };
  }
}

type Names = Readonly<Record<string, string>>;

/** The query under the names of the operation table; a name of that table which is another one in the URL is not known there. */
function queryOf(query: Readonly<Record<string, readonly string[]>>, names: Names) {
  const values: Record<string, unknown> = {};
  const repeated: string[] = [];
  for (const [name, each] of Object.entries(query)) {
    values[parameterOf(name, names)] = each[0];
    if (each.length > 1) repeated.push(name);
  }
  return { values, repeated };
}

function rulesOfQuery(rules: RulesByPlace, names: Names): RulesByPlace {
  const byParameter = Object.entries(rules).map(([place, list]) => {
    const name = place.replace(/^\$\.?/, '').replaceAll(/\[(?:\d+|\*)\]$|^\['|'\]$/g, '');
    return [`$['${parameterOf(name, names)}']`, list] as const;
  });
  return Object.fromEntries(byParameter);
}

function parameterOf(wireName: string, names: Names): string {
  const parameter = Object.entries(names).find(([, name]) => name === wireName)?.[0];
  return parameter ?? (Object.hasOwn(names, wireName) ? `${wireName} (in the URL)` : wireName);
}
