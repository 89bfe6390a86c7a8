import { TOKEN_PATH, type Operation, type OperationId } from '@hr/schemas';
import { problems, type InputSchemas } from '@hr/schemas/provider';
import { ownNames, table } from '../model/lists.ts';

/** An operation of the API, or the request for a token. */
export type FakeOperation = OperationId | 'requestToken';

interface Route {
  readonly id: FakeOperation;
  readonly method: string;
  readonly pattern: RegExp;
  /** `undefined` for the request for a token. */
  readonly operation?: Operation & InputSchemas;
}

const routes: readonly Route[] = [
  ...Object.entries(table).map(([id, operation]) => ({
    id: id as OperationId,
    method: operation.method,
    pattern: patternOf(operation.path),
    operation: { ...operation, wireNames: ownNames[id] ?? {} },
  })),
  { id: 'requestToken', method: 'POST', pattern: patternOf(TOKEN_PATH) },
];

/** A path parameter is never empty. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

export const fakeOperations: readonly FakeOperation[] = routes.map(({ id }) => id);

/**
 * Finds the operation of a request, and the decoded parameters of its path.
 *
 * @throws {HttpProblem} if no operation has this path and method.
 */
export function findRoute(method: string, path: string) {
  const sent = normalized(path);
  const found = routes.filter(({ pattern }) => pattern.test(sent));
  const route = found.find((each) => each.method === method);
  if (!route) {
    const methods = found.map((each) => each.method).toSorted();
    throw methods.length === 0 ? problems.unknownPath() : problems.methodNotAllowed(methods);
  }
  const parameters = Object.entries(route.pattern.exec(sent)?.groups ?? {});
  return { ...route, path: Object.fromEntries(parameters.map(([name, value]) => [name, decodeURIComponent(value)])) };
}

/** A path with a minimum of percent-encoding. */
function normalized(path: string): string {
  try {
    return path.replaceAll(/[^/]+/g, (part) => encodeURIComponent(decodeURIComponent(part)));
  } catch {
    throw problems.malformedRequest();
  }
}
