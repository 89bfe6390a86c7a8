import type { z } from 'zod';
import { invalidOption } from '../hr-testing-error.ts';
import type { ExampleToken } from '../contract/example-tokens.ts';
import { escaped } from '../contract/matchers/leaf-matcher.ts';
import { matchersOf, type UnsupportedRule } from '../contract/matchers/matchers-of.ts';
import { statesOf, type Given, type ProviderState } from '../states/provider-states.ts';
import { readState } from '../states/read-state.ts';

interface Message {
  /** As text, or in Pact's integration JSON. */
  readonly headers: Readonly<Record<string, string>>;
  /** In Pact's integration JSON, or as text if it is not JSON. */
  readonly body?: { readonly contentType: string; readonly content: unknown };
}

interface ExpectedRequest extends Message {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The client of a token request. */
export interface ExampleClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
}

/** A request and its response, as a contract describes them. */
export interface Exchange {
  readonly description: string;
  readonly states: readonly ProviderState[];
  /** For the code of the consumer. */
  readonly credentials: { readonly token: ExampleToken } | ExampleClient;
  readonly request: ExpectedRequest;
  readonly response: Required<Message> & { readonly status: number };
  readonly unsupportedRules: readonly UnsupportedRule[];
  /** For readers of the contract. */
  readonly comment?: string;
  /** The places of the example that a response must not have, such as `$[0].jobTitle`. */
  readonly absent?: readonly string[];
  /** A second interaction of the contract, without which a provider could pass this one by doing nothing. */
  readonly counterpart?: Exchange;
}

/** The request of any operation. */
export interface SentParts {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** The default description of an exchange. */
export function describeExchange(
  operation: string,
  outcome: string | number,
  states: readonly ProviderState[],
): string {
  const given = states.map(([name]) => name).join(' and ');
  return given === '' ? `${operation}: ${outcome}` : `${operation}: ${outcome} given ${given}`;
}

/** @throws {HrTestingError} `invalid-option` for an unknown state or wrong parameters */
export function checkedStates(given: Given): readonly ProviderState[] {
  const states = statesOf(given);
  try {
    for (const [name, parameters] of states) readState(name, parameters);
  } catch (error) {
    throw invalidOption(`given: ${(error as Error).message}`, { cause: error });
  }
  return states;
}

export const JSON_TYPE = 'application/json';

/** A JSON response with the fields of the example, as its model allows them. */
export function jsonResponse(status: number, model: z.ZodType, example: unknown, headers: Message['headers'] = {}) {
  const { content, unsupportedRules } = matchersOf(model, example);
  // Pact recognizes the JSON body only if a space follows the type; the header matches the whole type.
  const body = { contentType: JSON_TYPE, content };
  return {
    response: { status, headers: { 'Content-Type': mediaType(JSON_TYPE), ...headers }, body },
    unsupportedRules,
  };
}

/** The header of a media type, in any case and with any parameters (RFC 9110, section 8.3.1). */
export function mediaType(type: string): string {
  return headerLike(type, `^(?i:${escaped(type)})\\s*(;.*)?$`);
}

export function headerLike(value: string, regex: string): string {
  return JSON.stringify({ 'pact:matcher:type': 'regex', regex, value });
}
