import { fileURLToPath } from 'node:url';
import { bodyOf, isForm, type Interaction } from '../../contract/pact.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { table } from '../../model/lists.ts';
import { findEndpoint } from '../../provider/drift/endpoint.ts';
import { VerificationFailedError, type VerificationResult } from '../../provider/verification-result.ts';
import { verifyProvider } from '../../provider/verify-provider.ts';
import { must, NotTried, should, type Check, type Deviation } from '../check.ts';
import type { ConformRun } from '../conform-run.ts';

const MAX_DIFFERENCES = 10;

/** The contracts of the consumers of this workspace. The build copies them here. */
const contractsFolder = fileURLToPath(new URL('../../../contracts/', import.meta.url));

/** A check for each contract, section and severity. The contracts are those of the consumers of this workspace. */
export async function contractChecks(): Promise<readonly Check[]> {
  const all = (await readPacts([contractsFolder])).flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({ consumer, interaction, ...ruleOf(interaction) })),
  );
  const checks = Map.groupBy(all, ({ consumer, section, severity }) => `contract-${consumer}-${section}-${severity}`);
  return [...checks].flatMap(([id, own]) => {
    const [first] = own;
    if (!first) return [];
    const rule = `Responses are as the contract of ${first.consumer} requires.`;
    const check = first.severity === 'must' ? must : should;
    return check(first.section, id, rule, async (run) => {
      const { interactions } = await run.once('contracts', () => verifyContracts(run));
      // The verification has the interactions in the same order.
      const found = own.flatMap((each) => deviationsOf(run, each.interaction, interactions[all.indexOf(each)]));
      return found.slice(0, MAX_DIFFERENCES);
    });
  });
}

function ruleOf({ request, response: { status } }: Interaction): Pick<Check, 'section' | 'severity'> {
  const endpoint = findEndpoint(request.method, request.path);
  const { section = '5', extension } = table[typeof endpoint === 'string' ? '' : endpoint.name] ?? {};
  const isError = status >= 400;
  return { section: isError && section !== '5' ? '7' : section, severity: isError || extension ? 'should' : 'must' };
}

function deviationsOf(
  { cloud }: ConformRun,
  interaction: Interaction,
  { description, faults }: Partial<VerificationResult['interactions'][number]> = {},
): Deviation[] {
  const { method, path, query = {} } = interaction.request;
  const request = cloud.curl({
    operation: '',
    method,
    path,
    query: Object.fromEntries(Object.entries(query).map(([name, [value = '']]) => [name, value])),
    body: bodyOf(interaction.request, interaction),
    isPrivate: isForm(interaction.request),
  });
  return (faults ?? []).map(({ place, message }) => {
    const [, expected = message, got = 'a fault'] = /^expected (.*), got (.*?)\.?$/s.exec(message) ?? [];
    return { place: `${description}: ${place}`, expected, got, request };
  });
}

async function verifyContracts({ cloud, options }: ConformRun): Promise<VerificationResult> {
  const { baseUrl, states = {}, reset, tearDown, approvePayments, tokenWithoutScope } = options;
  try {
    return await verifyProvider({
      provider: { url: baseUrl },
      source: { pacts: [contractsFolder] },
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
  }
}
