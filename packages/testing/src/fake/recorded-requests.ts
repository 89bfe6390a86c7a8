import { HrTestingError } from '../hr-testing-error.ts';
import type { FakeOperation } from './routes.ts';

/**
 * A request that has a response. Credentials and tokens are left out.
 *
 * @sealed
 */
export interface RecordedRequest {
  /** `undefined` for an unknown path or method. */
  readonly operation: FakeOperation | undefined;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** With the names in the URL. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the fields of a form, or the text; `undefined` for an empty body. */
  readonly body: unknown;
  /** The status of the response; `undefined` if the connection broke before it. */
  readonly status: number | undefined;
}

const MAX_WAIT_MS = 5000;

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
    /** @throws {HrTestingError} `requests-missing` if this many requests of an operation do not arrive in time. */
    waitFor(operation: FakeOperation, count: number): Promise<readonly RecordedRequest[]> {
      return new Promise((resolve, reject) => {
        const settle = (isLate: boolean): void => {
          const found = all.filter((each) => each.operation === operation);
          if (found.length < count && !isLate) return;
          clearTimeout(timer);
          listeners.delete(listener);
          if (found.length >= count) resolve(found);
          else reject(missing(operation, count, found.length));
        };
        const listener = (): void => settle(false);
        const timer = setTimeout(() => settle(true), MAX_WAIT_MS);
        listeners.add(listener);
        listener();
      });
    },
  };
}

function missing(operation: FakeOperation, wanted: number, found: number): HrTestingError {
  const arrived = `${found} of ${wanted} requests of ${operation} arrived within ${MAX_WAIT_MS / 1000} seconds`;
  return new HrTestingError('requests-missing', `requestsOf: ${arrived}. Check that your code sends them.`);
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The recorded part of a request. */
export function recordOf(
  { method, url, headers }: Request,
  bytes: Uint8Array,
  response: Pick<RecordedRequest, 'operation' | 'status'>,
): RecordedRequest {
  const { pathname: path, searchParams } = new URL(url);
  return {
    method,
    path,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries([...headers].filter(([name]) => !secretHeaders.has(name))),
    body: parsed(new TextDecoder().decode(bytes), headers.get('content-type') ?? ''),
    ...response,
  };
}

function parsed(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    return Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => name !== 'client_secret'));
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
