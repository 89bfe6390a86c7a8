import { openApiDocument } from '@hr/schemas/openapi';
import { HrTestingError } from '../../hr-testing-error.ts';
import { isForm } from './body-of.ts';
import type { Finding } from './drift.ts';
import type { Pact } from '../../contract/pact.ts';

/**
 * What the comparator of PactFlow finds between a pact's examples and the OpenAPI document, for each interaction.
 * It knows what the operation table leaves to HTTP: statuses, media types, headers.
 */
export async function compareWithOpenApi({ content, interactions }: Pact): Promise<readonly Finding[][]> {
  const { Comparator } = await loadComparator();
  const comparator = new Comparator({ oas: openApiDocument() });
  const findings = interactions.map((): Finding[] => []);
  for await (const { type, code, message, mockDetails } of comparator.compare(content)) {
    const [, index = '', place = ''] = /interactions\[(\d+)\]\.?(.*)$/.exec(mockDetails?.location ?? '') ?? [];
    const interaction = interactions[Number(index)];
    // Of a form it does not know that the credentials may come as HTTP Basic instead; the kit's own checks do.
    const isKnownBetter =
      code === 'request.body.incompatible' && interaction !== undefined && isForm(interaction.request);
    const kind = type === 'error' ? 'faults' : code === 'request.header.unknown' ? 'notes' : undefined;
    if (!kind || !interaction || isKnownBetter) continue;
    const sentence = `OpenAPI document: ${message}`;
    findings[Number(index)]?.push({ kind, place, sentence });
  }
  return findings;
}

interface ComparatorPackage {
  readonly Comparator: new (documents: { readonly oas: object }) => {
    compare(pact: object): AsyncIterable<Result>;
  };
}

interface Result {
  readonly type: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly location: string };
}

/** Its types name files in a way that Node's resolution does not know, so what is used of them stands here. */
async function loadComparator(): Promise<ComparatorPackage> {
  try {
    return (await import('@pactflow/openapi-pact-comparator')) as unknown as ComparatorPackage;
  } catch (error) {
    const remedy =
      'Install @pactflow/openapi-pact-comparator as a devDependency: it compares with the OpenAPI document.';
    throw new HrTestingError('missing-package', remedy, { cause: error });
  }
}
