import { mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';

type Rules = Readonly<Record<string, { readonly combine?: 'AND' | 'OR'; readonly matchers: readonly object[] }>>;

/** An interaction of a test; by default it lists persons, with a token, and gets 200. */
export interface TestInteraction {
  readonly description?: string;
  readonly states?: readonly { readonly name: string; readonly params?: object }[];
  readonly method?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyRules?: Rules;
  readonly queryRules?: Rules;
  readonly status?: number;
  readonly response?: unknown;
  readonly rules?: Rules;
}

const json = 'application/json';
const problem = 'application/problem+json';

/** A pact of specification 4 as Pact writes it. */
export function pactOf(consumer: string, interactions: readonly TestInteraction[]) {
  return {
    consumer: { name: consumer },
    interactions: interactions.map((given, index) => ({
      description: given.description ?? `interaction ${index + 1}`,
      pending: false,
      ...(given.states && { providerStates: given.states }),
      request: {
        ...(given.body !== undefined && { body: { content: given.body, contentType: json, encoded: false } }),
        headers: Object.fromEntries(
          Object.entries({
            Authorization: 'Bearer contract-token',
            ...(given.body !== undefined && { 'Content-Type': json }),
            ...given.headers,
          }).map(([name, value]) => [name, [value]]),
        ),
        matchingRules: {
          ...(given.bodyRules && { body: given.bodyRules }),
          ...(given.queryRules && { query: given.queryRules }),
        },
        method: given.method ?? 'GET',
        path: given.path ?? '/api/v1/persons',
        ...(given.query && { query: given.query }),
      },
      response: {
        ...(given.response !== undefined && {
          body: { content: given.response, contentType: (given.status ?? 200) < 400 ? json : problem, encoded: false },
          headers: { 'Content-Type': [(given.status ?? 200) < 400 ? json : problem] },
        }),
        ...(given.rules && { matchingRules: { body: given.rules } }),
        status: given.status ?? 200,
      },
      type: 'Synchronous/HTTP',
    })),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: 'hr-cloud' },
  };
}

/** A folder of its own, which goes with the run. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(dirname(inject('hr-contracts').records), 'folder-'));
}

/** Writes something as JSON into a folder, by default a new one, and gives the file. */
export async function jsonFile(content: unknown, folder?: string, name = 'pact.json'): Promise<string> {
  const file = join(folder ?? (await newFolder()), name);
  await writeFile(file, JSON.stringify(content));
  return file;
}
