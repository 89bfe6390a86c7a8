import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An interaction of a pact of specification 4. */
export interface PactInteraction {
  readonly description: string;
  readonly providerStates?: readonly { readonly name: string; readonly params?: unknown }[];
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly body?: { readonly content: unknown };
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: { readonly content?: unknown };
  };
}

export interface Pact {
  readonly interactions: readonly PactInteraction[];
}

/** The header by which an interaction of a marked pact is known. */
export const MARK = 'x-interaction';

export async function readPact(file: string): Promise<Pact> {
  return JSON.parse(await readFile(file, 'utf8')) as Pact;
}

/** Uses a pact whose interactions each say their place by {@link MARK}, as a file. */
export async function withMarkedPact<Result>(pact: Pact, use: (file: string) => Promise<Result>): Promise<Result> {
  const interactions = pact.interactions.map((interaction, place) => ({
    ...interaction,
    request: { ...interaction.request, headers: { ...interaction.request.headers, [MARK]: [String(place)] } },
  }));
  const folder = await mkdtemp(join(tmpdir(), 'hr-pact-'));
  try {
    const file = join(folder, 'marked.json');
    await writeFile(file, JSON.stringify({ ...pact, interactions }));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
