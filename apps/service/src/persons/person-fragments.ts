import type { Person } from '@hr/schemas';
import { fieldsOf, systems, type System } from '@hr/schemas/rules';

/** What is known of a person, by source. Values are JSON text. */
export interface PersonSources {
  readonly personId: string;
  /** The feed's `person` record. */
  readonly master: string;
  readonly bankDetails: string | null;
  readonly keyNumber: string | null;
  readonly patchedAddresses: string | null;
  readonly patchedBankDetails: string | null;
  /** An array of all mapped contract ids, in order. */
  readonly payrollContractIds: string;
  /** An array of the employments that have both a payroll record and a mapping, in order. */
  readonly employments: string;
}

/** One system's part of a person's JSON object: members, each with a comma before it. */
interface Fragment {
  readonly present: string;
  /** The fields without a value, as `null`: only lists of changes carry them. */
  readonly absent: string;
}

/** A person as text: the head of the JSON object, and each system's fragment of it. */
export interface PersonFragments extends Record<System, Fragment> {
  readonly head: string;
  /** A JSON array. Custom fields stand apart: which of them a client sees is known only when it reads. */
  readonly customFields: string;
}

/** Renders each system's fragment of a person, and the head they follow. */
export function personFragments(sources: PersonSources): PersonFragments {
  const master = valueOf(sources.master) as Readonly<Record<string, unknown>>;
  const patchedAddresses = valueOf(sources.patchedAddresses) as readonly unknown[] | undefined;
  return {
    head: `{"id":${JSON.stringify(sources.personId)}`,
    customFields: JSON.stringify(master['customFields'] ?? []),
    master: fragment('master', {
      ...master,
      middleName: '',
      address: patchedAddresses ? patchedAddresses[0] : master['address'],
      payrollContractIds: valueOf(sources.payrollContractIds),
      groups: master['groups'] ?? [],
    }),
    payroll: fragment('payroll', {
      bankDetails: valueOf(sources.patchedBankDetails ?? sources.bankDetails),
      employments: valueOf(sources.employments),
    }),
    time: fragment('time', { keyNumber: valueOf(sources.keyNumber) }),
  };
}

function valueOf(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text);
}

const fields = new Map(systems.map((system) => [system, fieldsOf(system).filter((field) => field !== 'customFields')]));

/** The fields of a system's fragment, in order. */
export function fragmentFields(system: System): readonly (keyof Person)[] {
  return fields.get(system) ?? [];
}

function fragment(system: System, values: Readonly<Record<string, unknown>>): Fragment {
  // One object: to write the values one by one takes half as long again.
  const present: Record<string, unknown> = {};
  let absent = '';
  for (const field of fragmentFields(system)) {
    if (values[field] === undefined) absent += `,"${field}":null`;
    else present[field] = values[field];
  }
  const text = JSON.stringify(present).slice(1, -1);
  return { present: text && `,${text}`, absent };
}
