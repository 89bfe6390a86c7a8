import { clientCredentials, isAuthError, type TokenProvider } from '@hr/auth';
import { bulk } from '@hr/client';
import { VariablePayment } from '@hr/schemas';
import ky from 'ky';
import { z } from 'zod';
import { fetchActing, type CopyRead } from './acting.ts';
import type { CallLog } from './call-log.ts';
import type { Credentials } from './config.ts';
import { Problem, type ProblemCode } from './problem.ts';

const OperatorPayment = z.object({
  ...VariablePayment.shape,
  id: z.string(),
  state: z.enum(['submitted', 'approved', 'rejected']),
  payrollContractId: z.string(),
  billingPeriod: z.string(),
  masterCostCenter: z.string().optional(),
  submittedBy: z.string(),
  submittedAt: z.string(),
  idempotencyKey: z.string().optional(),
  decidedBy: z.string().optional(),
  decidedAt: z.string().optional(),
  reason: z.string().optional(),
});
/** A variable payment in any state. */
export type OperatorPayment = z.infer<typeof OperatorPayment>;

const Client = z.object({
  clientId: z.string(),
  name: z.string(),
  scope: z.string(),
  createdAt: z.string(),
  disabledAt: z.string().optional(),
  lastTokenAt: z.string().optional(),
  operations: z.array(z.string()).optional(),
  systems: z.array(z.string()).optional(),
  fields: z.array(z.string()).optional(),
  secrets: z.array(z.object({ createdAt: z.string() })),
  keys: z.array(z.object({ kid: z.string(), alg: z.string(), createdAt: z.string() })).optional(),
  jwksUrl: z.string().optional(),
});
/** A client of the service. A list that is missing means that it may use or see all. */
export type Client = z.infer<typeof Client>;

const CustomFields = z.object({ clientId: z.string(), names: z.array(z.string()) });

const WebhookEndpoint = z.object({
  id: z.string(),
  clientId: z.string(),
  origin: z.string(),
  failingSince: z.string().optional(),
  pausedAt: z.string().optional(),
  lastDelivery: z
    .object({ sentAt: z.string(), status: z.number().optional(), failure: z.string().optional() })
    .optional(),
});
/** Where a client hears of changes. */
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const AuditEvent = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  actingPerson: z.string().optional(),
  purpose: z.string().optional(),
  access: z.string(),
  operation: z.string(),
  requestId: z.string(),
  personId: z.string().optional(),
  payrollContractId: z.string().optional(),
  objectId: z.string().optional(),
  elements: z.number(),
  fields: z.array(z.string()).optional(),
  status: z.number().optional(),
});
/** Who read or changed whose data. */
export type AuditEvent = z.infer<typeof AuditEvent>;

const ClientActivity = z.object({ clientId: z.string(), events: z.array(AuditEvent) });
const PaymentCount = z.object({
  billingPeriod: z.string(),
  state: OperatorPayment.shape.state,
  payments: z.number(),
  amount: z.number().optional(),
  hours: z.number().optional(),
  days: z.number().optional(),
});
export type PaymentCount = z.infer<typeof PaymentCount>;

type Query<Name extends string = string> = Readonly<Partial<Record<Name, string | undefined>>>;
/** Lists are separated by commas. */
export type PaymentFilter = Query<
  'id' | 'idempotencyKey' | 'payrollContractId' | 'state' | 'billingPeriod' | 'submittedBy'
>;

/** What a filter of payments may have a list of. */
type ListedName = 'id' | 'idempotencyKey' | 'payrollContractId';

/** For a list of values in an address. Proxies take 8 KiB of headers at least, and the service 16. */
export const MAX_LIST_LENGTH = 6000;

/** What can change at the service, as operators see it. A newer service may know more. */
export const changeKinds = ['persons', 'timeBookings', 'absences', 'salaries', 'payments', 'clients'] as const;
export type ChangeKind = (typeof changeKinds)[number];
const Changes = z.object({ cursor: z.string(), changed: z.array(z.string()) });

/** What a client may use and see. `null` means all, and a list that is missing stays as it is. */
export type Grants = Readonly<
  Partial<Record<'operations' | 'systems' | 'fields', readonly string[] | null | undefined>>
>;

const scopes = ['operator:read', 'operator:payments', 'operator:clients', 'operator:audit'] as const;
type OperatorScope = (typeof scopes)[number];

interface Request<Model extends z.ZodType = z.ZodType> {
  readonly operation: string;
  /** Of the response. */
  readonly model: Model;
  /** Below `/operator/v1/`. */
  readonly path: string;
  /** Replaces `{id}` of the path. */
  readonly id?: string;
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Of a change. */
  readonly change?: { readonly scope: OperatorScope; readonly body?: unknown };
}

const RETRIES = 2;
/** The service rejects many lists of a client at the same time. */
const CONCURRENCY = 4;
const TIMEOUT_MS = 15_000;

/** The operations for operators, which are no part of the API. Each uses a token with the narrowest scope that is enough. */
export class OperatorClient {
  readonly #http: typeof ky;
  readonly #tokens: Readonly<Record<OperatorScope, TokenProvider>>;
  readonly #calls: CallLog;

