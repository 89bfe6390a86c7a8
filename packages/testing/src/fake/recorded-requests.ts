import { decodeUtf8, parseForm } from '@hr/schemas/provider';
import { HrTestingError } from '../hr-testing-error.ts';
import type { FakeOperation } from './routes.ts';

/** How long a test waits for requests. */
const LONGEST_WAIT_MS = 5000;

/**
 * A request that was answered. Credentials and tokens are left out.
 *
 * @sealed
 */
export interface RecordedRequest {
  /** `undefined` where nothing has this address or method. */
  readonly operation: FakeOperation | undefined;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Under the names of the URL. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the fields of a form, or the text that is neither; `undefined` where there is none. */
  readonly body: unknown;
  /** The status of the answer; `undefined` where the connection broke before it. */
  readonly status: number | undefined;
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

/** The requests that were answered, the first one first. */
export interface RecordedRequests {
  readonly all: readonly RecordedRequest[];
  add(request: RecordedRequest): void;
  clear(): void;
  /**
   * Gives the requests of an operation once there are so many.
   *
   * @throws {HrTestingError} `requests-missing` where they do not come within 5 seconds.
   */
  waitFor(operation: FakeOperation, count: number): Promise<readonly RecordedRequest[]>;
}

export function createRecordedRequests(): RecordedRequests {
  let all: RecordedRequest[] = [];
  const waiting = new Set<() => void>();
  const of = (operation: FakeOperation): RecordedRequest[] => all.filter((each) => each.operation === operation);
  return {
    get all() {
      return [...all];
    },
    add(request) {
      all.push(request);
      for (const check of waiting) check();
    },
    clear() {
      all = [];
    },
    waitFor(operation, count) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly RecordedRequest[]>();
      const check = (): void => {
        const found = of(operation);
        if (found.length < count) return;
        end();
        resolve(found);
      };
      const end = (): void => {
        clearTimeout(timer);
        waiting.delete(check);
      };
      const timer = setTimeout(() => {
        end();
        reject(missing(operation, count, of(operation).length));
      }, LONGEST_WAIT_MS);
      waiting.add(check);
      check();
      return promise;
    },
  };
}

function missing(operation: FakeOperation, wanted: number, found: number): HrTestingError {
  const sentence = `${found} of ${wanted} requests of ${operation} came within ${LONGEST_WAIT_MS / 1000} seconds.`;
  return new HrTestingError('requests-missing', `requestsOf: ${sentence}`);
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);
const secretFields = new Set(['client_secret']);

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
    return Object.fromEntries((parseForm(text) ?? []).filter(([name]) => !secretFields.has(name)));
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
