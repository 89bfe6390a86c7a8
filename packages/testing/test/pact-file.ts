import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

type Rules = Readonly<Record<string, { readonly combine?: 'AND' | 'OR'; readonly matchers: readonly object[] }>>;

/** What a test says of an interaction; by default it lists persons, with a token, and is answered 200. */
export interface Said {
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
  readonly answer?: unknown;
  readonly rules?: Rules;
}

const json = 'application/json';
const problem = 'application/problem+json';

/** A pact of specification 4 as Pact writes it. */
export function pactOf(consumer: string, interactions: readonly Said[]) {
  return {
    consumer: { name: consumer },
    interactions: interactions.map((said, index) => ({
      description: said.description ?? `interaction ${index + 1}`,
      pending: false,
      ...(said.states && { providerStates: said.states }),
      request: {
        ...(said.body !== undefined && { body: { content: said.body, contentType: json, encoded: false } }),
        headers: Object.fromEntries(
          Object.entries({
            Authorization: 'Bearer contract-token',
            ...(said.body !== undefined && { 'Content-Type': json }),
            ...said.headers,
          }).map(([name, value]) => [name, [value]]),
        ),
        matchingRules: {
          ...(said.bodyRules && { body: said.bodyRules }),
          ...(said.queryRules && { query: said.queryRules }),
        },
        method: said.method ?? 'GET',
        path: said.path ?? '/api/v1/persons',
        ...(said.query && { query: said.query }),
      },
      response: {
        ...(said.answer !== undefined && {
          body: { content: said.answer, contentType: (said.status ?? 200) < 400 ? json : problem, encoded: false },
          headers: { 'Content-Type': [(said.status ?? 200) < 400 ? json : problem] },
        }),
        ...(said.rules && { matchingRules: { body: said.rules } }),
        status: said.status ?? 200,
      },
      type: 'Synchronous/HTTP',
    })),
    metadata: { pactSpecification: { version: '4.0' } },
    provider: { name: 'hr-cloud' },
  };
}

/** A folder of its own. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-contracts-'));
  folders.push(folder);
  return folder;
}

/** Writes something as JSON into a new folder, or the given one, and tells the file. */
export async function jsonFile(content: unknown, folder?: string, name = 'pact.json'): Promise<string> {
  const file = join(folder ?? (await newFolder()), name);
  await writeFile(file, JSON.stringify(content));
  return file;
}
