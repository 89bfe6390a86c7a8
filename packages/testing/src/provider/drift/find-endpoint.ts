import type { Endpoint } from './endpoint.ts';

/** Where a request goes, and with which values of the path's parameters. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The endpoint of a request; a sentence where there is none. */
export function findEndpoint(endpoints: readonly Endpoint[], method: string, path: string): Target | string {
  const targets = endpoints.flatMap((endpoint) => {
    const parameters = parametersOf(endpoint.path, path);
    return parameters ? [{ endpoint, parameters }] : [];
  });
  if (targets.length === 0) return `There is no such path in the API: ${path}.`;
  const found = targets.find(({ endpoint }) => endpoint.method === method.toUpperCase());
  const methods = targets.map(({ endpoint }) => endpoint.method).join(', ');
  return found ?? `This path takes ${methods}, not ${method}.`;
}

function parametersOf(template: string, path: string): Record<string, string> | undefined {
  const [names, values] = [template.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (name.startsWith('{')) parameters[name.slice(1, -1)] = decoded(value);
    else if (name !== value) return undefined;
  }
  return parameters;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
