import fc from 'fast-check';
import type { z } from 'zod';
import type { Route } from '../src/http/route.ts';
import { contractRecords, load, type TestService } from './service.ts';
import { jsonSchemaOf, valuesOf } from './schema-values.ts';

/** What a route is asked for, so that nothing is wrong with it. */
export interface ValidRequest {
  readonly method: string;
  /** The address without its query. */
  readonly path: string;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The ids of what is there, by the names of the parameters of paths. */
export type KnownIds = Readonly<Record<string, string>>;

/** Loads one of everything that a path can name. */
export async function loadKnown(service: TestService): Promise<KnownIds> {
  await load(service.database, contractRecords());
  const payments = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';
  await service.send('POST', payments, { body: { compensationComponentId: 'BONUS', amount: 1 } });
  const listed = await service.send('GET', '/operator/v1/variable-payments', { scope: 'operator' });
  const [payment] = listed.body as { id: string }[];
  const { clientId } = await service.client();
  const imports = await service.send('GET', '/operator/v1/imports', { scope: 'operator' });
  const [run] = imports.body as { id: string }[];
  const endpoints = await service.send('GET', '/api/v1/webhook-endpoints');
  let [endpoint] = endpoints.body as { id: string }[];
  if (!endpoint) {
    const created = await service.send('POST', '/api/v1/webhook-endpoints', { body: { url: 'https://localhost/' } });
    endpoint = created.body as { id: string };
  }
  return {
    id: 'p-1',
    personId: 'p-1',
    contractId: 'c-1',
    paymentId: payment?.id ?? '',
    clientId,
    importId: run?.id ?? '',
    endpointId: endpoint.id,
  };
}

/** A request that a route takes; the same every time. */
export function validRequest(route: Route, known: KnownIds): ValidRequest {
  const query = Object.entries(sampleOf(route.query) as object).filter(([name]) => isRequired(route, name));
  const wired = query.map(([name, value]) => [wireName(route, name), String(value)] as [string, string]);
  return {
    method: route.method,
    path: Object.keys(known).length > 0 ? pathWith(route, known) : route.path,
    query: wired.length > 0 ? `?${new URLSearchParams(wired).toString()}` : '',
    headers: route.stream === undefined ? {} : { 'content-type': route.stream },
    ...(route.body && { body: sampleOf(route.body) }),
    ...(route.stream !== undefined && { body: '' }),
  };
}

/** A value of a parameter of the query, by its name in the URL. */
export function validParameter(route: Route, name: string): string {
  const [, schema] = Object.entries(route.query.shape).find(([one]) => wireName(route, one) === name) ?? [];
  if (!schema) throw new Error(`${route.id} has no parameter ${name}.`);
  return encodeURIComponent(String(sampleOf(schema as z.ZodType)));
}

/** The address of a route, with these ids in it. */
export function pathWith({ path }: Route, ids: KnownIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`Say in loadKnown what a path can name by {${name}}.`);
    return encodeURIComponent(id);
  });
}

/** The names of the parameters of a route's path. */
export function pathParametersOf({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The name in the URL of a parameter of the query. */
export function wireName({ wireNames }: Route, name: string): string {
  return wireNames?.[name] ?? name;
}

function isRequired({ query }: Route, name: string): boolean {
  return jsonSchemaOf(query).required?.includes(name) ?? false;
}

const samples = new WeakMap<z.ZodType, unknown>();

/** A value that a model lets through; finding it takes longer than a request. */
function sampleOf(schema: z.ZodType): unknown {
  if (!samples.has(schema)) samples.set(schema, fc.sample(valuesOf(schema), { numRuns: 1, seed: 1 })[0]);
  return samples.get(schema);
}
