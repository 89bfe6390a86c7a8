import { operations, TOKEN_PATH, wireNames } from '@hr/schemas';
import type { Operation, OperationId } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';

/** An operation of the API, or the request for a token. */
export type FakeOperation = OperationId | 'requestToken';

/** An operation, and how requests name it. */
interface Route {
  readonly id: FakeOperation;
  readonly method: string;
  readonly pattern: RegExp;
  /** `undefined` for the request for a token. */
  readonly operation?: Operation & { readonly wireNames: Readonly<Record<string, string>> };
}

const namesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = wireNames;

const routes: readonly Route[] = [
  ...Object.entries<Operation>(operations).map(([id, operation]) => ({
    id: id as OperationId,
    method: operation.method,
    pattern: patternOf(operation.path),
    operation: { ...operation, wireNames: namesOf[id] ?? {} },
  })),
  { id: 'requestToken', method: 'POST', pattern: patternOf(TOKEN_PATH) },
];

/** An empty part of a path is no parameter. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

export const fakeOperations: readonly FakeOperation[] = routes.map(({ id }) => id);

/** A route, and the decoded parameters of the path. */
export interface FoundRoute extends Route {
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Finds what a request asks for.
 *
 * @throws {HttpProblem} when no operation has its path, or none its method.
 */
export function findRoute({ method, path }: { readonly method: string; readonly path: string }): FoundRoute {
  const sent = normalized(path);
  const found = routes.filter(({ pattern }) => pattern.test(sent));
  const route = found.find((each) => each.method === method);
  if (route) {
    const parameters = Object.entries(route.pattern.exec(sent)?.groups ?? {});
    return { ...route, path: Object.fromEntries(parameters.map(([name, value]) => [name, decodeURIComponent(value)])) };
  }
  if (found.length === 0) throw problems.unknownPath();
  throw problems.methodNotAllowed(found.map((each) => each.method).toSorted());
}

/** A path in which only what has to be is percent-encoded. */
function normalized(path: string): string {
  try {
    return path
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/');
  } catch {
    throw problems.malformedRequest();
  }
}
