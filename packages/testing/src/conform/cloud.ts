import { setTimeout } from 'node:timers/promises';
import { API_SCOPE, Problem, TOKEN_PATH } from '@hr/schemas';
import { MalformedJsonArray } from '@hr/schemas/json-array';
import { mediaTypeOf } from '../contract/pact.ts';
import { invalidOption } from '../hr-testing-error.ts';
import type { ConformOptions } from './conform-options.ts';
import type { Deviation } from './deviation.ts';
import { readElements, type EachElement } from './element-stream.ts';

const MAX_IN_FLIGHT = 4;
const MAX_SILENCE_MS = 60_000;
/** Of a request while the HR cloud is unavailable. */
const MAX_ATTEMPTS = 6;
const MAX_WAIT_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

/** A value that must not be shown, such as an id of a person. Reports say where it is from. */
export interface Hidden {
  readonly value: string;
  readonly from: string;
}
export type Given = string | Hidden;
type Fields = Readonly<Record<string, Given>>;

export interface CloudRequest {
  /** The operation for the coverage. */
  readonly operation: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters?: Fields;
  readonly query?: Fields;
  readonly body?: unknown;
  /** Whether the body has values of a person. */
  readonly isPrivate?: boolean;
  readonly form?: Fields;
  readonly headers?: Fields;
  /** `null` sends no token; default: the token of the run. */
  readonly token?: string | null;
  /** Continues after an interruption. */
  readonly always?: true;
}

/** A request and its response. */
export interface Exchange {
  readonly request: CloudRequest;
  /** 0 without a complete response. */
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` for other content and for a streamed list. */
  readonly body: unknown;
  /** The status, or why there is no complete response. */
  readonly got: string;
}

/** The number of requests with a status, and of their fields. */
export type Coverage = Record<string, Record<string, { requests: number; fields: Record<string, number> }>>;

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

  /** The request of a deviation as a curl command. */
  curl({ method, path, parameters, query, body, form, headers, token, isPrivate }: CloudRequest): string {
    const origins: string[] = [];
    const shown = (name: string, given: Given, encode = encodeURIComponent): string => {
      if (typeof given === 'string') return encode(given);
      const variable = name.replaceAll(/(?=[A-Z])/g, '_').toUpperCase();
      origins.push(`${variable} is ${given.from}`);
      return `$${variable}`;
    };
    const url = this.#options.baseUrl + addressOf({ path, parameters, query }, shown);
    const own = {
      ...(token !== null && { Authorization: `Bearer ${token ?? '$TOKEN'}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const others = new Set(Object.keys(headers ?? {}));
    const sent = [
      ...Object.entries(own).filter(([name]) => !others.has(name.toLowerCase()) && !others.has(name)),
      ...Object.entries(headers ?? {}),
    ];
    const pairs = Object.entries(form ?? {}).map(([name, value]) => ` -d "${name}=${shown(name, value)}"`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const json = isPrivate ? '$BODY' : text?.replaceAll("'", String.raw`'\''`);
    return [
      `curl -i -X ${method} "${url}"`,
      ...sent.map(([name, value]) => ` -H "${name}: ${shown(name, value, String)}"`),
      ...pairs,
      ...(body === undefined ? [] : [` -d '${json}'`]),
      ...(origins.length > 0 ? [`  # ${origins.join('; ')}`] : []),
    ].join('');
  }

