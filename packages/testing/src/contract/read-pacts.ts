import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issuesOf } from '@hr/schemas';
import { z } from 'zod';
import { HrTestingError } from '../hr-testing-error.ts';
import { PROVIDER_NAME } from './provider-name.ts';
import type { PactFiles } from '../provider/verify-options.ts';
import type { Interaction, Pact } from './pact.ts';

const message = z.looseObject({
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  matchingRules: z.record(z.string(), z.unknown()).optional(),
});

const version = z.looseObject({ version: z.string() }).optional();

/** Where pacts say which specification they follow: old ones in other ways than new ones. */
const Marked = z.looseObject({
  metadata: z.looseObject({
    pactSpecification: version,
    'pact-specification': version,
    pactSpecificationVersion: z.string().optional(),
  }),
});

/** What this package reads of a pact; of all else it makes nothing. */
const PactContent = z.looseObject({
  consumer: z.looseObject({ name: z.string().min(1) }),
  provider: z.looseObject({ name: z.string().min(1) }),
  interactions: z.array(
    z.looseObject({
      type: z.literal('Synchronous/HTTP').optional(),
      description: z.string(),
      providerStates: z.array(z.looseObject({ name: z.string() })).optional(),
      request: message.extend({
        method: z.string(),
        path: z.string(),
        query: z.record(z.string(), z.array(z.string())).optional(),
      }),
      response: message.extend({ status: z.int() }),
    }),
  ),
});

/**
 * The pacts of files and folders, in the order of their files' names.
 *
 * @throws {HrTestingError} `invalid-pact` when a file is no pact of `hr-cloud` in specification 3 or 4, or there is none at all.
 */
export async function readPacts({ files = [], folders = [] }: PactFiles): Promise<readonly Pact[]> {
  if (files.length + folders.length === 0)
    throw new HrTestingError('invalid-pact', 'Name the pacts: files, or folders of them.');
  const found = await Promise.all(folders.map(filesOf));
  const all = [...new Set([...files, ...found.flat()])].toSorted();
  if (all.length === 0) throw new HrTestingError('invalid-pact', `There is no pact in ${folders.join(', ')}.`);
  return Promise.all(all.map(readPact));
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  } catch (error) {
    throw new HrTestingError('invalid-pact', `The folder ${folder} cannot be read.`, { cause: error });
  }
}

async function readPact(file: string): Promise<Pact> {
  const refuse = (sentence: string, options?: ErrorOptions) =>
    new HrTestingError('invalid-pact', `${file}: ${sentence}`, options);

  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refuse('cannot be read.', { cause: error });
  });
  const content = parsed(text);
  if (content === undefined) throw refuse('is not JSON.');
  const specification = specificationOf(content);
  if (specification !== undefined && !/^[34](?:\.|$)/.test(specification))
    throw refuse(`follows specification ${specification} of Pact; write it in specification 3 or 4.`);
  const { error, data } = PactContent.safeParse(content);
  if (error) {
    const [issue] = issuesOf(error, content);
    throw refuse(`is not a pact of HTTP interactions, specification 3 or 4: ${issue?.pointer ?? ''} ${issue?.detail}.`);
  }
  if (specification === undefined)
    throw refuse('does not say in metadata.pactSpecification.version that it follows specification 3 or 4 of Pact.');
  if (data.interactions.length === 0) throw refuse('has no interactions, so it says nothing.');
  if (data.provider.name !== PROVIDER_NAME)
    throw refuse(`is a pact with the provider ${data.provider.name}, not with ${PROVIDER_NAME}.`);
  return {
    file,
    consumer: data.consumer.name,
    provider: data.provider.name,
    interactions: data.interactions as readonly Interaction[],
    content: data,
  };
}

function specificationOf(content: unknown): string | undefined {
  const { metadata } = Marked.safeParse(content).data ?? {};
  const { version: found } = metadata?.pactSpecification ?? metadata?.['pact-specification'] ?? {};
  return found ?? metadata?.pactSpecificationVersion;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