  constructor(baseUrl: string, { clientId, clientSecret }: Credentials, calls: CallLog) {
    this.#calls = calls;
    // Only reads are repeated.
    const retry = { limit: RETRIES, methods: ['get' as const] };
    this.#http = ky.create({ prefix: baseUrl, retry, redirect: 'manual', throwHttpErrors: false, fetch: fetchActing });
    const tokens = scopes.map((scope) => [scope, clientCredentials({ baseUrl, clientId, clientSecret, scope })]);
    this.#tokens = Object.fromEntries(tokens) as Record<OperatorScope, TokenProvider>;
  }

  /** Returns variable payments that match all conditions, the oldest first. */
  payments(query: PaymentFilter & Query<'limit' | 'last' | 'before'>): Promise<OperatorPayment[]> {
    const operation = 'operatorListVariablePayments';
    return this.#send({ operation, path: 'variable-payments', model: z.array(OperatorPayment), query });
  }

  /** Returns the variable payments with some ids, keys or contracts, in no order. */
  async paymentsWith(
    name: ListedName,
    values: Iterable<string>,
    query: PaymentFilter = {},
  ): Promise<OperatorPayment[]> {
    return await this.withEach(name, values, (list) => this.payments({ ...query, ...list }));
  }

  /** Reads something for lists of values that are short enough for an address, and returns all of it, in no order. */
  async withEach<Result>(
    name: ListedName,
    values: Iterable<string>,
    read: (list: PaymentFilter) => Promise<Result[]>,
  ): Promise<Result[]> {
    const lists: string[] = [];
    for (const value of new Set(values)) {
      const list = lists.length === 0 ? value : `${lists.at(-1)},${value}`;
      if (lists.length > 0 && encodeURIComponent(list).length <= MAX_LIST_LENGTH) lists.splice(-1, 1, list);
      else lists.push(value);
    }
    const found: Result[] = [];
    const some = bulk(lists, (list) => read({ [name]: list }), { concurrency: CONCURRENCY });
    for await (const part of some) found.push(...part);
    return found;
  }

  /** Returns how many variable payments match all conditions, by billing period and state. */
  countPayments(query: PaymentFilter & Query<'sums'>): Promise<PaymentCount[]> {
    const operation = 'operatorCountVariablePayments';
    return this.#send({ operation, path: 'variable-payments/counts', model: z.array(PaymentCount), query });
  }

  /** Approves or rejects a payment. */
  decide(
    id: string,
    decision: 'approve' | 'reject',
    reason: string | undefined,
    signal: AbortSignal,
  ): Promise<OperatorPayment> {
    const operation = decision === 'approve' ? 'operatorApproveVariablePayment' : 'operatorRejectVariablePayment';
    const change = { scope: 'operator:payments', body: { reason } } as const;
    const path = `variable-payments/{id}/${decision}`;
    return this.#send({ operation, path, id, model: OperatorPayment, signal, change });
  }

  clients(): Promise<Client[]> {
    return this.#send({ operation: 'operatorListClients', path: 'clients', model: z.array(Client) });
  }

  grant(id: string, grants: Grants): Promise<Client> {
    const change = { scope: 'operator:clients', body: grants } as const;
    return this.#send({ operation: 'operatorGrantClient', path: 'clients/{id}/grants', id, model: Client, change });
  }

  /** Replaces the public keys of a client by a JWK set, or by the URL of one. */
  setKeys(id: string, keys: { readonly jwks?: unknown; readonly jwksUrl?: string | undefined }): Promise<Client> {
    const change = { scope: 'operator:clients', body: keys } as const;
    return this.#send({ operation: 'operatorSetClientKeys', path: 'clients/{id}/keys', id, model: Client, change });
  }

  /** Returns the custom fields that each client sees. */
  async customFields(): Promise<ReadonlyMap<string, readonly string[]>> {
    const operation = 'operatorListCustomFields';
    const lists = await this.#send({ operation, path: 'custom-fields', model: z.array(CustomFields) });
    return new Map(lists.map(({ clientId, names }) => [clientId, names]));
  }

  async changeCustomFields(id: string, kind: 'allow' | 'deny', names: readonly string[]): Promise<void> {
    const operation = kind === 'allow' ? 'operatorAllowCustomFields' : 'operatorDenyCustomFields';
    const change = { scope: 'operator:clients', body: { names } } as const;
    await this.#send({ operation, path: `clients/{id}/custom-fields/${kind}`, id, model: CustomFields, change });
  }

  webhookEndpoints(): Promise<WebhookEndpoint[]> {
    const operation = 'operatorListWebhookEndpoints';
    return this.#send({ operation, path: 'webhook-endpoints', model: z.array(WebhookEndpoint) });
  }

  async changeWebhookEndpoint(id: string, kind: 'pause' | 'resume' | 'remove'): Promise<void> {
    const operation = `operator${{ pause: 'Pause', resume: 'Resume', remove: 'Remove' }[kind]}WebhookEndpoint`;
    const change = { scope: 'operator:clients' } as const;
    await this.#send({ operation, path: `webhook-endpoints/{id}/${kind}`, id, model: WebhookEndpoint, change });
  }

