import { isDeepStrictEqual } from 'node:util';
import { operations } from '@hr/schemas';
import type { Operation } from '@hr/schemas';
import { apiRoutes, operatorOperations, operatorRoutes } from '../../src/routes.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { HttpAnswer } from './read-answer.ts';
import { placeholders } from './secrets.ts';

const routes = [...apiRoutes, ...operatorRoutes].map((route) => ({
  ...route,
  address: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const table: Readonly<Record<string, Pick<Operation, 'response' | 'delta' | 'list'>>> = {
  ...operations,
  ...operatorOperations,
};

interface Hit {
  readonly id: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** The path that a request asks for. */
export function pathOf({ target }: FuzzRequest): string {
  return /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target)?.[1] ?? '';
}

/** Which route answers a request. */
export function routeOf(request: FuzzRequest): Hit | undefined {
  const path = pathOf(request);
  for (const { id, method: own, address } of routes) {
    const groups = own === request.method ? address.exec(path) : undefined;
    if (groups) return { id, ids: { ...groups.groups } };
  }
  return undefined;
}

/** What is wrong with an answer of success, by its route: who may get it, its model, and what a change answers. */
export function modelFaults(request: FuzzRequest, { status, body }: HttpAnswer): string[] {
  const route = routeOf(request);
  if (!route || status >= 300) return [];
  const scope = route.id.startsWith('operator') ? placeholders.operatorToken : placeholders.apiToken;
  const authorizations = request.headers.filter(([name]) => name === 'Authorization');
  if (!authorizations.some(([, value]) => value.includes(scope))) return [`${route.id} answers without its scope.`];
  const json = JSON.parse(body.toString()) as unknown;
  const { response, delta, list } = table[route.id] as Pick<Operation, 'response' | 'delta' | 'list'>;
  const model = delta && request.target.includes('?') ? delta : response;
  if (list && !Array.isArray(json)) return ['The list is no array.'];
  const elements = list ? (json as unknown[]) : [json];
  if (!elements.every((element) => model.safeParse(element).success)) return ['The answer is not of its model.'];
  return request.method === 'GET' || isAnswered(request, route, json) ? [] : ['The answer is not what was sent.'];
}

function isAnswered(request: FuzzRequest, { id, ids }: Hit, json: unknown): boolean {
  if (id !== 'updatePerson' && id !== 'submitVariablePayment') return true;
  const sent = JSON.parse(Buffer.from(request.body, 'latin1').toString()) as Record<string, unknown>;
  const answered = json as Record<string, unknown>;
  if (id === 'updatePerson') {
    const [address] = (sent['addresses'] ?? []) as unknown[];
    return (
      (!('addresses' in sent) || isSame(answered['address'] ?? {}, address ?? {})) &&
      (!('bankDetails' in sent) || isSame(answered['bankDetails'] ?? {}, sent['bankDetails']))
    );
  }
  const billingPeriod = new URLSearchParams(request.target.split('?')[1]).get('billingPeriod');
  const payrollContractId = decodeURIComponent(ids['contractId'] ?? '');
  return isSame(answered, { payrollContractId, billingPeriod, correctionPeriod: billingPeriod, ...sent });
}

/** Whether two values are the same JSON; 0 and -0 are the same number. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
