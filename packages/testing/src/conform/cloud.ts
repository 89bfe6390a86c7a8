import { setTimeout } from 'node:timers/promises';
import { API_SCOPE, Problem, TOKEN_PATH } from '@hr/schemas';
import { MalformedJsonArray } from '@hr/schemas/json-array';
import { jsonOf, mediaTypeOf } from '../contract/pact.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { curlOf, partsOf, valueOf, type CloudRequest, type Given } from './cloud-request.ts';
import type { ConformOptions, Coverage } from './conform-options.ts';
import type { Deviation } from './check.ts';
import { readElements, readText, type EachElement } from './response-body.ts';

const MAX_IN_FLIGHT = 4;
const MAX_SILENCE_MS = 60_000;
/** Of a request while the HR cloud is unavailable. */
const MAX_ATTEMPTS = 6;
const MAX_WAIT_SECONDS = 300;

/** A request and its response. */
export interface Exchange {
  readonly request: CloudRequest;
  /** 0 without a complete response. */
  readonly status: number;
  readonly headers: Headers;
  /** Without that of a streamed list. */
  readonly text: string;
  /** Parsed JSON; `undefined` for other content. */
  readonly body: unknown;
  /** The status, or why there is no complete response. */
  readonly got: string;
}

/** Sends requests to an HR cloud, within its rate limit, and records what the report needs. */
export class Cloud {
  readonly coverage: Coverage = {};
  /** Error responses that are not problem details (RFC 9457), by operation and status. */
  readonly errorFaults = new Map<string, Deviation>();
  readonly #options: ConformOptions;
  readonly #lanes: Promise<unknown>[] = Array.from({ length: MAX_IN_FLIGHT }, () => Promise.resolve());
  #sent = 0;
  #waitUntil = 0;
  #token: Promise<string> | undefined;

  constructor(options: ConformOptions) {
    this.#options = options;
  }

  /** Sends a request. `each` receives the elements of a successful response while they arrive. */
  send(request: CloudRequest, each?: EachElement): Promise<Exchange> {
    const lane = this.#sent++ % MAX_IN_FLIGHT;
    const exchange = this.#lanes[lane]?.then(() => this.#sendWithinLimit(request, each)) as Promise<Exchange>;
    this.#lanes[lane] = exchange.catch(() => undefined);
    return exchange;
  }

  /** Counts a field of a request or response. */
  count(operation: string, status: number, field?: string): void {
    const counts = ((this.coverage[operation] ??= {})[status] ??= { requests: 0, fields: {} });
    if (field === undefined) counts.requests++;
    else counts.fields[field] = (counts.fields[field] ?? 0) + 1;
  }

