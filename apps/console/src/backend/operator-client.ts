import { clientCredentials, isAuthError, type TokenProvider } from '@hr/auth';
import { bulk } from '@hr/client';
import { VariablePayment } from '@hr/schemas';
import ky from 'ky';
import { z } from 'zod';
import { fetchActing } from './acting.ts';
import type { CallLog } from './call-log.ts';
import type { Credentials } from './config.ts';
import { Problem } from './problem.ts';

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

/** Lists are separated by commas. */
export type PaymentFilter = {
  readonly id?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly payrollContractId?: string | undefined;
  readonly state?: OperatorPayment['state'] | undefined;
  readonly billingPeriod?: string | undefined;
  readonly submittedBy?: string | undefined;
};

/** For a list of values in an address. Proxies take 8 KiB of headers at least, and the service 16. */
export const MAX_LIST_LENGTH = 6000;

/** What can change at the service, as operators see it. A newer service may know more. */
export const changeKinds = ['persons', 'timeBookings', 'absences', 'salaries', 'payments', 'clients'] as const;
export type ChangeKind = (typeof changeKinds)[number];
const Changes = z.object({ cursor: z.string(), changed: z.array(z.string()) });

/** What a client may use and see. `null` means all, and a list that is missing stays as it is. */
export interface Grants {
  readonly operations?: readonly string[] | null | undefined;
  readonly systems?: readonly string[] | null | undefined;
  readonly fields?: readonly string[] | null | undefined;
}

const scopes = ['operator:read', 'operator:payments', 'operator:clients'] as const;
type OperatorScope = (typeof scopes)[number];

interface Request {
  readonly operation: string;
  readonly scope: OperatorScope;
  readonly method?: 'GET' | 'POST';
  /** Below `/operator/v1/`. */
  readonly path: string;
  /** Replaces `{id}` of the path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
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
  payments(
    query: PaymentFilter & { readonly [name in 'limit' | 'last' | 'before']?: string | undefined },
  ): Promise<OperatorPayment[]> {
    const operation = 'operatorListVariablePayments';
    const request = { operation, scope: 'operator:read', path: 'variable-payments', query } as const;
    return this.#send(z.array(OperatorPayment), request);
  }

  /** Returns the variable payments with some ids, keys or contracts, in no order. */
  async paymentsWith(
    name: 'id' | 'idempotencyKey' | 'payrollContractId',
    values: Iterable<string>,
    query: PaymentFilter = {},
  ): Promise<OperatorPayment[]> {
    const lists: string[] = [];
    for (const value of new Set(values)) {
      const list = lists.length === 0 ? value : `${lists.at(-1)},${value}`;
      if (lists.length > 0 && encodeURIComponent(list).length <= MAX_LIST_LENGTH) lists.splice(-1, 1, list);
      else lists.push(value);
    }
    const read = (list: string): Promise<OperatorPayment[]> => this.payments({ ...query, [name]: list });
    const found: OperatorPayment[] = [];
    for await (const some of bulk(lists, read, { concurrency: CONCURRENCY })) found.push(...some);
    return found;
  }

  /** Returns how many variable payments match all conditions, by billing period and state. */
  countPayments(query: PaymentFilter & { readonly sums?: 'true' }): Promise<PaymentCount[]> {
    const operation = 'operatorCountVariablePayments';
    const request = { operation, scope: 'operator:read', path: 'variable-payments/counts', query } as const;
    return this.#send(z.array(PaymentCount), request);
  }

