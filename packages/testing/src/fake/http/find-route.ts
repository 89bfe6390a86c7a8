import { operations, TOKEN_PATH } from '@hr/schemas';
import type { OperationId } from '@hr/schemas';
import { HttpProblem } from './http-problem.ts';
import type { ReceivedRequest } from './received-request.ts';

/** An operation of the API, or the request for a token. */
export type FakeOperation = OperationId | 'requestToken';

export const fakeOperations: readonly FakeOperation[] = [...(Object.keys(operations) as OperationId[]), 'requestToken'];

/** What a request asks for. */
export interface Route<Operation extends FakeOperation = FakeOperation> {
  readonly operation: Operation;
  /** The parameters of its path, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

export type OperationRoute = Route<OperationId>;

/** Whether a request asks for an operation of the API. */
export function isOperation(route: Route): route is OperationRoute {
  return route.operation !== 'requestToken';
}

interface Pattern {
  readonly operation: FakeOperation;
  readonly method: string;
  readonly segments: readonly string[];
}

const patterns: readonly Pattern[] = [
  ...(Object.keys(operations) as OperationId[]).map((operation) => {
    const { method, path } = operations[operation];
    return { operation, method, segments: path.split('/') };
  }),
  { operation: 'requestToken', method: 'POST', segments: TOKEN_PATH.split('/') },
];

/**
 * What a request asks for, by method and path.
 *
 * @throws {HttpProblem} where nothing has this address, or nothing of this method.
 */
export function findRoute({ method, path }: Pick<ReceivedRequest, 'method' | 'path'>): Route {
  const sent = decodeSegments(path);
  const found = patterns.flatMap((pattern) => {
    const parameters = match(pattern, sent);
    return parameters ? [{ ...pattern, path: parameters }] : [];
  });
  const route = found.find((each) => each.method === method);
  if (route) return route;
  if (found.length === 0) throw new HttpProblem('not-found', 'Nothing has this address.');
  const allow = found
    .map((each) => each.method)
    .toSorted()
    .join(', ');
  throw new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { headers: { allow } });
}

function decodeSegments(path: string): string[] {
  try {
    return path.split('/').map((segment) => decodeURIComponent(segment));
  } catch {
    throw new HttpProblem(
      'invalid-request',
      'The request is cut short or its address is not valid percent-encoded UTF-8.',
    );
  }
}

/** The parameters of a path that has this pattern; an empty part is no parameter. */
function match({ segments }: Pattern, sent: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== sent.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = sent[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) parameters[name] = value;
  }
  return parameters;
}