  async #sendWithinLimit(request: CloudRequest, each?: EachElement): Promise<Exchange> {
    let isRenewed = false;
    for (let attempt = 1; ; attempt++) {
      const { signal: given } = this.#options;
      const signal = request.always ? undefined : given;
      signal?.throwIfAborted();
      // oxlint-disable no-await-in-loop -- one attempt after the other
      await setTimeout(Math.max(0, this.#waitUntil - performance.now()), undefined, { ...(signal && { signal }) });
      const authorization = request.token === undefined && !request.form ? await this.token() : request.token;
      const exchange = await this.#exchange(request, authorization ?? undefined, each);
      signal?.throwIfAborted();
      const { status, headers } = exchange;
      const [, seconds] = /;r=0(?:;.*)?;t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      const wait = Number(headers.get('retry-after') ?? (status === 429 ? (seconds ?? 1) : NaN));
      if (seconds !== undefined) this.#pause(Number(seconds));
      // A payment may exist despite a 503, so only its 429 is repeated.
      const isRepeatable = status === 503 && request.method !== 'POST' && attempt < MAX_ATTEMPTS;
      if ((status === 429 || isRepeatable) && wait <= MAX_WAIT_SECONDS) {
        this.#options.onProgress?.(`waits ${wait} s, as the HR cloud asks`);
        this.#pause(wait);
      } else if (status === 401 && authorization && request.token === undefined && !isRenewed) {
        isRenewed = true;
        this.renewToken();
      } else return exchange;
      // oxlint-enable no-await-in-loop
    }
  }

  #pause(seconds: number): void {
    this.#waitUntil = Math.max(this.#waitUntil, performance.now() + Math.min(seconds, MAX_WAIT_SECONDS) * 1000);
  }

  async #exchange(request: CloudRequest, token: string | undefined, each?: EachElement): Promise<Exchange> {
    const { operation, method, form, headers, body } = request;
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    const timer = globalThis.setTimeout(stop, MAX_SILENCE_MS);
    if (!request.always) this.#options.signal?.addEventListener('abort', stop);
    const none = { request, status: 0, headers: new Headers(), body: undefined };
    try {
      const response = await fetch(
        this.#options.baseUrl + addressOf(request, (_, given) => encodeURIComponent(valueOf(given))),
        {
          method,
          redirect: 'manual',
          signal: abort.signal,
          headers: {
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...valuesOf(headers),
          },
          body: form ? new URLSearchParams(valuesOf(form)) : body === undefined ? null : JSON.stringify(body),
        },
      );
      const { status } = response;
      const bytes = keptAlive(response, () => timer.refresh());
      const content = each && status === 200 ? await readElements(bytes, each) : await readJson(bytes);
      const exchange = { request, status, headers: response.headers, body: content, got: `status ${status}` };
      this.#record(exchange, operation);
      return exchange;
    } catch (error) {
      if (error instanceof MalformedJsonArray) return { ...none, got: `a body that ${error.message}` };
      return { ...none, got: 'no complete response' };
    } finally {
      clearTimeout(timer);
      this.#options.signal?.removeEventListener('abort', stop);
      abort.abort();
    }
  }

  #record(exchange: Exchange, operation: string): void {
    const { request, status, headers, body } = exchange;
    this.count(operation, status);
    const fields = [
      ...Object.keys(request.query ?? {}).map((name) => `query ${name}`),
      ...pathsIn(request.body, 'body'),
    ];
    for (const field of fields) this.count(operation, status, field);
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
    const exchange = await this.#exchange(
      { operation: 'requestToken', method: 'POST', path: TOKEN_PATH, form, always: true },
      undefined,
    );
    const issued = (exchange.body as { access_token?: unknown } | undefined)?.access_token;
    if (typeof issued === 'string') return issued;
    const remedy = 'Check the client id, the client secret and the base URL.';
    throw invalidOption(`${baseUrl}${TOKEN_PATH}: no token, got ${exchange.got}. ${remedy}`);
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

export function valueOf(given: Given): string {
  return typeof given === 'string' ? given : given.value;
}

function valuesOf(fields: Fields = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, valueOf(given)]));
}

function addressOf(
  { path, parameters = {}, query = {} }: { path: string; parameters?: Fields | undefined; query?: Fields | undefined },
  show: (name: string, given: Given) => string,
): string {
  const pairs = Object.entries(query).map(([name, given]) => `${encodeURIComponent(name)}=${show(name, given)}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => show(name, parameters[name] ?? ''));
  return filled + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}

/** The paths of the fields in JSON, such as `body.addresses[*].city`. */
function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((element) => pathsIn(element, `${path}[*]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [`${path}.${name}`, ...pathsIn(field, `${path}.${name}`)]);
}

async function* keptAlive({ body }: Response, arrived: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body ?? []) {
    arrived();
    yield chunk as Uint8Array;
  }
}

async function readJson(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) if ((size += chunk.length) <= MAX_BODY_BYTES) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