  /** Approves or rejects a payment. */
  decide(
    id: string,
    decision: 'approve' | 'reject',
    reason: string | undefined,
    signal: AbortSignal,
  ): Promise<OperatorPayment> {
    const operation = decision === 'approve' ? 'operatorApproveVariablePayment' : 'operatorRejectVariablePayment';
    const path = `variable-payments/{id}/${decision}`;
    return this.#send(OperatorPayment, {
      operation,
      scope: 'operator:payments',
      method: 'POST',
      path,
      id,
      body: reason === undefined ? {} : { reason },
      signal,
    });
  }

  clients(): Promise<Client[]> {
    return this.#send(z.array(Client), { operation: 'operatorListClients', scope: 'operator:read', path: 'clients' });
  }

  grant(clientId: string, grants: Grants): Promise<Client> {
    return this.#send(Client, {
      operation: 'operatorGrantClient',
      scope: 'operator:clients',
      method: 'POST',
      path: 'clients/{id}/grants',
      id: clientId,
      body: grants,
    });
  }

  /** Returns the custom fields that each client sees. */
  async customFields(): Promise<ReadonlyMap<string, readonly string[]>> {
    const operation = 'operatorListCustomFields';
    const lists = await this.#send(z.array(CustomFields), { operation, scope: 'operator:read', path: 'custom-fields' });
    return new Map(lists.map(({ clientId, names }) => [clientId, names]));
  }

  async changeCustomFields(clientId: string, change: 'allow' | 'deny', names: readonly string[]): Promise<void> {
    const operation = change === 'allow' ? 'operatorAllowCustomFields' : 'operatorDenyCustomFields';
    const path = `clients/{id}/custom-fields/${change}`;
    const body = { names };
    await this.#send(CustomFields, { operation, scope: 'operator:clients', method: 'POST', path, id: clientId, body });
  }

  webhookEndpoints(): Promise<WebhookEndpoint[]> {
    const operation = 'operatorListWebhookEndpoints';
    return this.#send(z.array(WebhookEndpoint), { operation, scope: 'operator:read', path: 'webhook-endpoints' });
  }

  async changeWebhookEndpoint(id: string, change: 'pause' | 'resume' | 'remove'): Promise<void> {
    const name = { pause: 'Pause', resume: 'Resume', remove: 'Remove' }[change];
    await this.#send(WebhookEndpoint, {
      operation: `operator${name}WebhookEndpoint`,
      scope: 'operator:clients',
      method: 'POST',
      path: `webhook-endpoints/{id}/${change}`,
      id,
    });
  }

  /** Returns events of the audit that match all conditions, the oldest first. */
  auditEvents(query: {
    readonly access?: 'read' | 'change' | 'refused' | undefined;
    readonly actor?: string | undefined;
    readonly personId?: string | undefined;
    readonly objectId?: string;
    readonly since?: string | undefined;
    readonly last?: string;
  }): Promise<AuditEvent[]> {
    const operation = 'operatorListAuditEvents';
    return this.#send(z.array(AuditEvent), { operation, scope: 'operator:read', path: 'audit-events', query });
  }

  /** Returns the newest events of each client that match all conditions, the oldest first. */
  async clientActivity(query: {
    readonly access: 'read' | 'change' | 'refused';
    readonly since: string;
    readonly last: string;
  }): Promise<ReadonlyMap<string, readonly AuditEvent[]>> {
    const operation = 'operatorListClientActivity';
    const request = { operation, scope: 'operator:read', path: 'clients/activity', query } as const;
    const activity = await this.#send(z.array(ClientActivity), request);
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
    const request = {
      operation: 'operatorGetChanges',
      scope: 'operator:read',
      path: 'changes',
      query,
      signal,
    } as const;
    try {
      return await this.#send(Changes, request);
    } catch (error) {
      if (after === undefined || !(error instanceof Problem) || error.body.code !== 'not-found') throw error;
      return { cursor: undefined, changed: [] };
    }
  }

  async #send<T extends z.ZodType>(model: T, request: Request): Promise<z.infer<T>> {
    const { operation, method = 'GET', path } = request;
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
      const isUnknown = method === 'POST' && !isAuthError(error) && !isRefusedConnection(error);
      const detail = `${operation}: ${response === undefined ? 'no response' : 'an unusable response'}.`;
      throw new Problem(isUnknown ? 'outcome-unknown' : 'service-unavailable', detail);
    } finally {
      this.#calls.add({
        operation,
        method,
        path: `/operator/v1/${path}`,
        status: response?.status,
        requestId: response?.headers.get('x-request-id') ?? undefined,
        durationMs: performance.now() - start,
      });
    }
  }

  /** Sends a request, and once more if its token was rejected. */
  async #attempt({ scope, method = 'GET', path, id = '', query, body, signal }: Request): Promise<Response> {
    const parameters = Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const send = async (): Promise<Response> => {
      const token = await this.#tokens[scope].getToken();
      const response = await this.#http(`operator/v1/${path.replace('{id}', encodeURIComponent(id))}`, {
        method,
        searchParams: parameters,
        headers: { authorization: `Bearer ${token.value}` },
        ...(body !== undefined && { json: body }),
        ...(signal && { signal }),
        timeout: TIMEOUT_MS + Number(query?.['wait'] ?? 0) * 1000,
      });
      if (response.status === 401) this.#tokens[scope].invalidate(token);
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

function problemOfStatus({ status, headers }: Response, { operation, method, scope }: Request, body: unknown): Problem {
  const requestId = headers.get('x-request-id') ?? undefined;
  const detail = `${operation}: status ${status}.`;
  if (status === 404 || status === 410) return new Problem('not-found', detail, { requestId });
  if (status === 403) return new Problem('forbidden', detail, { requestId });
  // Its reason tells of clients only, and so contains no personal data.
  if (status === 409 && scope === 'operator:clients') {
    const reason = z.object({ detail: z.string() }).safeParse(body).data?.detail;
    return new Problem('rejected', detail, { requestId, errors: [{ pointer: '', code: 'conflict', detail: reason }] });
  }
  if (status === 409) return new Problem('conflict', detail, { requestId });
  if (status === 400) {
    const errors = z.object({
      errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })),
    });
    return new Problem('rejected', detail, { requestId, errors: errors.safeParse(body).data?.errors });
  }
  return new Problem(status >= 500 && method === 'POST' ? 'outcome-unknown' : 'service-unavailable', detail, {
    requestId,
  });
}
