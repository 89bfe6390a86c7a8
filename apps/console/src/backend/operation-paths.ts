import { operations, wireNames, type Operation, type OperationId, type WireNames } from '@hr/schemas';

/** How an operation of the API is called. */
export interface OperationPath {
  readonly method: Operation['method'];
  /** Such as `/api/v1/persons/{id}`. */
  readonly path: string;
  readonly hasBody: boolean;
  /** Name of each query parameter in the URL, by its name in the operation table. */
  readonly queryNames: Readonly<Record<string, string>>;
}

/** Each operation of the API, for the browser: it does not load the models. */
export const operationPaths = Object.fromEntries(
  Object.entries<Operation>(operations).map(([id, { method, path, body }]): [string, OperationPath] => [
    id,
    { method, path, hasBody: body !== undefined, queryNames: wireNames[id as keyof WireNames] ?? {} },
  ]),
) as Readonly<Record<OperationId, OperationPath>>;
