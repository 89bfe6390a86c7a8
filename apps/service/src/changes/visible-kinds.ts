import { changeKinds, type ChangeKind, type OperationId } from '@hr/schemas';
import { isVisible, mayUse } from '@hr/schemas/provider';
import type { TokenGrant } from '../http/grant.ts';
import type { ChangeSet } from './positions.ts';

/** The lists that read what changed: one of them is enough. */
const readers: { readonly [Kind in ChangeKind]: readonly OperationId[] } = {
  persons: ['listPersons'],
  timeBookings: ['listTimeBookings'],
  absences: ['listAbsences', 'listAllAbsences'],
  salaries: ['listSalaryHistory', 'listAllSalaries'],
  decisions: ['listVariablePaymentDecisions'],
};

/** The kinds of what some change sets touched that a client may see. */
export function visibleKinds(changes: readonly ChangeSet[], grant: TokenGrant): ChangeKind[] {
  return changeKinds.filter(
    (kind) =>
      readers[kind].some((id) => mayUse(grant, id)) &&
      changes.some(({ touched }) => touched === null || touched.some((name) => shows(name, kind, grant))),
  );
}

/** Whether a client sees something of a kind change when this is touched. */
function shows(name: string, kind: ChangeKind, grant: TokenGrant): boolean {
  if (kind === 'decisions') return name === `decisions ${grant.clientId}`;
  if (kind === 'salaries') return name === kind;
  // Days and absences come and go with their person.
  if (name === 'id' || name === kind) return true;
  return kind === 'persons' && seesField(name, grant);
}

function seesField(name: string, grant: TokenGrant): boolean {
  const [field = '', ...customName] = name.split(' ');
  if (field in kindNames || !isVisible(grant, field)) return false;
  if (field !== 'customFields') return true;
  const { customFields } = grant;
  // A single custom field has no order that could change.
  return customName.length === 0 ? customFields.length > 1 : customFields.includes(customName.join(' '));
}

const kindNames: Readonly<Record<string, true>> = {
  timeBookings: true,
  absences: true,
  salaries: true,
  decisions: true,
  grants: true,
};
