import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { EventKind } from '../backend/live-event.ts';
import type { ProblemBody, ProblemCode } from '../backend/problem.ts';

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

/** The address of something below `/bff/`, such as of a file. */
export function bffAddress(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/bff/${path}${search && `?${search}`}`;
}

/** Requests below `/bff/`. They reject with a {@link BffError}. None is repeated: the person sees what failed. */
export const bff = {
  /** @param isBackground - Whether no person asked for it, so that it does not prolong the session. */
  get: <T>(path: string, query: Query = {}, isBackground = false): Promise<T> => {
    const headers: HeadersInit = isBackground ? { 'x-hr-background': '1' } : {};
    return send<T>(bffAddress(path, query), { headers });
  },
  /** @param keepalive - Whether it goes on when the page is closed. */
  post: <T>(path: string, json: unknown = {}, keepalive = false): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    return send<T>(bffAddress(path), { method: 'POST', headers, body: JSON.stringify(json), keepalive });
  },
  delete: <T = void>(path: string): Promise<T> => send<T>(bffAddress(path), { method: 'DELETE' }),
};

// A change may take as long as several requests of the service.
const READ_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 120_000;

// An HTTP library would weigh more than all that it would do here.
async function send<T>(address: string, init: RequestInit): Promise<T> {
  const signal = AbortSignal.timeout(init.method === undefined ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
  const response = await fetch(address, { ...init, signal }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (response === undefined || text === undefined)
    throw new BffError({ code: 'offline', detail: 'No connection to the console.' });
  const body = parsed(text);
  if (response.ok) return body as T;
  const problem = body as ProblemBody | undefined;
  throw new BffError(problem?.code ? problem : { code: 'internal', detail: `Status ${response.status}.` });
}

/** A proxy may respond with a page of its own. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly kinds?: readonly EventKind[] };
  }
}

/** Reads screens again that show what changed, such as by this page. */
export function readAgain(client: QueryClient, kind: EventKind): Promise<void> {
  return client.invalidateQueries({ predicate: ({ meta }) => meta?.kinds?.includes(kind) ?? false });
}

interface ScreenOptions<T> {
  /** What it is read again for when it changed. By default anything. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** Whether the data of another query stays until the new one is there, and with it what has the focus. */
  readonly keepsData?: boolean;
  /** In how many milliseconds it is read again, if it still changes. */
  readonly rereadIn?: (data: T) => number | false;
}

/**
 * What a screen shows, by one request. It is read again when something changed.
 *
 * @param path - Below `/bff/`, with encoded parameters.
 */
export function useScreen<T>(
  path: string,
  query: Query = {},
  { kinds, keepsData = false, rereadIn }: ScreenOptions<T> = {},
): UseQueryResult<T, BffError> {
  return useQuery<T, BffError>({
    queryKey: [path, query],
    ...(kinds && { meta: { kinds } }),
    placeholderData: (data, before) => (keepsData && before?.queryKey[0] === path ? data : undefined),
    refetchInterval: ({ state }) => (state.data && rereadIn?.(state.data)) ?? false,
    queryFn: ({ client, queryKey }) => {
      const { data, isInvalidated } = client.getQueryState(queryKey) ?? {};
      return bff.get<T>(path, query, isInvalidated || data !== undefined);
    },
  });
}

/**
 * What a screen shows of a long list, page by page: `next` of a page is where the one after it begins. The pages that a
 * person has seen are read again when something changed, and stay until those of another query are there. `rereadIn` gets
 * the first one.
 */
export function usePages<T extends { readonly next: string | undefined }>(
  path: string,
  query: Query = {},
  { kinds, rereadIn }: Omit<ScreenOptions<T>, 'keepsData'> = {},
): UseInfiniteQueryResult<InfiniteData<T>, BffError> {
  return useInfiniteQuery<T, BffError, InfiniteData<T>, readonly [string, Query], string | undefined>({
    queryKey: [path, query],
    ...(kinds && { meta: { kinds } }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (data, before) => (before?.queryKey[0] === path ? data : undefined),
    refetchInterval: ({ state }) => (state.data?.pages[0] && rereadIn?.(state.data.pages[0])) ?? false,
    queryFn: ({ client, queryKey, pageParam: from }) => {
      const { data, isInvalidated } = client.getQueryState(queryKey) ?? {};
      return bff.get<T>(path, { ...query, from }, isInvalidated || (data !== undefined && from === undefined));
    },
  });
}
