import { TOKEN_PATH } from '@hr/schemas';
import type { FuzzRequest } from 'service/test/fuzz/fuzz-request.ts';
import { placeholders } from 'service/test/fuzz/secrets.ts';

/** Whose list of seen ids a response adds to: that of a lane, or that of all random requests. */
export type Owner = number | 'shared';

/**
 * What a request stores if it succeeds: a value in a register, which later requests of the same client replace, and a
 * marker, which may be stored once at most.
 */
export interface Write {
  /** Such as `houseNumber ledger-0`. One that ends with a space is of the id in the response. */
  readonly register?: string;
  readonly value?: string;
  readonly marker?: string;
}

export interface Sent {
  readonly request: FuzzRequest;
  readonly write?: Write;
  readonly owner: Owner;
}

interface Place {
  readonly lane: number;
  /** Which of the ids that were seen. */
  readonly choice: number;
  /** Differs from that of each other request. */
  readonly index: number;
}
type Make = (place: Place) => Omit<Sent, 'owner'>;

/** The placeholder of an id that an earlier response had. */
export function seen(owner: Owner, name: string, index: number): string {
  return `~seen:${owner}:${name}:${index}~`;
}

const { apiToken, operatorToken, clientId, clientSecret } = placeholders;

/** A request with a body of JSON, or of text with its type. */
function call(address: string, body?: object | string, write?: Write, more: readonly [string, string][] = []) {
  const [method = '', target = ''] = address.split(' ');
  const token = target.startsWith('/operator') ? operatorToken : apiToken;
  const isText = typeof body === 'string';
  const headers: [string, string][] = [['Host', 'service'], ['Authorization', `Bearer ${token}`], ...more];
  if (body && !isText) headers.push(['Content-Type', 'application/json']);
  const text = isText ? body : body ? JSON.stringify(body) : '';
  return { request: { method, target, headers, body: text, chunked: false }, ...(write && { write }) };
}

/** A strict feed of one record, which is stored or refused as a whole. */
function feed(record: object, register: string, value: string): Omit<Sent, 'owner'> {
  const type: [string, string] = ['Content-Type', 'application/x-ndjson'];
  return call('POST /operator/v1/feed?strict=true', `${JSON.stringify(record)}\n`, { register, value }, [type]);
}

function pay(lane: number, marker: string, key: readonly [string, string][] = []): Omit<Sent, 'owner'> {
  const path = `/api/v1/payrollContract/ledger-c-${lane}/variable-payments?billingPeriod=2026-01`;
  return call(`POST ${path}`, { compensationComponentId: marker, amount: 1 }, { marker }, key);
}

/** Changes something that the lane has made or seen, named `ID` in the address. */
function change(what: 'client' | 'endpoint' | 'payment' | 'person', address: string, value: string): Make {
  return ({ lane, choice }) => {
    const id = seen(lane, `${what}Id`, choice);
    const body = address.startsWith('POST') ? {} : undefined;
    return call(address.replace('ID', id), body, { register: `${what} ${id}`, value });
  };
}

/** So many steps a key of a payment is sent again and again. */
const KEY_STEPS = 600;
const operator = 'POST /operator/v1';

/** Requests that succeed where nothing disturbs them, and whose success is remembered. */
export const writes: readonly Make[] = [
  ({ lane, index }) =>
    call(
      `PATCH /api/v1/persons/ledger-${lane}`,
      { addresses: [{ houseNumber: String(index) }] },
      { register: `houseNumber ledger-${lane}`, value: String(index) },
    ),
  ({ lane, choice, index }) => {
    // Few, so that each is sent several times.
    const key = `k-${lane}-${choice % 2}-${Math.floor(index / KEY_STEPS)}`;
    return pay(lane, key, [['Idempotency-Key', key]]);
  },
  ({ lane, index }) => pay(lane, `u-${index}`),
  () => call(`GET /operator/v1/variable-payments?state=submitted&submittedBy=${clientId}&last=8`),
  change('payment', `${operator}/variable-payments/ID/approve`, 'approved'),
  ({ lane, index }) => {
    const record = { kind: 'keyNumber', personId: `ledger-${lane}`, keyNumber: String(index) };
    return feed(record, `keyNumber ledger-${lane}`, String(index));
  },
  ({ lane, choice, index }) => {
    const id = `a-${lane}-${choice}`;
    const record = { kind: 'absence', id, personId: `ledger-${lane}`, startDate: '2026-01-01', amount: index };
    return feed(record, `absence ${id}`, String(index));
  },
  ({ index }) => feed({ kind: 'person', id: `gone-${index}` }, `person gone-${index}`, 'there'),
  change('person', `${operator}/persons/ID/erase`, 'gone'),
  ({ index }) => {
    const name = `m-${index}`;
    return call(
      `${operator}/clients`,
      { name, scope: 'api:use' },
      { marker: name, register: 'client ', value: 'enabled' },
    );
  },
  change('client', `${operator}/clients/ID/disable`, 'disabled'),
  change('client', `${operator}/clients/ID/enable`, 'enabled'),
  () =>
    call('POST /api/v1/webhook-endpoints', { url: 'https://localhost/' }, { register: 'endpoint ', value: 'active' }),
  change('endpoint', `${operator}/webhook-endpoints/ID/pause`, 'paused'),
  change('endpoint', `${operator}/webhook-endpoints/ID/resume`, 'active'),
  change('endpoint', 'DELETE /api/v1/webhook-endpoints/ID', 'gone'),
  () => {
    const fields = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'api:use',
    };
    const form = Object.entries(fields).map((pair) => pair.join('='));
    const { request } = call(`POST ${TOKEN_PATH}`, form.join('&'));
    const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
    return { request: { ...request, headers: [['Host', 'service'], type] } };
  },
];
