import { readState } from '../../states/read-state.ts';
import { bodyOf } from './body-of.ts';
import { checkExample } from './check-example.ts';
import { checkRequest } from './check-request.ts';
import { checkRules } from './check-rules.ts';
import type { Finding } from './drift.ts';
import type { Target } from './find-endpoint.ts';
import type { Interaction } from '../../contract/pact.ts';

/** Holds an interaction against what the API says of the endpoint that it asks. */
export function* checkInteraction(target: Target, interaction: Interaction): Generator<Finding> {
  for (const { name, params } of interaction.providerStates ?? []) {
    const sentence = faultOfState(name, params);
    if (sentence) yield { kind: 'faults', place: `state "${name}"`, sentence };
  }
  yield* checkRequest(target, interaction);
  yield* checkAnswer(target, interaction);
}

function* checkAnswer({ endpoint, parameters }: Target, interaction: Interaction): Generator<Finding> {
  const { request, response } = interaction;
  const { status } = response;
  const body = bodyOf(response, interaction);
  const model = endpoint.response(status, new Set(Object.keys(request.query ?? {})));
  if (body === undefined) return;
  if (!model) {
    yield { kind: 'faults', place: 'answer', sentence: `${endpoint.name} answers ${status} without a body.` };
    return;
  }
  yield* checkExample(model, body, 'answer');
  const given = leavesOf([interaction.providerStates, parameters, request.query, bodyOf(request, interaction)]);
  yield* checkRules(model, body, response.matchingRules?.body ?? {}, {
    where: 'answer',
    isRequest: false,
    isGiven: (value) => status >= 400 || given.has(value),
  });
}

function faultOfState(name: string, parameters: unknown): string | undefined {
  try {
    readState(name, parameters);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** All strings, numbers and booleans somewhere in a value. */
function leavesOf(value: unknown): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null) return new Set([value]);
  return new Set(Object.values(value).flatMap((part) => [...leavesOf(part)]));
}
