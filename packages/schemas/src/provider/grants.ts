import type { Person } from '../generated/models.ts';
import type { ChangeKind } from '../endpoints.ts';
import type { OperationId } from '../operation-types.ts';
import { operations, type Operation } from '../operations.ts';
import { ownerOf, type System } from '../rules/ownership.ts';
import { HttpProblem } from './http-error.ts';

/** What a client may use and see of the API. Without a list, or with `null`, it is all. */
export interface Grants {
  /** Ids of operations of the API, and of those that a provider has beyond it. */
  readonly operations?: readonly (OperationId | (string & {}))[] | null | undefined;
  readonly systems?: readonly System[] | null | undefined;
  /** Of persons, beside `id`. */
  readonly fields?: readonly (keyof Person)[] | null | undefined;
}

/**
 * Checks that a client may use an operation.
 *
 * @param id of an operation of the API; other operations are not granted by id or system
 * @throws {HttpProblem} `forbidden`.
 * @example
 * checkOperation({ systems: ['master'] }, 'listAbsences'); // throws
 */
export function checkOperation({ operations: granted, systems }: Grants, id: string): void {
  if (granted && !granted.includes(id)) {
    throw new HttpProblem('forbidden', `This client may not use ${id}. Ask the operator to grant the operation.`);
  }
  const system = systemOf(id);
  if (systems && system && !systems.includes(system)) {
    throw new HttpProblem(
      'forbidden',
      `This client may not use ${id}, whose data is of the system ${system}. Ask the operator to grant the system.`,
    );
  }
}

/** The operations that read what changed: a client that may use one of them hears of the change. */
const readers: { readonly [Kind in ChangeKind]: readonly [OperationId, ...OperationId[]] } = {
  persons: ['listPersons'],
  timeBookings: ['listTimeBookings'],
  absences: ['listAbsences', 'listAllAbsences'],
  salaries: ['listSalaryHistory', 'listAllSalaries'],
  decisions: ['listVariablePaymentDecisions'],
};

/**
 * Whether a client may hear that something of a kind changed: it may use an operation that reads it.
 *
 * @example
 * mayHear({ systems: ['master'] }, 'absences'); // false
 */
export function mayHear({ operations: granted, systems }: Grants, kind: ChangeKind): boolean {
  const system = systemOf(readers[kind][0]);
  return readers[kind].some((id) => granted?.includes(id) ?? true) && (!system || (systems?.includes(system) ?? true));
}

const systemsOfTags: Readonly<Partial<Record<string, System>>> = { Payroll: 'payroll', Time: 'time' };

/**
 * The system whose data an operation reads or writes. `undefined` for operations on persons and on changes, which show
 * and change only what the client may see.
 *
 * @example
 * systemOf('listAbsences'); // 'time'
 */
export function systemOf(id: string): System | undefined {
  const table: Readonly<Partial<Record<string, Operation>>> = operations;
  return systemsOfTags[table[id]?.tag ?? ''];
}

/**
 * Whether a client may see a field of persons.
 *
 * @example
 * isVisible({ systems: ['master'] }, 'keyNumber'); // false
 */
export function isVisible(
  { systems, fields }: Pick<Grants, 'systems'> & { readonly fields?: readonly string[] | null | undefined },
  field: string,
): boolean {
  return field === 'id' || ((systems?.includes(ownerOf(field)) ?? true) && (fields?.includes(field) ?? true));
}

/**
 * Returns the fields of a person that a patch with these properties changes.
 *
 * @throws {HttpProblem} `forbidden` if the client may not see one of them.
 * @example
 * patchedFields({}, ['addresses']); // ['address']
 */
export function patchedFields(grants: Parameters<typeof isVisible>[0], properties: readonly string[]): string[] {
  return properties.map((property) => {
    const field = property === 'addresses' ? 'address' : property;
    if (isVisible(grants, field)) return field;
    throw new HttpProblem(
      'forbidden',
      `/${property} changes the field ${field}, which this client may not see. Leave it out, or ask the operator to grant the field and the system ${ownerOf(field)}.`,
    );
  });
}
