import { decodeUtf8, parseForm } from '@hr/schemas/provider';
import { HrTestingError } from '../hr-testing-error.ts';
import type { FakeOperation } from './routes.ts';

const MAX_WAIT_MS = 5000;

/**
 * A request that has a response. Credentials and tokens are left out.
 *
 * @sealed
 */
export interface RecordedRequest {
  /** `undefined` for an unknown path or method. */
  readonly operation: FakeOperation | undefined;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Under the names of the URL. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the fields of a form, or else the text; `undefined` for an empty body. */
  readonly body: unknown;
  /** The status of the response; `undefined` when the connection broke before it. */
  readonly status: number | undefined;
}

/** The requests so far. */
export type RecordedRequests = ReturnType<typeof createRecordedRequests>;

export function createRecordedRequests() {
  let all: RecordedRequest[] = [];
  const listeners = new Set<() => void>();
  return {
    get all(): readonly RecordedRequest[] {
      return [...all];
    },
    add(request: RecordedRequest): void {
      all.push(request);
      for (const listener of listeners) listener();
    },
    clear(): void {
      all = [];
    },
    /** @throws {HrTestingError} `requests-missing` when so many requests of an operation do not arrive in time. */
    waitFor(operation: FakeOperation, count: number): Promise<readonly RecordedRequest[]> {
      const { promise, resolve, reject } = Promise.withResolvers<readonly RecordedRequest[]>();
      const found = (): RecordedRequest[] => all.filter((each) => each.operation === operation);
      const settle = (isLate: boolean): void => {
        const requests = found();
        if (requests.length < count && !isLate) return;
        clearTimeout(timer);
        listeners.delete(check);
        if (requests.length >= count) return resolve(requests);
        const arrived = `${requests.length} of ${count} requests of ${operation} arrived`;
        const sentence = `${arrived} within ${MAX_WAIT_MS / 1000} seconds. Check that your code sends them.`;
        reject(new HrTestingError('requests-missing', `requestsOf: ${sentence}`));
      };
      const check = (): void => settle(false);
      const timer = setTimeout(() => settle(true), MAX_WAIT_MS);
      listeners.add(check);
      check();
      return promise;
    },
  };
}

/** A request whose body was read. */
export interface ReceivedRequest {
  readonly id: string;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** What is kept of a request. */
export function recordOf(
  { method, path, query, headers, bytes }: ReceivedRequest,
  operation: FakeOperation | undefined,
  status: number | undefined,
): RecordedRequest {
  return {
    operation,
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: Object.fromEntries([...headers].filter(([name]) => !secretHeaders.has(name))),
    body: parsed(decodeUtf8(bytes) ?? '', headers.get('content-type') ?? ''),
    status,
  };
}

function parsed(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return Object.fromEntries((parseForm(text) ?? []).filter(([name]) => name !== 'client_secret'));
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
