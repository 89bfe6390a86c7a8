import { readFileSync } from 'node:fs';
import { createFakeHrCloud } from '@hr/testing/fake';
import { scenarioStates, VerificationFailedError, verifyProvider, type VerificationResult } from '@hr/testing/provider';
import { readState, scenarioOf } from '@hr/testing/states';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Interaction, RawAnswer } from './mutations/mutation.ts';
import { mutations } from './mutations/mutations.ts';
import { operationMutationNames, operationMutations, type Mutated } from './mutations/operation-mutations.ts';
import { jsonFile } from './pact-file.ts';
import { startProvider } from './provider-under-test.ts';

const file = new URL('../../client/pacts/hr-client-hr-cloud.json', import.meta.url);
const pact = JSON.parse(readFileSync(file, 'utf8')) as { readonly interactions: readonly Interaction[] };
const names = [...Object.keys(mutations), ...operationMutationNames];

/** The header by which the provider knows which answer to give. */
const MARK = 'x-interaction';

/** An interaction of the client, and the answer to it, broken in one way. */
interface Broken extends Mutated {
  readonly mutation: string;
  readonly interaction: Interaction;
}

/** What is answered to an interaction, and what is answered if its operation is broken. */
interface Answers {
  readonly right: RawAnswer;
  readonly mutated: Readonly<Record<string, Mutated>>;
}

/** What the fake, whose answers are those of the service, answers to each interaction. */
async function answersOf(interactions: readonly Interaction[]): Promise<Answers[]> {
  const fake = createFakeHrCloud();
  const answers: Answers[] = [];
  for (const interaction of interactions) {
    const { method, path, query, headers, body } = interaction.request;
    const ask = async (address: string): Promise<RawAnswer> => {
      const sent = { method, headers: firstValues(headers), ...(body && { body: JSON.stringify(body.content) }) };
      const response = await fake.fetch(new Request(`http://fake${address}`, sent));
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    };
    fake.load(scenarioOf((interaction.providerStates ?? []).map(({ name, params }) => readState(name, params))));
    const submitted = fake.payments.list().filter(({ state }) => state === 'submitted');
    // oxlint-disable no-await-in-loop -- the fake holds one scenario at a time
    const sent = firstValues(query);
    // A contract has any cursor, which the verification replaces.
    if (sent['after'] !== undefined) {
      const { headers: received, body: text } = await ask(path);
      sent['after'] = received['hr-cursor'] ?? (JSON.parse(text) as { cursor: string }).cursor;
    }
    const right = await ask(`${path}?${new URLSearchParams(sent).toString()}`);
    answers.push({ right, mutated: await operationMutations(interaction, right, { ask, submitted }) });
    // oxlint-enable no-await-in-loop
  }
  return answers;
}

/** A pact has a list of values for each name, here always of one. */
function firstValues(values: Readonly<Record<string, readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, [value = '']]) => [name, value]));
}

/** Of the answers that a mutation changes, one where it is noticed and one where it is not; of each mutation, others. */
function brokenAnswers(answers: readonly Answers[]): Broken[] {
  return names.flatMap((mutation, turn) => {
    const all = pact.interactions.flatMap((interaction, place): Broken[] => {
      const { right, mutated } = answers[place] as Answers;
      const ofOperation = mutated[mutation];
      if (ofOperation) return [{ mutation, interaction, ...ofOperation }];
      const { change, isNoticed } = mutations[mutation] ?? {};
      const answer = change?.(right);
      if (!answer || !isNoticed || JSON.stringify(answer) === JSON.stringify(right)) return [];
      return [{ mutation, interaction, answer, isNoticed: isNoticed(interaction.response, interaction) }];
    });
    return [true, false].flatMap((noticed) => {
      const kind = all.filter((one) => one.isNoticed === noticed);
      return kind.slice(turn % Math.max(1, kind.length)).slice(0, 1);
    });
  });
}

const anyToken = (): string => 'any';

/** What a verifier finds, without making states: the answers are there already. */
async function findings(broken: readonly Broken[]): Promise<VerificationResult> {
  const provider = await startProvider((response, { headers }) => {
    const { status, headers: given, body } = broken[Number(headers[MARK])]?.answer ?? { status: 404, body: '' };
    response.writeHead(status, given).end(body);
  });
  const interactions = broken.map(({ mutation, interaction }, place) => ({
    ...interaction,
    description: `${mutation}: ${interaction.description}`,
    request: { ...interaction.request, headers: { ...interaction.request.headers, [MARK]: [String(place)] } },
  }));
  const result = await verifyProvider({
    provider,
    source: { pacts: [await jsonFile({ ...pact, interactions })] },
    states: scenarioStates(() => {}),
    token: anyToken,
    tokenWithoutScope: anyToken,
  }).catch((error: unknown) => {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  });
  await provider.stop();
  return result;
}

describe('a provider that breaks', () => {
  let broken: readonly Broken[];
  let result: VerificationResult;
  beforeAll(async () => {
    broken = brokenAnswers(await answersOf(pact.interactions));
    result = await findings(broken);
  });

  test.each(names)('is found out where the client reads it, and nowhere else: %s', (mutation) => {
    const { interactions: found } = result;
    const wrong = broken.flatMap((one, place) => {
      // What is stored is not of the response.
      const faults = found[place]?.faults.filter((fault) => !fault.place.startsWith('read back')) ?? [];
      if (one.mutation !== mutation || faults.length > 0 === one.isNoticed) return [];
      return [`${one.interaction.description} ${one.isNoticed ? 'did not notice' : JSON.stringify(faults)}`];
    });
    expect(wrong).toEqual([]);
    expect(broken.filter((one) => one.mutation === mutation).length).toBeGreaterThan(0);
  });

  test.each(operationMutationNames)('is noticed by the client: %s', (mutation) => {
    expect(broken.some((one) => one.mutation === mutation && one.isNoticed)).toBe(true);
  });

  // How a fault in one response is told is in provider-faults.test.ts.
  test.each([
    [
      'listVariablePayments has a payment that is not approved',
      /^body \$$/,
      'expected an empty array, got 1 elements. The states and the filters of the request leave none.',
    ],
    [
      'listAbsences has another personId than the request',
      /\d\]\.personId$/,
      'expected "4711", got text of the form 9-999.',
    ],
    ['listSalaryHistory is cut to one element', /^body \$$/, 'expected an array of length at least 2, got 1.'],
  ])('is reported where and how: %s', (mutation, place, message) => {
    const { faults = [] } =
      result.interactions[broken.findIndex((one) => one.mutation === mutation && one.isNoticed)] ?? {};
    // Each element of a list has the same fault.
    const there = faults.filter((fault) => place.test(fault.place));
    expect(new Set(there.map((fault) => fault.message))).toEqual(new Set([message]));
  });
});
