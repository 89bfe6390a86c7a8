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
  const master = JSON.parse(sources.master) as Readonly<Record<string, unknown>>;
  const patchedAddresses =
    sources.patchedAddresses === null ? undefined : (JSON.parse(sources.patchedAddresses) as unknown[]);
  return {
    head: `{"id":${JSON.stringify(sources.personId)}`,
    customFields: JSON.stringify(master['customFields'] ?? []),
    master: fragment('master', (field) => {
      if (field === 'middleName') return '""';
      if (field === 'payrollContractIds') return sources.payrollContractIds;
      if (field === 'groups') return JSON.stringify(master['groups'] ?? []);
      return JSON.stringify(field === 'address' && patchedAddresses ? patchedAddresses[0] : master[field]);
    }),
    payroll: fragment('payroll', (field) =>
      field === 'bankDetails' ? (sources.patchedBankDetails ?? sources.bankDetails ?? undefined) : sources.employments,
    ),
    time: fragment('time', () => sources.keyNumber ?? undefined),
  };
}

const fields = new Map(systems.map((system) => [system, fieldsOf(system).filter((field) => field !== 'customFields')]));

/** The fields of a system's fragment, in order. */
export function fragmentFields(system: System): readonly (keyof Person)[] {
  return fields.get(system) ?? [];
}

function fragment(system: System, textOf: (field: keyof Person) => string | undefined): Fragment {
  let present = '';
  let absent = '';
  for (const field of fragmentFields(system)) {
    const text = textOf(field);
    if (text === undefined) absent += `,"${field}":null`;
    else present += `,"${field}":${text}`;
  }
  return { present, absent };
}
