import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import ky, { isHTTPError } from 'ky';
import type { ProblemBody, ProblemCode } from '../server/problem.ts';

/** Why a request to the console's backend failed. */
export class BffError extends Error {
  override name = 'BffError';
  readonly problem: Omit<ProblemBody, 'code'> & { readonly code: ProblemCode | 'offline' };

  constructor(problem: BffError['problem']) {
    super(problem.detail);
    this.problem = problem;
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

// A POST is never repeated, and a GET by the person, who sees what failed.
const http = ky.create({ prefix: '/bff', retry: 0, timeout: false });

/** Requests below `/bff/`. They reject with a {@link BffError}. */
export const bff = {
  /** @param isBackground - Whether no person asked for it, so that it does not prolong the session. */
  get: <T>(path: string, query: Query = {}, isBackground = false): Promise<T> => {
    const searchParams = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return send<T>('get', path, { searchParams, headers: isBackground ? { 'x-hr-background': '1' } : {} });
  },
  post: <T>(path: string, json: unknown = {}): Promise<T> => send<T>('post', path, { json }),
  delete: (path: string): Promise<void> => send('delete', path, {}),
};

async function send<T>(
  method: 'get' | 'post' | 'delete',
  path: string,
  options: Parameters<typeof http>[1],
): Promise<T> {
  try {
    const response = await http(path, { ...options, method });
    return response.status === 204 ? (undefined as T) : await response.json<T>();
  } catch (error) {
    if (!isHTTPError(error)) throw new BffError({ code: 'offline', detail: 'No connection to the console.' });
    throw new BffError(
      (error.data as ProblemBody | undefined) ?? { code: 'internal', detail: `Status ${error.response.status}.` },
    );
  }
}

/**
 * What a screen shows, by one request. It is read again when something changed.
 *
 * @param path - Below `/bff/`, with encoded parameters.
 */
export function useScreen<T>(path: string, query: Query = {}): UseQueryResult<T, BffError> {
  return useQuery<T, BffError>({
    queryKey: [path, query],
    queryFn: ({ client, queryKey }) => bff.get<T>(path, query, client.getQueryState(queryKey)?.isInvalidated),
  });
}
