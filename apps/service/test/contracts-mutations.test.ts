import { join } from 'node:path';
import { exampleTokens } from '@hr/testing/pact';
import { scenarioStates, VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import type { VerificationResult } from '@hr/testing/provider';
import { readState, scenarioOf } from '@hr/testing/states';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerByMark } from './contracts/answers-by-mark.ts';
import type { RawAnswer } from './contracts/answers-by-mark.ts';
import { readPact, withMarkedPact } from './contracts/contract-file.ts';
import type { Pact, PactInteraction } from './contracts/contract-file.ts';
import { mutations } from './contracts/mutations/mutations.ts';
import { operationMutationNames, operationMutations } from './contracts/mutations/operation-mutations.ts';
import type { Ask, Mutated } from './contracts/mutations/operation-mutations.ts';
import { pactFolders } from './contracts/pact-folders.ts';
import { startProviderUnderTest } from './contracts/provider-under-test.ts';
import { emptyDatabase } from './drivers.ts';

const ofConnection = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);
const names = [...Object.keys(mutations), ...operationMutationNames];

/** An interaction of the client, and the service's answer to it, broken in one way. */
interface Broken {
  readonly mutation: string;
  readonly interaction: PactInteraction;
  readonly answer: RawAnswer;
  readonly isNoticed: boolean;
}

/** What the service answers to an interaction, and what it answers if its operation is broken. */
interface Answers {
  readonly right: RawAnswer;
  readonly mutated: Readonly<Record<string, Mutated>>;
}

/** What the service answers to each interaction of a pact. */
async function answersOf({ interactions }: Pact): Promise<Answers[]> {
  const { url, remove } = await emptyDatabase('postgres');
  const provider = await startProviderUnderTest(url);
  const tokens: Readonly<Record<string, string>> = {
    [exampleTokens.valid]: await provider.token(),
    [exampleTokens.withoutScope]: await provider.tokenWithoutScope(),
  };
  const answers: Answers[] = [];
  for (const interaction of interactions) {
    const { method, path, query, headers, body } = interaction.request;
    const { Authorization: bearer = '', ...others } = firstValues(headers);
    const ask: Ask = async (address, token = bearer.slice('Bearer '.length)) => {
      const response = await fetch(provider.url + address, {
        method,
        headers: { ...others, authorization: `Bearer ${tokens[token] ?? token}` },
        ...(body && { body: JSON.stringify(body.content) }),
      });
      const given = [...response.headers].filter(([name]) => !ofConnection.has(name));
      return { status: response.status, headers: Object.fromEntries(given), body: await response.text() };
    };
    const states = (interaction.providerStates ?? []).map(({ name, params }) => readState(name, params));
    // oxlint-disable no-await-in-loop -- the provider holds one scenario at a time
    await provider.load(scenarioOf(states));
    const right = await ask(`${path}?${new URLSearchParams(firstValues(query)).toString()}`);
    answers.push({ right, mutated: await operationMutations(interaction, right, ask) });
    // oxlint-enable no-await-in-loop
  }
  await provider.stop();
  await remove();
  return answers;
}

/** A pact has a list of values for each name, here always of one. */
function firstValues(values: Readonly<Record<string, readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, [value = '']]) => [name, value]));
}

/** Of the answers that a mutation changes, one where it is noticed and one where it is not; of each mutation, others. */
function brokenAnswers(pact: Pact, answers: readonly Answers[]): Broken[] {
  return names.flatMap((mutation, turn) => {
    const all = pact.interactions.flatMap((interaction, place): Broken[] => {
      const { right, mutated } = answers[place] as Answers;
      const ofOperation = mutated[mutation];
      if (ofOperation) return [{ mutation, interaction, ...ofOperation }];
      const { change, isNoticed } = mutations[mutation] ?? {};
      const answer = change?.(right);
      if (!answer || !isNoticed || JSON.stringify(answer) === JSON.stringify(right)) return [];
      return [{ mutation, interaction, answer, isNoticed: isNoticed(interaction.response) }];
    });
    return [true, false].flatMap((noticed) => {
      const kind = all.filter((one) => one.isNoticed === noticed);
      return kind.slice(turn % Math.max(1, kind.length)).slice(0, 1);
    });
  });
}

const anyToken = (): string => 'any';

/** What a verifier finds, without making states: the answers are there already. */
async function findings(broken: readonly Broken[], pact: Pact): Promise<VerificationResult> {
  await using provider = await answerByMark((place) => broken[place]?.answer ?? { status: 404, headers: {}, body: '' });
  const interactions = broken.map(({ mutation, interaction }) => ({
    ...interaction,
    description: `${mutation}: ${interaction.description}`,
  }));
  const states = scenarioStates(() => {});
  const options = { provider, states, token: anyToken, tokenWithoutScope: anyToken };
  return await withMarkedPact({ ...pact, interactions }, (file) =>
    verifyProvider({ ...options, source: { pacts: [file] } }).catch((error: unknown) => {
      if (error instanceof VerificationFailedError) return error.result;
      throw error;
    }),
  );
}

describe('a service that breaks', () => {
  let pact: Pact;
  let broken: readonly Broken[];
  let result: VerificationResult;
  beforeAll(async () => {
    const folder = pactFolders().find((each) => each.includes('client')) ?? '';
    pact = await readPact(join(folder, 'hr-client-hr-cloud.json'));
    broken = brokenAnswers(pact, await answersOf(pact));
    result = await findings(broken, pact);
  });

  test.each(names)('is found out where the client reads it, and nowhere else: %s', (mutation) => {
    const { interactions: found } = result;
    const wrong = broken.flatMap((one, place) => {
      if (one.mutation !== mutation || found[place]?.ok !== one.isNoticed) return [];
      return [
        `${one.interaction.description} ${one.isNoticed ? 'did not notice' : JSON.stringify(found[place].faults)}`,
      ];
    });
    expect(wrong).toEqual([]);
    expect(broken.filter((one) => one.mutation === mutation).length).toBeGreaterThan(0);
  });

  test.each(operationMutationNames)('is noticed by the client: %s', (mutation) => {
    expect(broken.some((one) => one.mutation === mutation && one.isNoticed)).toBe(true);
  });

  test.each([
    ['the last name has another name', /lastName$/, 'expected this field, got none.'],
    ['the zip code is a number', /address\.zipCode$/, 'expected a string, got a number.'],
    ['the employments are by their id', /employments$/, 'expected an array, got an object.'],
    ['the amount is a text', /amount$/, 'expected a number, got a string.'],
    ['a list is empty', /^body \$$/, 'expected an array of length at least 1, got 0.'],
    ['the media type is text', /^header content-type$/i, 'expected application/json, got text/html.'],
    ['the body breaks off', /^body$/, 'expected JSON in UTF-8, got other content.'],
    ['what was 200 is 201', /^status$/, 'expected 200, got 201.'],
    ['the time to wait is gone', /^header Retry-After$/, 'expected text like ^[0-9]+$, got no header.'],
    ['listVariablePayments has a payment that is not approved', /^body \$$/, 'expected an array of length 0, got 1.'],
    [
      'listAbsences has another personId than the request',
      /\[\d\]\.personId$/,
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
