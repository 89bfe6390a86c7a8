import type { State } from '../states/provider-states.ts';
import type { ExampleToken } from '../contract/example-tokens.ts';
import type { NotExpressed } from '../contract/matchers/not-expressed.ts';

/** A value, or the value with the pattern that others of its place have. */
export type HeaderExample = string | { readonly value: string; readonly pattern: string };

/** A body in Pact's integration JSON, or as text where it is not JSON. */
export interface BodyExample {
  readonly contentType: string;
  readonly content: unknown;
}

export interface ExpectedRequest {
  readonly method: string;
  /** As it is sent: percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, HeaderExample>>;
  readonly body?: BodyExample;
}

export interface ExpectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, HeaderExample>>;
  readonly body: BodyExample;
}

/** One request and its answer, as a contract holds them. */
export interface Exchange {
  readonly description: string;
  readonly states: readonly State[];
  readonly request: ExpectedRequest;
  readonly response: ExpectedResponse;
  readonly notExpressed: readonly NotExpressed[];
}

/** An exchange of an operation, which needs a token. */
export interface OperationExchange extends Exchange {
  readonly token: ExampleToken;
}
