import { stageOf } from '../states/stage.ts';
import type { Stage, StagedMember } from '../states/stage.ts';
import type { State } from '../states/provider-states.ts';
import type { Store } from './store.ts';

/**
 * What one state brings beside what the store holds already: it belongs to the person or contract that is there, and what
 * it does not name itself stays as it is.
 *
 * @throws {RangeError} where the state contradicts what is there.
 */
export function stageBeside(store: Store, state: State): Stage {
  const [name] = state;
  const owners = contractNamed(state).flatMap((payrollContractId) => ownerOf(store, payrollContractId));
  const stage = stageOf([...owners, withFreeId(store, state)]);
  const present = (member: StagedMember): StagedMember => {
    const known = store.persons.get(member.person.id);
    return {
      ...member,
      person: known && name !== 'a person' ? known.record : member.person,
      employments: member.employments.filter(
        ({ payrollContractId }) => name === 'a contract' || !store.contracts.get(payrollContractId)?.employment,
      ),
    };
  };
  return { ...stage, members: stage.members.map(present) };
}

/** The contract that a state is about. */
function contractNamed([, parameters = {}]: State): string[] {
  return 'payrollContractId' in parameters ? [parameters.payrollContractId] : [];
}

/** The person who has a contract, as the state that says so. */
function ownerOf({ contracts }: Store, payrollContractId: string): State[] {
  const personId = contracts.get(payrollContractId)?.personId;
  return personId === undefined ? [] : [['a contract', { payrollContractId, personId }]];
}

/** An absence whose id is left out is one more, and not the one that is there. */
function withFreeId({ persons }: Store, state: State): State {
  const [name, parameters] = state;
  if (name !== 'an absence' || typeof parameters.id === 'string') return state;
  const { personId } = parameters;
  const taken = persons.get(personId)?.absences ?? new Map();
  let number = taken.size + 1;
  while (taken.has(`${personId}-${number}`)) number++;
  return [name, { ...parameters, id: `${personId}-${number}` }];
}
