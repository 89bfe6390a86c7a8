import { changeKinds, Person, type ChangeKind } from '@hr/schemas';
import { isVisible, mayHear } from '@hr/schemas/provider';
import type { TokenGrant } from '../http/grant.ts';
import type { ChangeSet } from './positions.ts';

/** The kinds of what some change sets touched that a client may see. */
export function visibleKinds(changes: readonly ChangeSet[], grant: TokenGrant): ChangeKind[] {
  return changeKinds.filter(
    (kind) =>
      mayHear(grant, kind) &&
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
  if (!Object.hasOwn(Person.shape, field) || !isVisible(grant, field)) return false;
  if (field !== 'customFields') return true;
  const { customFields } = grant;
  // A single custom field has no order that could change.
  return customName.length === 0 ? customFields.length > 1 : customFields.includes(customName.join(' '));
}
