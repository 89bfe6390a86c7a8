import { operations, type Operation } from '@hr/schemas';
import { apiRoutes, operatorOperations, operatorRoutes } from '../../src/routes.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { HttpAnswer } from './read-answer.ts';
import { placeholders } from './secrets.ts';

const routes = [...apiRoutes, ...operatorRoutes].map((route) => ({
  ...route,
  address: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const table: Readonly<Record<string, Pick<Operation, 'response' | 'delta' | 'list'>>> = {
  ...operations,
  ...operatorOperations,
};

/** The path that a request asks for. */
export function pathOf({ target }: FuzzRequest): string {
  return /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target)?.[1] ?? '';
}

/** Which route answers a request. */
export function routeOf(request: FuzzRequest): { readonly id: string } | undefined {
  const path = pathOf(request);
  return routes.find(({ method, address }) => method === request.method && address.test(path));
}

/** What is wrong with an answer of success, by its route: who may get it, and its model. */
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
  const isModel = elements.every((element) => model.safeParse(element).success);
  return isModel ? [] : ['The answer is not of its model.'];
}