  curl(request: CloudRequest): string {
    return curlOf(this.#options.baseUrl, request);
  }

  async #sendWithinLimit(request: CloudRequest, each?: EachElement): Promise<Exchange> {
    const signal = request.always ? undefined : this.#options.signal;
    const needsToken = request.token === undefined && !request.form;
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      // oxlint-disable no-await-in-loop -- one attempt after the other
      await setTimeout(Math.max(0, this.#waitUntil - performance.now()), undefined, { ...(signal && { signal }) });
      const token = needsToken ? await this.token() : request.token;
      const exchange = await this.#exchange(request, token ?? null, each);
      signal?.throwIfAborted();
      const { status, headers } = exchange;
      const [, seconds] = /;r=0(?:;.*)?;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      const wait = Number(headers.get('retry-after') ?? (status === 429 ? (seconds ?? 1) : NaN));
      if (request.isSingle) return exchange;
      if (seconds !== undefined) this.#pause(Number(seconds));
      // A payment may exist despite a 503, so only its 429 is repeated.
      const isRepeatable = status === 503 && request.method !== 'POST' && attempt < MAX_ATTEMPTS;
      if ((status === 429 || isRepeatable) && wait <= MAX_WAIT_SECONDS) {
        this.#pause(wait);
      } else if (status === 401 && needsToken && !isRenewed) {
        isRenewed = true;
        this.renewToken();
      } else return exchange;
      // oxlint-enable no-await-in-loop
    }
  }

  #pause(seconds: number): void {
    const end = performance.now() + Math.min(seconds, MAX_WAIT_SECONDS) * 1000;
    if (end > this.#waitUntil) this.#options.onProgress?.(`waits ${seconds} s, as the HR cloud asks`);
    this.#waitUntil = Math.max(this.#waitUntil, end);
  }

  async #exchange(request: CloudRequest, token: Given | null, each?: EachElement): Promise<Exchange> {
    const { signal, baseUrl } = this.#options;
    const silence = new AbortController();
    const timer = globalThis.setTimeout(() => silence.abort(), MAX_SILENCE_MS);
    const signals = [silence.signal, ...(signal && !request.always ? [signal] : [])];
    const sent = { ...request, token, headers: { accept: 'application/json', ...request.headers } };
    const { address, headers, form } = partsOf(sent, (_name, given, encode) => encode(valueOf(given)));
    try {
      const response = await fetch(baseUrl + address, {
        method: request.method,
        redirect: 'manual',
        signal: AbortSignal.any(signals),
        headers,
        body: form ? new URLSearchParams(form) : (request.content ?? JSON.stringify(request.body) ?? null),
      });
      const { status } = response;
      const bytes = keepingAlive(response, timer);
      const text = each && status === 200 ? await readElements(bytes, each) : await readText(bytes);
      const got = `status ${status}`;
      const exchange = { request, status, headers: response.headers, text, body: jsonOf(text), got };
      this.#record(exchange);
      return exchange;
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
      const why = silence.signal.aborted ? `: no data for ${MAX_SILENCE_MS / 1000} s` : code ? `: ${code}` : '';
      const got = error instanceof MalformedJsonArray ? `a body that ${error.message}` : `no complete response${why}`;
      return { request, status: 0, headers: new Headers(), text: '', body: undefined, got };
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  #record({ request, status, headers, body }: Exchange): void {
    const { operation, query = {} } = request;
    this.count(operation, status);
    for (const name of Object.keys(query)) this.count(operation, status, `query ${name}`);
    for (const field of pathsIn(request.body, 'body')) this.count(operation, status, field);
    if (status < 400 || request.form || status === 429) return;
    const problem = Problem.safeParse(body).data;
    const isType = mediaTypeOf(headers.get('content-type') ?? '') === 'application/problem+json';
    if (isType && problem?.status === status) return;
    const got = isType ? 'application/problem+json without its type, title or status' : 'another media type';
    const expected = 'problem details as application/problem+json (RFC 9457)';
    const fault = { place: `body of status ${status}`, expected, got, request: this.curl(request) };
    this.errorFaults.set(`${operation} ${status}`, fault);
  }

  /** The token of `HR_TOKEN`, or one that the token endpoint issues. */
  token(): Promise<string> {
    return (this.#token ??= this.#requestToken());
  }

  /** Lets the next request get a new token. */
  renewToken(): void {
    this.#token = undefined;
  }

  async #requestToken(): Promise<string> {
    const { token, baseUrl } = this.#options;
    if (token !== undefined) return token;
    const form = credentialsForm(this.#options);
    const request = { operation: 'requestToken', method: 'POST', path: TOKEN_PATH, form, always: true } as const;
    const { body, got } = await this.#exchange(request, null);
    const issued = (body as { access_token?: unknown } | null | undefined)?.access_token;
    if (typeof issued === 'string') return issued;
    const remedy = 'Check the client id, the client secret and the base URL.';
    throw invalidOption(`${baseUrl}${TOKEN_PATH}: no token, got ${got}. ${remedy}`);
  }
}

/** The form of a token request (section 5). */
export function credentialsForm({ clientId = '', clientSecret = '' }: ConformOptions) {
  return {
    grant_type: 'client_credentials',
    client_id: { value: clientId, from: 'the client id' },
    client_secret: { value: clientSecret, from: 'the client secret' },
    scope: API_SCOPE,
  };
}

/** The paths of the fields in JSON, such as `body.addresses[*].city`. */
function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((element) => pathsIn(element, `${path}[*]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [`${path}.${name}`, ...pathsIn(field, `${path}.${name}`)]);
}

async function* keepingAlive({ body }: Response, timer: NodeJS.Timeout) {
  for await (const chunk of body ?? []) {
    timer.refresh();
    yield chunk as Uint8Array;
  }
}
