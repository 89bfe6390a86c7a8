import type { Interaction as PactInteraction } from '../src/contract/pact.ts';
import { identityOf, renderContract } from '../src/pact/contract.ts';
import { consumerWithParts } from './pact-parts.ts';
import type { VitestProject } from './vitest-project.ts';

/** The contract that {@link tests} make. */
export const FILE = 'pacts/payroll-hr-cloud.json';

function absencesOf(personId: string, example: string) {
  const description = `absences of ${personId}`;
  return { request: { path: { personId } }, example: [{ id: example }], description } as const;
}

interface Expected {
  readonly consumer?: string;
  /** What differs between interactions of the same name. */
  readonly example?: string;
}

interface Options extends Expected {
  readonly after?: string;
  readonly contact?: string;
}

/** A file of tests, one interaction each: the absences of these persons. */
export function tests(
  persons: readonly string[],
  { consumer = 'payroll', example = '1', after = '', contact }: Options = {},
): string {
  const all = persons.map(
    (person) => `test('${person}', async () => {
  await hr.interaction('listAbsences', ${JSON.stringify(absencesOf(person, example))}).run(({ baseUrl, token }) =>
    fetch(baseUrl + '/api/v1/persons/${person}/absences', { headers: { authorization: 'Bearer ' + token } }));
  ${after}
});`,
  );
  return `import { test } from 'vitest';
import { consumer } from '@hr/testing/pact';
const hr = consumer(${JSON.stringify({ name: consumer, contact })});
${all.join('\n')}
`;
}

/** The interactions that Pact wrote. Many tests expect the same ones. */
const written = new Map<string, Promise<PactInteraction>>();

/** The text of the contract that {@link tests} of these persons make. */
export async function contract(
  persons: readonly string[],
  { consumer = 'payroll', example = '1' }: Expected = {},
): Promise<string> {
  const runs = persons.map((person) => {
    const key = JSON.stringify([person, example]);
    const run = written.get(key) ?? interactionOf(person, example);
    written.set(key, run);
    return run;
  });
  const interactions = await Promise.all(runs);
  return renderContract({ consumer, interactions: new Map(interactions.map((each) => [identityOf(each), each])) });
}

/** The text of a contract as a kit would have written it that had no rules for dates. */
export function ofOlderKit(text: string): string {
  const pact = JSON.parse(text) as {
    metadata: { 'hr-testing': { version: string } };
    interactions: { response: { matchingRules: { body: Record<string, unknown> } } }[];
  };
  pact.metadata['hr-testing'].version = '0.9.0';
  for (const { response } of pact.interactions) delete response.matchingRules.body['$[*].startDate'];
  return `${JSON.stringify(pact, undefined, 2)}\n`;
}

async function interactionOf(person: string, example: string): Promise<PactInteraction> {
  const { hr, held } = consumerWithParts();
  await hr.interaction('listAbsences', absencesOf(person, example)).run(({ baseUrl, token }) => {
    return fetch(`${baseUrl}/api/v1/persons/${person}/absences`, { headers: { authorization: `Bearer ${token}` } });
  });
  const [interaction] = held();
  if (!interaction) throw new Error('The run wrote nothing.');
  return interaction as object as PactInteraction;
}

/** The persons whose absences a contract is about. */
export function descriptions(project: VitestProject, file = FILE): string[] {
  const { interactions } = JSON.parse(project.read(file)) as { interactions: { description: string }[] };
  return interactions.map(({ description }) => description.replace('absences of ', ''));
}