  /** Tells of reads from the local copy. */
  async recordReads(events: readonly CopyRead[]): Promise<void> {
    const change = { scope: 'operator:audit', body: { events } } as const;
    await this.#send({ operation: 'operatorRecordReads', path: 'audit-events', model: z.object({}), change });
  }

  /** Returns events of the audit that match all conditions, the oldest first. */
  auditEvents(
    query: Query<'access' | 'actor' | 'actingPerson' | 'personId' | 'objectId' | 'since' | 'last'>,
  ): Promise<AuditEvent[]> {
    return this.#send({
      operation: 'operatorListAuditEvents',
      path: 'audit-events',
      model: z.array(AuditEvent),
      query,
    });
  }

  /** Returns the newest events of each client that match all conditions, the oldest first. */
  async clientActivity(query: Query<'access' | 'since' | 'last'>): Promise<ReadonlyMap<string, readonly AuditEvent[]>> {
    const operation = 'operatorListClientActivity';
    const activity = await this.#send({ operation, path: 'clients/activity', model: z.array(ClientActivity), query });
    return new Map(activity.map(({ clientId, events }) => [clientId, events]));
  }

  /**
   * Returns what changed after a cursor, as soon as something does, and the next cursor. That is undefined if the cursor has
   * expired.
   *
   * @param wait - Seconds.
   */
  async changes(
    after: string | undefined,
    wait: number,
    signal: AbortSignal,
  ): Promise<{ readonly cursor: string | undefined; readonly changed: readonly string[] }> {
    const query = { after, wait: String(wait) };
    try {
      return await this.#send({ operation: 'operatorGetChanges', path: 'changes', model: Changes, query, signal });
    } catch (error) {
      if (after === undefined || !(error instanceof Problem) || error.body.code !== 'not-found') throw error;
      return { cursor: undefined, changed: [] };
    }
  }

  async #send<Model extends z.ZodType>(request: Request<Model>): Promise<z.infer<Model>> {
    const { operation, model, path, change } = request;
    const start = performance.now();
    let response: Response | undefined;
    try {
      response = await this.#attempt(request);
      const body: unknown = await response.json();
      if (response.ok) return model.parse(body);
      throw problemOfStatus(response, request, body);
    } catch (error) {
      if (error instanceof Problem) throw error;
      // The cause may have the token. Without one, or without a connection, nothing was sent.
      const isUnknown = change !== undefined && !isAuthError(error) && !isRefusedConnection(error);
      const detail = `${operation}: ${response === undefined ? 'no response' : 'an unusable response'}.`;
      throw new Problem(isUnknown ? 'outcome-unknown' : 'service-unavailable', detail);
    } finally {
      this.#calls.add({
        operation,
        method: change ? 'POST' : 'GET',
        path: `/operator/v1/${path}`,
        status: response?.status,
        requestId: response?.headers.get('x-request-id') ?? undefined,
        durationMs: performance.now() - start,
      });
    }
  }

  /** Sends a request, and once more if its token was rejected. */
  async #attempt({ path, id = '', query = {}, signal, change }: Request): Promise<Response> {
    const tokens = this.#tokens[change?.scope ?? 'operator:read'];
    const send = async (): Promise<Response> => {
      const token = await tokens.getToken();
      const response = await this.#http(`operator/v1/${path.replace('{id}', encodeURIComponent(id))}`, {
        searchParams: query,
        headers: { authorization: `Bearer ${token.value}` },
        ...(change && { method: 'POST', json: change.body }),
        ...(signal && { signal }),
        timeout: TIMEOUT_MS + Number(query['wait'] ?? 0) * 1000,
      });
      if (response.status === 401) tokens.invalidate(token);
      return response;
    };
    const response = await send();
    return response.status === 401 ? await send() : response;
  }
}

/** Whether no connection was made. Any other fault may come after the service got the request. */
function isRefusedConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return true;
  }
  return false;
}

const Fault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });
const ServiceProblem = z.object({ detail: z.string().optional(), errors: z.array(Fault).optional() });
const codes: Readonly<Record<number, ProblemCode>> = {
  400: 'rejected',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
};

function problemOfStatus({ status, headers }: Response, { operation, change }: Request, body: unknown): Problem {
  const requestId = headers.get('x-request-id') ?? undefined;
  const place = `${operation}: status ${status}.`;
  const { detail, errors } = ServiceProblem.safeParse(body).data ?? {};
  // Its reason tells of clients only, and so contains no personal data.
  if (status === 409 && change?.scope === 'operator:clients') {
    return new Problem('rejected', place, { requestId, errors: [{ pointer: '', code: 'conflict', detail }] });
  }
  const code = codes[status] ?? (status >= 500 && change ? 'outcome-unknown' : 'service-unavailable');
  return new Problem(code, place, { requestId, errors: status === 400 ? errors : undefined });
}
