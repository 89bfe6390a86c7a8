import type { VitestProject } from './vitest-project.ts';

/** The contract that {@link tests} make. */
export const FILE = 'pacts/payroll-hr-cloud.json';

interface Options {
  readonly consumer?: string;
  /** What differs between interactions of the same name. */
  readonly example?: string;
  readonly after?: string;
  /** The way back to this package. */
  readonly depth?: string;
}

/** A file of tests, one interaction each: the absences of these persons. */
export function tests(
  persons: readonly string[],
  { consumer = 'payroll', example = '1', after = '', depth = '../..' }: Options = {},
): string {
  const all = persons.map((personId) => {
    const expectation = {
      request: { path: { personId } },
      example: [{ id: example }],
      description: `absences of ${personId}`,
    };
    return `test('${personId}', async () => {
  await hr.interaction('listAbsences', ${JSON.stringify(expectation)}).run(({ baseUrl, token }) =>
    fetch(baseUrl + '/api/v1/persons/${personId}/absences', { headers: { authorization: 'Bearer ' + token } }));
  ${after}
});`;
  });
  return `import { test } from 'vitest';
import { consumer } from '${depth}/src/pact/index.ts';
const hr = consumer({ name: '${consumer}' });
${all.join('\n')}
`;
}

/** The persons whose absences a contract is about. */
export function descriptions(project: VitestProject, file = FILE): string[] {
  const { interactions } = JSON.parse(project.read(file)) as { interactions: { description: string }[] };
  return interactions.map(({ description }) => description.replace('absences of ', ''));
}
