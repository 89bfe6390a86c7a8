import { changeKinds, Person, type ChangeKind } from '@hr/schemas';
import { isVisible, mayHear } from '@hr/schemas/provider';
import type { Touched } from '../http/changes.ts';
import type { TokenGrant } from '../http/grant.ts';

/** What operators hear of. Payments are those of all clients, and clients include their grants. */
export const operatorKinds = ['persons', 'timeBookings', 'absences', 'salaries', 'payments', 'clients'] as const;
export type OperatorKind = (typeof operatorKinds)[number];

/** The kinds of what some change sets touched that a client may see. */
export function visibleKinds(changes: readonly Touched[], grant: TokenGrant): ChangeKind[] {
  const heard = changeKinds.filter((kind) => mayHear(grant, kind));
  return touchedKinds(heard, changes, (name, kind) => {
    if (kind === 'decisions') return name === `decisions ${grant.clientId}`;
    return isOf(name, kind, (field, customName) => seesField(field, customName, grant));
  });
}

/** The kinds of what some change sets touched. Operators may see all. */
export function kindsOfOperators(changes: readonly Touched[]): OperatorKind[] {
  return touchedKinds(operatorKinds, changes, (name, kind) => {
    if (kind === 'payments') return name === kind || name.startsWith('decisions ');
    if (kind === 'clients') return name === kind || name.startsWith('grants ');
    return isOf(name, kind, () => true);
  });
}

function touchedKinds<Kind>(
  kinds: readonly Kind[],
  changes: readonly Touched[],
  shows: (name: string, kind: Kind) => boolean,
): Kind[] {
  return kinds.filter((kind) =>
    changes.some(({ touched }) => touched === null || touched.some((name) => shows(name, kind))),
  );
}

function isOf(
  name: string,
  kind: Exclude<ChangeKind, 'decisions'>,
  sees: (field: string, customName: string) => boolean,
): boolean {
  if (kind === 'salaries') return name === kind;
  // Days and absences come and go with their person.
  if (name === 'id' || name === kind) return true;
  const [field = '', ...customName] = name.split(' ');
  return kind === 'persons' && Object.hasOwn(Person.shape, field) && sees(field, customName.join(' '));
}

function seesField(field: string, customName: string, grant: TokenGrant): boolean {
  if (!isVisible(grant, field)) return false;
  if (field !== 'customFields') return true;
  const { customFields } = grant;
  // A single custom field has no order that could change.
  return customName === '' ? customFields.length > 1 : customFields.includes(customName);
}
