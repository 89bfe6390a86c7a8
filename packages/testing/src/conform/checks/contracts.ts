import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bodyOf, isForm, type Interaction, type Pact } from '../../contract/pact.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { table } from '../../model/lists.ts';
import {
  VerificationFailedError,
  type VerificationResult,
  type VerifiedInteraction,
} from '../../provider/verification-result.ts';
import { verifyProvider } from '../../provider/verify-provider.ts';
import { NotTried, should, type Check, type Deviation } from '../check.ts';
import { operationOf } from '../cloud-request.ts';
import type { ConformRun } from '../conform-run.ts';

/** The contracts of the consumers of this workspace. The build copies them here. */
const contractsFolder = fileURLToPath(new URL('../../../contracts/', import.meta.url));

/**
 * A check for each contract and section. The contracts are those of the consumers of this workspace. They rely on
 * decisions, too, so they are a `should`.
 */
export async function contractChecks(): Promise<readonly Check[]> {
  const pacts = await readPacts([contractsFolder]);
  const all = pacts.flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({ consumer, interaction, section: sectionOf(interaction) })),
  );
  const checks = Map.groupBy(all, ({ consumer, section }) => `contract-${consumer}-${section}`);
  return [...checks].flatMap(([id, own]) => {
    const [first] = own;
    if (!first) return [];
    const rule = `Responses are as the contract of ${first.consumer} requires.`;
    return should(first.section, id, rule, async (run) => {
      const { interactions } = await run.once('contracts', () => verifyContracts(run, pacts));
      // The verification has the interactions in the same order.
      const tried = own.flatMap(({ interaction }) => {
        const result = interactions[all.findIndex((each) => each.interaction === interaction)];
        const isTried = result?.faults.every(({ place }) => !/^(handler of )?state /.test(place));
        return result && isTried ? { interaction, result } : [];
      });
      if (tried.length === 0) throw new NotTried('no provider state of these interactions can be set up');
      return tried.flatMap(({ interaction, result }) => deviationsOf(run, interaction, result));
    });
  });
}

function sectionOf({ request: { method, path }, response: { status } }: Interaction): string {
  const { section = '5' } = table[operationOf(method, path)] ?? {};
  return status >= 400 && section !== '5' ? '7' : section;
}

function deviationsOf(
  run: ConformRun,
  interaction: Interaction,
  { description, faults }: VerifiedInteraction,
): Deviation[] {
  const { method, path, query = {} } = interaction.request;
  const operation = operationOf(method, path);
  const named = Object.entries(query).map(([name, [value = '']]) => [run.wireName(operation, name), value]);
  const body = bodyOf(interaction.request, interaction);
  const request = { operation, method, path, query: Object.fromEntries(named), body };
  const curl = run.cloud.curl({ ...request, isPrivate: isForm(interaction.request) });
  return faults.map(({ place, message }) => {
    const [, expected = message, got = 'a fault'] = /^expected (.*), got (.*?)\.?$/s.exec(message) ?? [];
    return { place, expected, got, request: `${curl}  # ${description}` };
  });
}

/** Writes the contracts, with the query parameters that the HR cloud has. */
async function writeContracts(run: ConformRun, pacts: readonly Pact[], folder: string): Promise<void> {
  for (const { source, text } of pacts) {
    const pact = JSON.parse(text) as { interactions: { request: Interaction['request'] & { query?: object } }[] };
    for (const { request } of pact.interactions) {
      const operation = operationOf(request.method, request.path);
      const named = Object.entries(request.query ?? {}).map(([name, value]) => [run.wireName(operation, name), value]);
      if (request.query) Object.assign(request, { query: Object.fromEntries(named) });
    }
    // oxlint-disable-next-line no-await-in-loop -- few small files
    await writeFile(join(folder, basename(source)), JSON.stringify(pact));
  }
}

async function verifyContracts(run: ConformRun, pacts: readonly Pact[]): Promise<VerificationResult> {
  const { cloud, options } = run;
  const { baseUrl, states = {}, reset, tearDown, approvePayments, tokenWithoutScope } = options;
  const folder = await mkdtemp(join(tmpdir(), 'hr-conform-'));
  try {
    await writeContracts(run, pacts, folder);
    return await verifyProvider({
      provider: { url: baseUrl },
      source: { pacts: [folder] },
      states,
      ...(reset && { reset }),
      ...(tearDown && { tearDown }),
      ...(approvePayments && { approvePayments }),
      ...(tokenWithoutScope && { tokenWithoutScope }),
      token: () => cloud.token(),
    });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    if (error instanceof HrTestingError) throw new NotTried(error.message);
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
