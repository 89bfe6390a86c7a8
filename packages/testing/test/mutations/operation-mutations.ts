import { operations, wireNames, type ListOperationId, type Operation, type OperationId } from '@hr/schemas';
import { withJson, type Interaction, type RawAnswer } from './mutation.ts';

/** What a provider answers instead, and whether a contract that expects this notices. */
export interface Mutated {
  readonly answer: RawAnswer;
  readonly isNoticed: boolean;
}

/** A provider that is as the states of an interaction say. */
export interface Asked {
  /** Asks it as the interaction does, at its path or another one. */
  readonly ask: (path: string) => Promise<RawAnswer>;
  /** The payments that wait for a decision. */
  readonly submitted: readonly object[];
}

const ids = Object.keys(operations) as OperationId[];
const lists = ids.filter((id): id is ListOperationId => operations[id].list);

/** The ids in the response that the path of the request names. */
const namedIds: { readonly [Id in OperationId]?: string } = {
  updatePerson: 'id',
  submitVariablePayment: 'payrollContractId',
  listVariablePayments: 'payrollContractId',
  listSalaryHistory: 'payrollContractId',
  listAbsences: 'personId',
};

const ignores = (id: ListOperationId, filter: string): string => `${id} ignores the filter ${filter}`;
const isCut = (id: OperationId): string => `${id} is cut to one element`;
const isOfAnother = (id: OperationId): string => `${id} has another ${namedIds[id]} than the request`;
const UNAPPROVED = 'listVariablePayments has a payment that is not approved';

/** The names of all mutations of operations. */
export const operationMutationNames: readonly string[] = [
  ...lists.flatMap((id) =>
    Object.values((wireNames as Partial<Record<string, Record<string, string>>>)[id] ?? {}).map((filter) =>
      ignores(id, filter),
    ),
  ),
  ...lists.map(isCut),
  ...ids.filter((id) => namedIds[id]).map(isOfAnother),
  UNAPPROVED,
];

/** The ways in which an operation can break that take other requests, or depend on the request. */
export async function operationMutations(
  { description, request, response }: Interaction,
  right: RawAnswer,
  { ask, submitted }: Asked,
): Promise<Readonly<Record<string, Mutated>>> {
  const id = ids.find((each) => description.startsWith(`${each}:`));
  if (!id || response.status !== 200) return {};
  const { list }: Operation = operations[id];
  const expected = response.body?.content;
  const expectsNone = Array.isArray(expected) && expected.length === 0;
  const mutated: Record<string, Mutated> = {};
  const add = (name: string, answer: RawAnswer, isNoticed: boolean): void => {
    if (answer.body !== right.body) mutated[name] = { answer, isNoticed };
  };
  if (list) {
    const given = Object.entries(request.query ?? {});
    for (const [filter] of given) {
      const others = given.flatMap(([name, [value = '']]) =>
        name === filter ? [] : [[name, value] as [string, string]],
      );
      // oxlint-disable-next-line no-await-in-loop -- the provider has the states of this interaction
      const answer = await ask(`${request.path}?${new URLSearchParams(others).toString()}`);
      // Only a list of changes has what was deleted.
      add(ignores(id as ListOperationId, filter), answer, expectsNone || answer.body === '[]');
    }
    const cut = withJson(right, (json) => (json as unknown[]).slice(0, 1));
    add(isCut(id), cut, Array.isArray(expected) && expected.length > 1);
  }
  const field = namedIds[id];
  if (field) {
    const other = (element: object) => (field in element ? { ...element, [field]: '9-999' } : element);
    const answer = withJson(right, (json) => (Array.isArray(json) ? json.map(other) : other(json as object)));
    add(isOfAnother(id), answer, true);
  }
  if (id === 'listVariablePayments') {
    const answer = withJson(right, (json) => [...(json as unknown[]), ...submitted]);
    add(UNAPPROVED, answer, expectsNone);
  }
  return mutated;
}
